import torch
from torch import nn


class Stage(nn.Module):
    """tanh(x W' + b) on its own stand-in device; notes which calls it gets."""

    def __init__(self, run, index, weight, bias):
        super().__init__()
        self.weight, self.bias = nn.Parameter(weight.clone()), nn.Parameter(bias.clone())
        self.index, self.machine = index, [run]

    def forward(self, x):
        run = self.machine[0]
        run.require(x, self.index, f"the input of stage {self.index}")
        run.log.append((self.index, len(x)))
        out = torch.tanh(x @ self.weight.t() + self.bias)
        run.place(out, self.index)
        return out


class Machine:
    """Stand-in devices 0, 1, ... and a host. A tensor is where `transfer` or a stage has put its memory."""

    def __init__(self, weights, biases, strict=True):
        self.strict, self.log, self.places, self.kept = strict, [], {}, []
        self.stages = [Stage(self, i, w, b) for i, (w, b) in enumerate(zip(weights, biases, strict=True))]

    def place(self, tensor, where):
        self.places[tensor.untyped_storage().data_ptr()] = where
        self.kept.append(tensor)

    def require(self, tensor, where, what):
        found = self.places.get(tensor.untyped_storage().data_ptr(), where)
        if self.strict and found != where:
            raise RuntimeError(f"Expected all tensors to be on the same device: {what} is on {found}, expected {where}")

    def transfer(self, tensor, where):
        if not 0 <= where < len(self.stages):
            raise RuntimeError(f"there is no device {where}")
        out = tensor.clone()
        self.place(out, where)
        return out

    def loss(self, out, target):
        last = len(self.stages) - 1
        self.require(out, last, "the output at the loss")
        self.require(target, last, "the target at the loss")
        return (out - target).square().mean()

    def step(self, function, x, target, chunks):
        self.log.clear()
        self.place(x, "the host")
        self.place(target, "the host")
        return function(self.stages, self.loss, x, target, chunks, self.transfer)

    def gradients(self):
        return [[p.grad for p in (s.weight, s.bias)] for s in self.stages]

    def values(self):
        return [[p.detach().clone() for p in (s.weight, s.bias)] for s in self.stages]
