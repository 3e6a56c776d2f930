from collections.abc import Callable

import torch


def accumulated_step(
    model: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    x: torch.Tensor,
    y: torch.Tensor,
    micro_batch: int,
) -> float:
    optimizer.zero_grad()
    total = 0.0
    count = -(-len(x) // micro_batch)
    for part, target in zip(x.chunk(count), y.chunk(count)):
        loss = loss_fn(model(part), target) * (len(part) / len(x))
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total
