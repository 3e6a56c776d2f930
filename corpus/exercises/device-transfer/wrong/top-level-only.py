import torch


def move_to(data, device, non_blocking=False):
    def move(value):
        return value.to(device, non_blocking=non_blocking) if isinstance(value, torch.Tensor) else value

    if isinstance(data, dict):
        return {key: move(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return type(data)(move(value) for value in data)
    return move(data)
