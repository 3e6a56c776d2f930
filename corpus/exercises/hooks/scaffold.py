import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = nn.Parameter(weight.clone())

    def forward(self, x):
        return x @ self.weight.T


class Cell(nn.Module):
    """Returns a tuple, as recurrent layers do."""

    def forward(self, x):
        return x.cumsum(0), (x * 2, x - 1)


class Net(nn.Module):
    """stem, then body (a chain with an in-place ReLU), then the same head twice; `spare` is never called."""

    def __init__(self, stem, inner, head):
        super().__init__()
        self.stem = Layer(stem)
        self.body = nn.Sequential(Layer(inner), nn.ReLU(inplace=True))
        self.head = Layer(head)
        self.spare = Layer(head)

    def forward(self, x):
        if x.isnan().any():
            raise ArithmeticError("planted")
        x = self.body(self.stem(x))
        x = self.head(x)
        if x.isinf().any():
            raise ArithmeticError("planted")
        return self.head(x)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = Cell()

    def forward(self, x):
        return self.cell(x)[0]


def run(manager, model, inputs):
    """What was recorded while the model saw the inputs, looked at after the with block."""
    with manager as seen:
        for x in inputs:
            model(x)
    return dict(seen)


def run_then(manager, model, inside, outside):
    with manager as seen:
        model(inside)
    model(outside)
    return dict(seen)


def gradients(manager, model, x, cotangent):
    """(output, gradients of the parameters, whether a record hangs on the graph), all taken inside the block"""
    with manager as seen:
        out = model(x)
        out.backward(cotangent)
    hanging = any(part.requires_grad for parts in seen.values() for part in parts)
    return out.detach(), {n: p.grad for n, p in model.named_parameters()}, hanging


def crash(manager, model, x):
    """The type of the exception that left the with block, and what was seen before."""
    seen = {}
    try:
        with manager as seen:
            model(x)
            model(x * float("nan"))
    except ArithmeticError as error:
        return type(error).__name__, dict(seen)
    return "nothing", dict(seen)


def crash_between(manager, model, x):
    try:
        with manager:
            raise LookupError("between")
    except LookupError as error:
        return type(error).__name__
    return "nothing"


def nested(first, second, model, x):
    with first as outer:
        model(x)
        with second as inner:
            model(x)
        model(x)
    return dict(outer), dict(inner)


class Witness:
    """A forward hook of somebody else's on every module."""

    def __init__(self, model):
        self.calls = 0
        for module in model.modules():
            module.register_forward_hook(self.see)

    def see(self, module, args, output):
        self.calls += 1


def hooks(model):
    return sum(len(m._forward_hooks) + len(m._forward_pre_hooks) for m in model.modules())
