import torch
from torch import nn


def base_of(weight, bias):
    """A trainable nn.Linear with these weights."""
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None, dtype=weight.dtype)
    layer.load_state_dict({"weight": weight} if bias is None else {"weight": weight, "bias": bias})
    return layer


def kind(layer):
    return type(layer) is nn.Linear, layer.bias is not None


def build(parts):
    """Modules from short descriptions: sizes of a linear layer, 'frozen' in front of them, 'tanh', or 'tied n'."""
    layers = []
    for part in parts:
        if part == "tanh":
            layers.append(nn.Tanh())
        elif part[0] == "tied":
            layer = nn.Linear(*part[2:])
            layer.weight = layers[part[1]].weight
            layers.append(layer)
        elif part[0] == "frozen":
            layers.append(nn.Linear(*part[1:]).requires_grad_(False))
        else:
            layers.append(nn.Linear(*part))
    return layers


def moved(layer_groups, parts, lr, decay):
    """How far one SGD step with gradients of one moves each parameter, layer by layer, and the number of groups."""
    layers = build(parts)
    optimizer = torch.optim.SGD(layer_groups(layers, lr, decay), lr=1000.0)
    before = [[p.detach().clone() for p in layer.parameters()] for layer in layers]
    for layer in layers:
        for p in layer.parameters():
            p.grad = torch.ones_like(p)
    optimizer.step()
    steps = []
    for layer, values in zip(layers, before):
        steps.append([(value - p.detach()).mean().item() for p, value in zip(layer.parameters(), values)])
    return steps, len(optimizer.param_groups)
