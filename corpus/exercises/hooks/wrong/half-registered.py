from collections.abc import Iterable
from contextlib import contextmanager

import torch


def copied(value):
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, (tuple, list)):
        return type(value)(copied(part) for part in value)
    return value


@contextmanager
def record(model: torch.nn.Module, names: Iterable[str] | None = None):
    modules = dict(model.named_modules())
    wanted = [name for name in modules if name] if names is None else list(names)
    seen = {name: [] for name in wanted}

    def keep(name):
        def hook(module, args, output):
            seen[name].append(copied(output))

        return hook

    handles = [modules[name].register_forward_hook(keep(name)) for name in wanted]
    try:
        yield seen
    finally:
        for handle in handles:
            handle.remove()
