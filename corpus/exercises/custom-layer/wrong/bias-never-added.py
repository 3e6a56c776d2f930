import math

import torch
from torch import nn


class MyLinear(nn.Module):
    """y = x @ weight.T + bias over the last dimension of x."""

    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = nn.Parameter(torch.empty(out_features, in_features))
        if bias:
            self.bias = nn.Parameter(torch.empty(out_features))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.in_features)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -bound, bound)

    def forward(self, x):
        return x @ self.weight.T

    def extra_repr(self):
        return f"{self.in_features}, {self.out_features}, bias={self.bias is not None}"
