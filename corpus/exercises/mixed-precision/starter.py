from collections.abc import Callable

import torch


def amp_step(
    model: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    scaler: torch.amp.GradScaler | None,
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    x: torch.Tensor,
    y: torch.Tensor,
    dtype: torch.dtype,
    max_norm: float,
) -> tuple[float, float]:
    """__DOC__"""
    raise NotImplementedError
