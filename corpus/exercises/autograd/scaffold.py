"""Small graphs around a function of one tensor and a limit."""

import torch


def _leaf(x):
    return x.detach().clone().requires_grad_(True)


def transposed(function, x, limit, grad):
    """The output and the gradient for x.t(), which is not contiguous."""
    leaf = _leaf(x)
    out = function(leaf.t(), limit)
    out.backward(grad.t())
    return out.detach(), leaf.grad


def residual(function, x, limit, grad):
    """The gradient of function(x) + x."""
    leaf = _leaf(x)
    (function(leaf, limit) + leaf).backward(grad.clone())
    return leaf.grad


def interleaved(function, first, second, limits):
    """The gradients of two calls whose backward passes run in the order of the calls."""
    a, b = _leaf(first), _leaf(second)
    out_a = function(a, limits[0])
    out_b = function(b, limits[1])
    out_a.sum().backward()
    out_b.sum().backward()
    return a.grad, b.grad


def input_changed(function, x, limit, grad):
    """The gradient when the input is changed in place after forward."""
    leaf = _leaf(x)
    inner = leaf * 1
    out = function(inner, limit)
    inner.add_(1)
    out.backward(grad)
    return leaf.grad


def output_doubled(function, x, limit, grad):
    """The gradient when the output is doubled in place after forward."""
    leaf = _leaf(x)
    out = function(leaf, limit)
    out.mul_(2)
    out.backward(grad)
    return leaf.grad


def made_by(function, x, limit, name):
    """Whether a node of this name is in the graph of the output."""
    waiting, seen = [function(_leaf(x), limit).grad_fn], set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if type(node).__name__ == name:
            return True
        waiting += [parent for parent, _ in node.next_functions]
    return False
