import torch
from torch import nn


class EarlyStopper:
    """__DOC__"""

    def __init__(self, patience: int = 3, min_delta: float = 0.0, mode: str = "min") -> None:
        raise NotImplementedError

    def step(self, metric: float | torch.Tensor, model: nn.Module) -> bool:
        raise NotImplementedError

    def restore(self, model: nn.Module) -> None:
        raise NotImplementedError
