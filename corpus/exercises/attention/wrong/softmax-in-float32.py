import math

import torch
from torch import nn


def attention(q, k, v, mask=None, causal=False):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    seen = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device)
    if causal:
        seen = seen.tril()
    if mask is not None:
        seen = seen & mask
    scores = scores.masked_fill(~seen, -math.inf)
    empty = ~seen.any(-1, keepdim=True)
    weights = scores.masked_fill(empty, 0.0).float().softmax(-1).to(q.dtype).masked_fill(empty, 0.0)
    return weights @ v, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        if dim % heads:
            raise ValueError(f"dim {dim} is not divisible by heads {heads}")
        self.heads = heads
        self.q_proj = nn.Linear(dim, dim)
        self.k_proj = nn.Linear(dim, dim)
        self.v_proj = nn.Linear(dim, dim)
        self.out_proj = nn.Linear(dim, dim)

    def _split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, padding=None, causal=False):
        q, k, v = (self._split(f(x)) for f in (self.q_proj, self.k_proj, self.v_proj))
        mask = None if padding is None else ~padding[:, None, None, :]
        out, _ = attention(q, k, v, mask, causal)
        return self.out_proj(out.transpose(1, 2).flatten(2))
