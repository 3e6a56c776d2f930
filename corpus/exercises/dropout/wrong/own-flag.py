import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"p must be between 0 and 1, got {p}")
        self.p = p
        self.active = True

    def train(self, mode: bool = True) -> "Dropout":
        if mode:
            self.active = True
        return super().train(mode)

    def eval(self) -> "Dropout":
        self.active = False
        return super().eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.active:
            return x
        if self.p == 1:
            return x * 0
        return x * (torch.rand_like(x) >= self.p) / (1 - self.p)
