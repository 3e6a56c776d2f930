import torch
from torch import nn


class Dropout(nn.Module):
    """__DOC__"""

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError
