import torch
from torch import nn


class Checkpoint(nn.Module):
    """__DOC__"""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError
