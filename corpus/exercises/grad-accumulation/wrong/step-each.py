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
    for part, target in zip(x.split(micro_batch), y.split(micro_batch)):
        loss = loss_fn(model(part), target) * (len(part) / len(x))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += loss.item()
    return total
