import torch


@torch.no_grad()
def clip_gradients(parameters, max_norm, error_if_nonfinite=False):
    total = torch.zeros(())
    for p in parameters:
        if p.grad is not None:
            total += p.grad.float().square().sum()
    total = total.sqrt()
    if not torch.isfinite(total):
        if error_if_nonfinite:
            raise RuntimeError("non-finite norm")
        return total
    if total > max_norm:
        for p in parameters:
            if p.grad is not None:
                p.grad.mul_(max_norm / total)
    return total
