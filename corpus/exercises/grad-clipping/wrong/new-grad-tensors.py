import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, error_if_nonfinite=False):
    parameters = [p for p in parameters if p.grad is not None]
    if not parameters:
        return torch.zeros(())
    total = torch.stack([p.grad.float().norm() for p in parameters]).norm()
    if not torch.isfinite(total):
        if error_if_nonfinite:
            raise RuntimeError("non-finite norm")
        return total
    if total > max_norm:
        for p in parameters:
            p.grad = (p.grad * (max_norm / total)).to(p.dtype)
    return total
