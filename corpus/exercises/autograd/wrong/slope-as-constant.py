import torch


class TruncExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.slope = torch.exp(x.clamp(max=limit))
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.slope, None


def trunc_exp(x, limit=15.0):
    return TruncExp.apply(x, limit)
