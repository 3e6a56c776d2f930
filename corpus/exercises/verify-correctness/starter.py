from collections.abc import Callable

import torch

Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def gradient_report(model: torch.nn.Module, loss_fn: Loss, x: torch.Tensor, y: torch.Tensor) -> dict[str, str]:
    """__DOC__"""
    raise NotImplementedError


def overfits(
    model: torch.nn.Module, loss_fn: Loss, x: torch.Tensor, y: torch.Tensor, steps: int, lr: float, target: float
) -> bool:
    raise NotImplementedError
