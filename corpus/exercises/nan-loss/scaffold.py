import torch
from torch import nn


class Layer(nn.Module):
    """A linear layer with given weights and a tanh."""

    def __init__(self, weight, bias):
        super().__init__()
        self.weight = nn.Parameter(weight.clone())
        self.bias = nn.Parameter(bias.clone())

    def forward(self, x):
        return torch.tanh(x @ self.weight.T + self.bias)


class Fault(nn.Module):
    """Passes x on; from call number `at` on it puts `bad` into one element. `form` says what it returns."""

    def __init__(self, at, bad, form="tensor"):
        super().__init__()
        self.at, self.bad, self.form, self.calls = at, bad, form, 0

    def forward(self, x):
        self.calls += 1
        if self.calls > self.at:
            spoilt = x.clone()
            spoilt[-1, -1] = self.bad
        else:
            spoilt = x
        if self.form == "tuple":
            return x, (None, spoilt)
        if self.form == "dict":
            return {"steps": 3, "hidden": [x, spoilt]}
        return spoilt


class Block(nn.Module):
    """A child, and after it some arithmetic of its own, which may go wrong."""

    def __init__(self, inner, at=10**9, bad=float("nan")):
        super().__init__()
        self.inner = inner
        self.at, self.bad, self.calls = at, bad, 0

    def forward(self, x):
        self.calls += 1
        x = self.inner(x)
        if isinstance(x, tuple):
            x = x[0]
        if isinstance(x, dict):
            x = x["hidden"][0]
        return x * self.bad if self.calls > self.at else x + 0.25


class Repair(nn.Module):
    def forward(self, x):
        return torch.nan_to_num(x, 0.0, 1.0, -1.0)


class Slope(nn.Module):
    """Values are fine, but from call number `at` on the slope at zero is not."""

    def __init__(self, at):
        super().__init__()
        self.at, self.calls = at, 0

    def forward(self, x):
        self.calls += 1
        return x + (x * 0).abs().sqrt() if self.calls > self.at else x


class Crash(nn.Module):
    def forward(self, x):
        raise ArithmeticError("planted")


class Loss:
    def __init__(self, at=10**9):
        self.at, self.calls = at, 0

    def __call__(self, out, y):
        self.calls += 1
        loss = ((out - y) ** 2).mean()
        return loss + torch.log(loss.detach() * 0) if self.calls > self.at else loss


class Net(nn.Module):
    """Named parts, one after another."""

    def __init__(self, parts):
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, part)
        self.order = list(parts)

    def forward(self, x):
        for name in self.order:
            x = getattr(self, name)(x)
        return x


def chain(*parts):
    return nn.Sequential(*parts)


def sgd(model):
    return torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)


def parameters(model):
    return [p.detach().clone() for p in model.parameters()]


def momenta(model, optimizer):
    return [optimizer.state[p].get("momentum_buffer", torch.zeros_like(p)) for p in model.parameters()]


class Witness:
    """A forward hook of somebody else's."""

    def __init__(self, model):
        self.calls = 0
        for module in model.modules():
            module.register_forward_hook(self.see)

    def see(self, module, args, output):
        self.calls += 1


def hooks(model):
    return sum(len(m._forward_hooks) + len(m._forward_pre_hooks) + len(m._backward_hooks) for m in model.modules())
