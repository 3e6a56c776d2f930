import dataclasses

import torch


def move_to(data, device, non_blocking=False):
    """A structure of the same types whose tensors are on `device`."""

    def move(value):
        return move_to(value, device, non_blocking)

    if isinstance(data, torch.Tensor):
        return data.to(device, non_blocking=non_blocking)
    if isinstance(data, dict):
        return type(data)((key, move(value)) for key, value in data.items())
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*map(move, data))
    if isinstance(data, (list, tuple)):
        return type(data)(map(move, data))
    return data
