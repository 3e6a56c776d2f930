from collections.abc import Callable, Sequence

import torch
from torch import nn


def schedule(stages: int, chunks: int) -> list[list[tuple[int, int]]]:
    """For each clock tick the pairs (stage, micro-batch) that run at the same time."""
    return [[(s, tick - s) for s in range(stages) if 0 <= tick - s < chunks] for tick in range(stages + chunks - 1)]


def pipeline_step(
    stages: Sequence[nn.Module],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    x: torch.Tensor,
    target: torch.Tensor,
    chunks: int,
    transfer: Callable[[torch.Tensor, int], torch.Tensor],
) -> torch.Tensor:
    held = list(x.tensor_split(chunks))
    targets = target.split([len(part) for part in held])
    for tick in schedule(len(stages), len(held)):
        for stage, i in tick:
            held[i] = stages[stage](transfer(held[i], stage))
    total = torch.zeros(())
    for out, part in zip(held, targets, strict=True):
        loss = loss_fn(out, transfer(part, len(stages) - 1)) * (len(part) / len(target))
        loss.backward()
        total += loss.detach().cpu()
    return total
