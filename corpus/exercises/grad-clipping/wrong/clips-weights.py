import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, error_if_nonfinite=False):
    parameters = list(parameters)
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return torch.zeros(())
    total = torch.stack([g.float().norm() for g in grads]).norm()
    if not torch.isfinite(total):
        if error_if_nonfinite:
            raise RuntimeError("non-finite norm")
        return total
    if total > max_norm:
        for p in parameters:
            p.mul_(max_norm / total)
    return total
