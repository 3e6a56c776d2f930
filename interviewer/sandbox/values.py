"""Between torch's values and the wire's: the only file of the sandbox that touches tensor memory."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import torch

from .protocol import ITEM_SIZE, MAX_BLOB, MAX_DEPTH, DeviceName, DTypeName, RawTensor, Ref, Unsendable, WireError

_DTYPES = {name: getattr(torch, name) for name in ITEM_SIZE}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))


def is_data(tensor: torch.Tensor) -> bool:
    """Whether a tensor travels by value: dense, on the CPU, of a known dtype, and no subclass but nn.Parameter."""
    return (
        type(tensor) in (torch.Tensor, torch.nn.Parameter)
        and tensor.layout is torch.strided
        and tensor.device.type == "cpu"
        and tensor.dtype in _NAMES
    )


def raw(tensor: torch.Tensor) -> RawTensor:
    """The tensor's numbers, copied."""
    if tensor.numel() * tensor.element_size() > MAX_BLOB:
        raise Unsendable(f"a tensor of more than {MAX_BLOB >> 20} MB")
    dense = tensor.detach().resolve_conj().resolve_neg().contiguous()
    size = dense.numel() * dense.element_size()
    data = ctypes.string_at(dense.data_ptr(), size) if size else b""
    return RawTensor(_NAMES[dense.dtype], tuple(dense.shape), data)


def tensor(value: RawTensor) -> torch.Tensor:
    """A tensor over the bytes of `value`, sharing their memory where that is writable."""
    dtype = _DTYPES[value.dtype]
    if not len(value.data):
        return torch.empty(value.shape, dtype=dtype)
    if dtype is torch.bool:
        return (torch.frombuffer(value.data, dtype=torch.uint8) != 0).reshape(value.shape)
    return torch.frombuffer(value.data, dtype=dtype).reshape(value.shape)


def lower(value: Any, keep: Callable[[Any], Ref], depth: int = 0) -> Any:
    """A value as the wire carries it. Whatever is not data goes to `keep`, which gives a reference for it."""
    if depth > MAX_DEPTH:
        raise Unsendable(f"nested deeper than {MAX_DEPTH}")
    kind = type(value)
    if kind in (list, tuple):
        return kind(lower(v, keep, depth + 1) for v in value)
    if kind is dict:
        return {lower(k, keep, depth + 1): lower(v, keep, depth + 1) for k, v in value.items()}
    if kind is slice:
        return slice(*(lower(v, keep, depth + 1) for v in (value.start, value.stop, value.step)))
    if kind in _PLAIN and not (kind is str and any("\ud800" <= c <= "\udfff" for c in value)):
        return value
    found = _torch_value(value)
    return keep(value) if found is None else found


def _torch_value(value: Any) -> Any:
    """A value of torch's own as the wire carries it, or None if it is none."""
    kind = type(value)
    if kind is torch.Size:
        return tuple(int(n) for n in value)
    if kind is torch.dtype and value in _NAMES:
        return DTypeName(_NAMES[value])
    if kind is torch.device:
        return DeviceName(str(value))
    if isinstance(value, torch.Tensor) and is_data(value):
        return raw(value)
    return None


def lift(value: Any, find: Callable[[Ref], Any]) -> Any:
    """A decoded value as torch's own; references go to `find`."""
    kind = type(value)
    if kind is RawTensor:
        return tensor(value)
    if kind in (list, tuple):
        return kind(lift(v, find) for v in value)
    if kind is dict:
        try:
            return {lift(k, find): lift(v, find) for k, v in value.items()}
        except TypeError:
            raise WireError("an unhashable key") from None
    if kind is slice:
        return slice(*(lift(v, find) for v in (value.start, value.stop, value.step)))
    if kind is DTypeName:
        return _DTYPES[value.name]
    if kind is DeviceName:
        try:
            return torch.device(value.name)
        except RuntimeError:
            raise WireError("unknown device") from None
    if kind is Ref:
        return find(value)
    return value
