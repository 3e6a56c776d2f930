from collections.abc import Callable, Sequence

import torch
from torch import nn


def schedule(stages: int, chunks: int) -> list[list[tuple[int, int]]]:
    """__DOC__"""
    raise NotImplementedError


def pipeline_step(
    stages: Sequence[nn.Module],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    x: torch.Tensor,
    target: torch.Tensor,
    chunks: int,
    transfer: Callable[[torch.Tensor, int], torch.Tensor],
) -> torch.Tensor:
    raise NotImplementedError
