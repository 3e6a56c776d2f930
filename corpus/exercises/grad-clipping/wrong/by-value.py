import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, error_if_nonfinite=False):
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return torch.zeros(())
    total = torch.stack([g.float().norm() for g in grads]).norm()
    if not torch.isfinite(total):
        if error_if_nonfinite:
            raise RuntimeError("non-finite norm")
        return total
    for g in grads:
        g.clamp_(-max_norm, max_norm)
    return total
