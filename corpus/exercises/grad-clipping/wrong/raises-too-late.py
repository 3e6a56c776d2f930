import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, error_if_nonfinite=False):
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return torch.zeros(())
    total = torch.stack([g.float().norm() for g in grads]).norm()
    finite = torch.isfinite(total)
    if finite and total <= max_norm:
        return total
    if finite or error_if_nonfinite:
        for g in grads:
            g.mul_(max_norm / total)
    if error_if_nonfinite and not finite:
        raise RuntimeError("non-finite norm")
    return total
