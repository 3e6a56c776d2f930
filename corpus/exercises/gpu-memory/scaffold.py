import torch
from torch import nn


class Block(nn.Module):
    """Two layers from given weights, with wide activations in between; counts its calls."""

    def __init__(self, first, second, frozen=False):
        super().__init__()
        self.first = nn.Parameter(first.clone(), requires_grad=not frozen)
        self.second = nn.Parameter(second.clone())
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        hidden = torch.tanh(x @ self.first)
        return torch.sigmoid(hidden * hidden.exp()) @ self.second


class Lookup(nn.Module):
    """Integers in, floats out."""

    def __init__(self, weight):
        super().__init__()
        self.weight = nn.Parameter(weight.clone())

    def forward(self, index):
        return torch.sin(self.weight[index]).exp()


class Mix(nn.Module):
    """Three inputs, of which the last may be integers."""

    def __init__(self, weight):
        super().__init__()
        self.weight = nn.Parameter(weight.clone())

    def forward(self, a, b, mask):
        return torch.tanh(a @ self.weight) * b.exp() * mask


class Noise(nn.Module):
    def forward(self, x):
        return torch.dropout(x, 0.5, True) * 3 + torch.rand_like(x) * x


def chain(*parts):
    return nn.Sequential(*parts)


def leaves(tensors, grad=True):
    return [t.clone().requires_grad_(grad and t.is_floating_point()) for t in tensors]


def saved(module, *inputs):
    """(output, number of elements that autograd keeps for the backward, parameters apart)"""
    known = {p.untyped_storage().data_ptr() for p in module.parameters()}
    sizes = []

    def pack(t):
        if t.untyped_storage().data_ptr() not in known:
            sizes.append(t.numel())
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        out = module(*leaves(inputs))
    return out.detach(), sum(sizes)


def backward(module, inputs, cotangents, grad=True):
    """One forward and backward for each cotangent; gradients of inputs and parameters, as left in .grad."""
    xs = leaves(inputs, grad)
    for cotangent in cotangents:
        module(*xs).backward(cotangent)
    return [x.grad for x in xs], {n: p.grad for n, p in module.named_parameters()}


def without_grad(module, *inputs):
    with torch.no_grad():
        return module(*inputs)


def random_run(module, seed):
    """(output, gradient, random numbers drawn between forward and backward, and after it), on the CPU"""
    torch.manual_seed(seed)
    leaf = (torch.rand(8, 9, dtype=torch.float64, device="cpu") + 0.5).requires_grad_()
    out = module(leaf)
    between = torch.rand(4, device="cpu")
    out.sum().backward()
    return out.detach(), leaf.grad, between, torch.rand(4, device="cpu")
