import copy
from collections.abc import Callable

import torch

Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def gradient_report(model: torch.nn.Module, loss_fn: Loss, x: torch.Tensor, y: torch.Tensor) -> dict[str, str]:
    probe = copy.deepcopy(model)
    trained = {name: p for name, p in probe.named_parameters() if p.requires_grad}
    loss = loss_fn(probe(x), y)
    if not loss.requires_grad:
        return dict.fromkeys(trained, "missing")
    report = {}
    for name, grad in zip(trained, torch.autograd.grad(loss, list(trained.values()), allow_unused=True)):
        if grad is None:
            report[name] = "missing"
        elif not grad.isfinite().all():
            report[name] = "nonfinite"
        elif (grad == 0).all():
            report[name] = "zero"
    return report


def overfits(
    model: torch.nn.Module, loss_fn: Loss, x: torch.Tensor, y: torch.Tensor, steps: int, lr: float, target: float
) -> bool:
    student = copy.deepcopy(model)
    optimizer = torch.optim.Adam(student.parameters(), lr=lr)
    for step in range(steps + 1):
        loss = loss_fn(student(x), y)
        if loss.item() < target:
            return True
        if step == steps or not loss.requires_grad:
            break
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return False
