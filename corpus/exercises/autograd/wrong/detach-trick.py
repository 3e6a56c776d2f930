import math

import torch


def trunc_exp(x, limit=15.0):
    cap = math.exp(limit)
    below = torch.exp(x.clamp(max=limit))
    above = cap * (x - limit + 1)
    surrogate = torch.where(x < limit, below, above)
    return surrogate + (torch.exp(x) - surrogate).detach()
