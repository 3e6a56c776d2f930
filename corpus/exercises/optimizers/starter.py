import torch
from torch.optim import Optimizer


class AdamW(Optimizer):
    """__DOC__"""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2):
        raise NotImplementedError

    def step(self, closure=None):
        raise NotImplementedError
