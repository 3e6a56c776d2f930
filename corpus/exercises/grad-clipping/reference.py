from collections.abc import Iterable

import torch


@torch.no_grad()
def clip_gradients(
    parameters: Iterable[torch.nn.Parameter], max_norm: float, error_if_nonfinite: bool = False
) -> torch.Tensor:
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return torch.zeros(())
    total = torch.linalg.vector_norm(torch.stack([torch.linalg.vector_norm(g.float()) for g in grads]))
    if not torch.isfinite(total):
        if error_if_nonfinite:
            raise RuntimeError(f"the norm of the gradients is {total.item()}")
        return total
    if total > max_norm:
        for g in grads:
            g.mul_(max_norm / total)
    return total
