import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Watched(nn.Module):
    """A model that notes, for each call, its mode and whether a graph is being recorded."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.calls = []

    def forward(self, x):
        self.calls.append((self.training, torch.is_grad_enabled()))
        return self.inner(x)

    def noted(self):
        return list(self.calls)


class Passes:
    """A loader that counts how often it is iterated, and shows the next variation each time."""

    def __init__(self, epochs):
        self.epochs, self.count = epochs, 0

    def __iter__(self):
        batches = self.epochs[self.count % len(self.epochs)]
        self.count += 1
        return iter(batches)

    def passes(self):
        return self.count


def sgd(model, lr, momentum):
    return torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum)


def adam(model, lr):
    return torch.optim.Adam(model.parameters(), lr=lr)


def soil(model):
    """Leave gradients behind, as earlier work with the model would."""
    for p in model.parameters():
        p.grad = torch.ones_like(p)


def dataloader(x, y, size):
    return DataLoader(TensorDataset(x, y), batch_size=size)
