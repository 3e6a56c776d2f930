from torch import nn
from torch.overrides import TorchFunctionMode


class _Record(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.names.append(getattr(func, "__name__", str(func)))
        return func(*args, **(kwargs or {}))


def called(layer, x):
    """Names of the torch functions that layer(x) calls."""
    with _Record() as record:
        layer(x)
    return record.names


def built_in_parts(layer):
    """Names of built-in linear layers that the layer is or contains."""
    return [type(m).__name__ for m in layer.modules() if isinstance(m, (nn.Linear, nn.Bilinear, nn.Conv1d))]


def on_transposed(layer, x):
    """layer applied to a non-contiguous view: the first two dimensions of x swapped."""
    return layer(x.transpose(0, 1))
