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
