import torch
from torch import nn


class LoRALinear(nn.Module):
    """__DOC__"""

    def __init__(self, base, rank, alpha):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        raise NotImplementedError

    def merge(self):
        raise NotImplementedError


def layer_groups(layers, lr, decay):
    raise NotImplementedError


def warmup(step, warmup_steps, total_steps):
    raise NotImplementedError
