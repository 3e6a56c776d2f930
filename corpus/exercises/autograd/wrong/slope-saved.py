import torch


class TruncExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.save_for_backward(torch.exp(x.clamp(max=limit)))
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad):
        (slope,) = ctx.saved_tensors
        return grad * slope, None


def trunc_exp(x, limit=15.0):
    return TruncExp.apply(x, limit)
