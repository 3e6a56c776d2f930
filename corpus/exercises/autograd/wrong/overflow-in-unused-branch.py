import math
import torch


class TruncExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.save_for_backward(x)
        ctx.limit = limit
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * torch.where(x < ctx.limit, torch.exp(x), math.exp(ctx.limit)), None


def trunc_exp(x, limit=15.0):
    return TruncExp.apply(x, limit)
