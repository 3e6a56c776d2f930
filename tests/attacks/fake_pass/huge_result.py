"""A result far over the cap."""
import torch


def softmax(x, dim):
    return torch.zeros((1 << 26) + 1)
