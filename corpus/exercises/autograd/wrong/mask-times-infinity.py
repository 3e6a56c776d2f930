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
        below = (x < ctx.limit).to(x.dtype)
        cap = torch.exp(torch.full_like(x, ctx.limit))
        return grad * (below * torch.exp(x) + (1 - below) * cap), None


def trunc_exp(x, limit=15.0):
    return TruncExp.apply(x, limit)
