import torch


class TruncExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.save_for_backward(x)
        ctx.limit = limit
        return torch.exp(x.float())

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return (grad * torch.exp(x.float().clamp(max=ctx.limit))).to(x.dtype), None


def trunc_exp(x, limit=15.0):
    return TruncExp.apply(x, limit)
