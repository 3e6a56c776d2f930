from collections.abc import Iterable
from contextlib import contextmanager

import torch


def copied(value):
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, (tuple, list)):
        return [copied(part) for part in value]
    return value


@contextmanager
def record(model: torch.nn.Module, names: Iterable[str] | None = None):
    modules = dict(model.named_modules())
    wanted = [name for name in modules if name] if names is None else list(names)
    chosen = {name: modules[name] for name in wanted}
    seen = {name: [] for name in chosen}

    def keep(name):
        def hook(module, args, output):
            seen[name].append(copied(output))

        return hook

    handles = [module.register_forward_hook(keep(name)) for name, module in chosen.items()]
    try:
        yield seen
    finally:
        for handle in handles:
            handle.remove()
