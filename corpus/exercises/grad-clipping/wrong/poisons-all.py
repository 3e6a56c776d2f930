import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, error_if_nonfinite=False):
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return torch.zeros(())
    total = torch.stack([g.float().norm() for g in grads]).norm()
    if error_if_nonfinite and not torch.isfinite(total):
        raise RuntimeError("non-finite norm")
    scale = (max_norm / (total + 1e-6)).clamp(max=1.0)
    for g in grads:
        g.mul_(scale)
    return total
