import torch
from torch import nn


def attention(q, k, v, mask=None, causal=False):
    """__DOC__"""
    raise NotImplementedError


class MultiHeadAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, padding=None, causal=False):
        raise NotImplementedError
