import copy
import math

import torch
from torch import nn


class EarlyStopper:
    """Says when to stop training, and keeps the best weights seen."""

    def __init__(self, patience: int = 3, min_delta: float = 0.0, mode: str = "min") -> None:
        if mode not in ("min", "max"):
            raise ValueError(f"mode must be min or max, got {mode!r}")
        if patience < 1:
            raise ValueError(f"patience must be at least 1, got {patience}")
        self.patience = patience
        self.min_delta = min_delta
        self.mode = mode
        self.best = None
        self.best_step = None
        self.best_state = None
        self.steps = 0
        self.waited = 0

    def step(self, metric: float | torch.Tensor, model: nn.Module) -> bool:
        metric = float(metric)
        if self._improved(metric):
            self.best = metric
            self.best_step = self.steps
            model.eval()
            self.best_state = copy.deepcopy(model.state_dict())
            self.waited = 0
        else:
            self.waited += 1
        self.steps += 1
        return self.waited >= self.patience

    def restore(self, model: nn.Module) -> None:
        if self.best_state is None:
            raise RuntimeError("no best state yet")
        model.load_state_dict(self.best_state)

    def _improved(self, metric: float) -> bool:
        if math.isnan(metric):
            return False
        if self.best is None:
            return True
        gain = self.best - metric if self.mode == "min" else metric - self.best
        return gain > self.min_delta
