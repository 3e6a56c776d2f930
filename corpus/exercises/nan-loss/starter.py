from collections.abc import Callable, Iterable

import torch


def train(
    model: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    loss_fn: Callable[[object, torch.Tensor], torch.Tensor],
    batches: Iterable[tuple[torch.Tensor, torch.Tensor]],
) -> tuple[int, str] | None:
    """__DOC__"""
    raise NotImplementedError
