import torch
from torch import nn


class Classifier(nn.Module):
    """__DOC__"""

    def __init__(self, backbone: nn.Module, features: int, classes: int) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError

    def unfreeze(self, name: str) -> None:
        raise NotImplementedError

    def param_groups(self, lr: float, backbone_lr: float) -> list[dict]:
        raise NotImplementedError
