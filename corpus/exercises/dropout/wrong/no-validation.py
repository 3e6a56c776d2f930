import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training:
            return x
        if self.p == 1:
            return x * 0
        return x * (torch.rand_like(x) >= self.p) / (1 - self.p)
