from collections.abc import Callable, Iterable

import torch


def finite(value: object) -> bool:
    if isinstance(value, torch.Tensor):
        return bool(torch.isfinite(value).all())
    if isinstance(value, dict):
        return all(finite(part) for part in value.values())
    if isinstance(value, (tuple, list)):
        return all(finite(part) for part in value)
    return True


def train(
    model: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    loss_fn: Callable[[object, torch.Tensor], torch.Tensor],
    batches: Iterable[tuple[torch.Tensor, torch.Tensor]],
) -> tuple[int, str] | None:
    found: list[str] = []

    def watch(name: str):
        def hook(module, args, output):
            if not found and not finite(output):
                found.append(name)

        return hook

    handles = [module.register_forward_hook(watch(name)) for name, module in model.named_modules()]
    try:
        for i, (x, y) in enumerate(batches):
            if not finite(x):
                return i, "input"
            loss = loss_fn(model(x), y)
            if found:
                return i, found[0]
            if not finite(loss):
                return i, "loss"
            optimizer.zero_grad()
            loss.backward()
            if not all(finite(p.grad.norm()) for p in model.parameters() if p.grad is not None):
                return i, "backward"
            optimizer.step()
    finally:
        for handle in handles:
            handle.remove()
    return None
