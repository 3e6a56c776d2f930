import torch
from torch import nn


class Dropout(nn.Module):
    """Inverted dropout: zeroes elements with probability p in training, identity in eval."""

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"p must be between 0 and 1, got {p}")
        self.p = p

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training or self.p == 0.0:
            return x
        keep = 1.0 - self.p
        mask = torch.empty_like(x).bernoulli_(keep)
        if keep > 0.0:
            mask.div_(keep)
        return x * mask
