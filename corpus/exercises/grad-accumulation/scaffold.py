import torch
from torch import nn


class Net(nn.Module):
    """A small network from given weights that writes down each forward and the backward that passes through it."""

    def __init__(self, weights):
        super().__init__()
        first, bias, second = weights
        self.first = nn.Parameter(first.clone())
        self.bias = nn.Parameter(bias.clone())
        self.second = nn.Parameter(second.clone())
        self.events = []

    def forward(self, x):
        self.events.append(["forward", len(x)])
        out = torch.tanh(x @ self.first.T + self.bias) @ self.second.T
        if out.requires_grad:
            size = len(x)
            out.register_hook(lambda _: self.events.append(["backward", size]))
        return out


def build(weights, rate, momentum):
    """(model, optimizer)"""
    model = Net(weights)
    return model, torch.optim.SGD(model.parameters(), lr=rate, momentum=momentum)


def weights(model):
    return [p.detach().clone() for p in model.parameters()]


def leave_gradients(model, values):
    for p, value in zip(model.parameters(), values):
        p.grad = value.clone()


def events(model):
    return [list(event) for event in model.events]


def loss(kind):
    return {"mse": nn.MSELoss, "cross_entropy": nn.CrossEntropyLoss, "smooth": nn.SmoothL1Loss}[kind]()
