import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    """One linear layer from a given weight."""

    def __init__(self, weight):
        super().__init__()
        self.weight = nn.Parameter(weight.clone())

    def forward(self, x):
        return F.linear(x, self.weight)


class ScaledError(nn.Module):
    """Mean squared error times a constant."""

    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, prediction, target):
        return F.mse_loss(prediction, target) * self.factor


def build(weight, rate, momentum=0.0):
    """(model, optimizer)"""
    model = Net(weight)
    return model, torch.optim.SGD(model.parameters(), lr=rate, momentum=momentum)


def scaler(model, **options):
    return torch.amp.GradScaler(model.weight.device.type, **options)


def loss(kind, factor=1.0):
    return nn.CrossEntropyLoss() if kind == "cross_entropy" else ScaledError(factor)


def weight(model):
    return model.weight.detach().clone()


def leave_gradient(model, value):
    model.weight.grad = value.clone()
