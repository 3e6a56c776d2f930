from torch.overrides import TorchFunctionMode


class _Record(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.names.append(getattr(func, "__name__", str(func)))
        return func(*args, **(kwargs or {}))


def called(function, logits, target, label_smoothing):
    """Names of the torch functions that function(logits, target, label_smoothing) calls."""
    with _Record() as record:
        function(logits, target, label_smoothing)
    return record.names
