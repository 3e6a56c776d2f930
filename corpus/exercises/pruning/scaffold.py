import torch
from torch import nn


class Weights(list):
    """A list of parameters that stays in this process."""


class Trainer:
    """Parameters with given values, an optimizer over them, and steps with given gradients."""

    def __init__(self, values, name, **options):
        self.weights = Weights(nn.Parameter(v.clone()) for v in values)
        self.originals = list(self.weights)
        self.optimizer = getattr(torch.optim, name)(self.originals, **options)

    def put(self, grads):
        for weight, grad in zip(self.originals, grads, strict=True):
            weight.grad = grad.clone()

    def dense_step(self, grads):
        self.put(grads)
        self.optimizer.step()

    def masked_step(self, function, masks, grads):
        self.put(grads)
        function(self.optimizer, self.weights, masks)
        return self.values()

    def masks(self, function, amount, previous=None):
        return function(self.weights, amount, previous) if previous else function(self.weights, amount)

    def apply(self, function, masks):
        function(self.weights, masks)

    def values(self):
        return [weight.detach().clone() for weight in self.originals]

    def listed(self):
        return [weight.detach().clone() for weight in self.weights]
