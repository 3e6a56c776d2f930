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
    order = torch.randperm(len(x))
    x, y = x[order], y[order]
    for part, target in zip(x.split(micro_batch), y.split(micro_batch)):
        loss = loss_fn(model(part), target) * (len(part) / len(x))
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total
