"""Calls with memory layouts that a caller may well have, and a record of what is called inside."""

from torch.overrides import TorchFunctionMode


def strided(function, q, k, v):
    """function on the same numbers, none of the three inputs contiguous."""
    return function(*(x.transpose(-2, -1).contiguous().transpose(-2, -1) for x in (q, k, v)))


class _Record(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.names.append(getattr(func, "__name__", str(func)))
        return func(*args, **(kwargs or {}))


def called(function, *args):
    """The result, and the names of the torch functions called on the way."""
    with _Record() as record:
        result = function(*args)
    return result, record.names
