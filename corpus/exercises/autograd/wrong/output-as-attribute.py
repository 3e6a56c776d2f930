import math

import torch


class TruncExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.y = torch.exp(x)
        ctx.cap = math.exp(limit)
        return ctx.y

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.y.clamp(max=ctx.cap), None


def trunc_exp(x, limit=15.0):
    return TruncExp.apply(x, limit)
