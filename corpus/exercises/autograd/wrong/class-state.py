import torch


class TruncExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        TruncExp.x, TruncExp.limit = x, limit
        return torch.exp(x)

    @staticmethod
    def backward(ctx, grad):
        return grad * torch.exp(TruncExp.x.clamp(max=TruncExp.limit)), None


def trunc_exp(x, limit=15.0):
    return TruncExp.apply(x, limit)
