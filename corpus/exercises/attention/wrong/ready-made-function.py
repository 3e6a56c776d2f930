import torch
from torch import nn
import torch.nn.functional as F


def attention(q, k, v, mask=None, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    m = torch.ones(L, S, dtype=torch.bool)
    if causal:
        m = m.tril()
    if mask is not None:
        m = m & mask
    m = m.expand(*q.shape[:-2], L, S)
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=m)
    w = F.scaled_dot_product_attention(q, k, torch.eye(S, dtype=q.dtype).expand(*q.shape[:-2], S, S), attn_mask=m)
    return out, w


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
