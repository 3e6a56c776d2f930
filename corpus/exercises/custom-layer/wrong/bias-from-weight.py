import math

import torch
from torch import nn


class MyLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        self.bias = nn.Parameter(torch.empty(out_features)) if bias else None
        nn.init.uniform_(self.weight, -1 / math.sqrt(in_features), 1 / math.sqrt(in_features))
        if bias:
            self.bias.data.copy_(self.weight.data[:, 0])

    def forward(self, x):
        rows = x.reshape(math.prod(x.shape[:-1]), x.shape[-1])
        out = rows.mm(self.weight.t())
        if self.bias is not None:
            out = out.add(self.bias)
        return out.reshape(*x.shape[:-1], -1) if out.numel() else out.reshape(*x.shape[:-1], self.weight.shape[0])
