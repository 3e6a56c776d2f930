from collections.abc import Iterable
from contextlib import contextmanager

import torch


@contextmanager
def record(model: torch.nn.Module, names: Iterable[str] | None = None):
    """__DOC__"""
    raise NotImplementedError
    yield {}
