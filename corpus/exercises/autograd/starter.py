import torch


class TruncExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        raise NotImplementedError

    @staticmethod
    def backward(ctx, grad):
        raise NotImplementedError


def trunc_exp(x, limit=15.0):
    """__DOC__"""
    return TruncExp.apply(x, limit)
