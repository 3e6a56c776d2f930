"""Which forbidden built-ins ran, noticed where torch dispatches them: by whatever name they were called.

A record kept in the candidate's own process, so hearsay: it helps with code that means no harm. Hostile code undoes it.
Made only for exercises that forbid something. Nothing is blocked or changed.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from .findings import MAX_ROWS, Row

_KERNELS = {
    "scaled_dot_product_attention": r"scaled_dot_product|fused_sdp",
    "multihead_attention": r"multi_head_attention|transform_bias_rescale_qkv",
    "multi_head_attention_forward": r"multi_head_attention",
    "transformer_encoder_layer": r"transformer_encoder_layer",
    "conv": r"convolution",
    "cross_entropy": r"cross_entropy",
}
"""Built-ins whose kernels have other names than they: a pattern that the kernel's name contains."""
_FRAMES = 64
MAX_WATCHED = 8
"""Calls of one function that are watched."""


class Recorder:
    """Remembers which of `forbidden` ran, with the line of `filename` that led there."""

    def __init__(self, forbidden: Sequence[str], filename: str) -> None:
        self._stems = {_stem(name.rpartition(".")[2]): name for name in reversed(forbidden)}
        self._kernels = {re.compile(_KERNELS[stem]): name for stem, name in self._stems.items() if stem in _KERNELS}
        self._filename = filename
        self._seen: dict[Row, None] = {}
        self._watched: Counter[str] = Counter()

    @property
    def rows(self) -> list[Row]:
        return list(self._seen)

    @contextmanager
    def watching(self, what: str = "") -> Iterator[None]:
        """Record what runs inside; not for ever for one `what`, since watching makes every operation slower."""
        self._watched[what] += 1
        if self._watched[what] > MAX_WATCHED:
            yield
            return
        with _Functions(self.note), _Kernels(self.note):
            yield

    def note(self, name: str) -> None:
        """An operation of this name is about to run."""
        if name.endswith("_backward"):
            return  # follows from what ran forward, which has a line
        found = self._stems.get(_stem(name))
        found = found or next((named for pattern, named in self._kernels.items() if pattern.search(name)), None)
        if found is not None and len(self._seen) < MAX_ROWS:
            self._seen[(found, self._line(), "called")] = None

    def _line(self) -> int:
        """The innermost line of the candidate's that is being run; 0 when there is none."""
        frame = sys._getframe()
        for _ in range(_FRAMES):
            if frame.f_code.co_filename == self._filename:
                return frame.f_lineno
            if frame.f_back is None:
                break
            frame = frame.f_back
        return 0


@lru_cache(maxsize=4096)
def _stem(name: str) -> str:
    """A built-in's name without what kernels, in-place variants and classes do to it: LayerNorm and
    native_layer_norm are layer_norm, softmax_ and _softmax are softmax, BatchNorm2d is batch_norm."""
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")
    return re.sub(r"[123]d$", "", plain.removeprefix("native_"))


@lru_cache(maxsize=4096)
def _kernel(func: torch._ops.OpOverload) -> str:
    return str(func._schema.name.rpartition("::")[2])


class _Functions(TorchFunctionMode):
    """Python's names, the outermost call of torch's only."""

    def __init__(self, note: Callable[[str], None]) -> None:
        super().__init__()
        self._note = note

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self._note(str(getattr(func, "__name__", "")))
        return func(*args, **(kwargs or {}))


class _Kernels(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Kernels' names, below autograd."""

    def __init__(self, note: Callable[[str], None]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._note = note

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if isinstance(func, torch._ops.OpOverload):
            self._note(_kernel(func))
        return func(*args, **(kwargs or {}))
