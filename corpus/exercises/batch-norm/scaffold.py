import torch


def train_then_eval(layer, first, second, cotangent):
    """A training step on `first` with backward, then an evaluation pass on `second`: (output, gradient of second)."""
    layer.train()
    layer(first.clone().requires_grad_()).sum().backward()
    layer.eval()
    leaf = second.clone().requires_grad_()
    out = layer(leaf)
    (out * cotangent).sum().backward()
    return out.detach(), leaf.grad
