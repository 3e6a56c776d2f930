import torch
from torch.nn.utils import clip_grads_with_norm_, get_total_norm


def clip_gradients(parameters, max_norm, error_if_nonfinite=False):
    params = [p for p in parameters if p.grad is not None]
    norm = get_total_norm([p.grad.float() for p in params]).float()
    if norm.isfinite():
        clip_grads_with_norm_(params, max_norm, norm)
    elif error_if_nonfinite:
        raise RuntimeError("non-finite")
    return norm
