import random

import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"p must be between 0 and 1, got {p}")
        self.p = p

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training or self.p == 0:
            return x
        if self.p == 1:
            return x * 0
        kept = [random.random() >= self.p for _ in range(x.numel())]
        mask = torch.tensor(kept, dtype=x.dtype).reshape(x.shape)
        return x * mask / (1 - self.p)
