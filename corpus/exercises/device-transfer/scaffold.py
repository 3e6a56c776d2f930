from collections import OrderedDict, namedtuple
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

Pair = namedtuple("Pair", ["inputs", "labels"])


@dataclass
class Sample:
    image: Any
    boxes: Any
    name: str


@dataclass(frozen=True)
class FrozenSample:
    image: Any
    extra: Any


def items(value):
    """(label, item) for a container, None for anything else."""
    if isinstance(value, dict):
        return [(f"[{key!r}]", item) for key, item in value.items()]
    if hasattr(value, "_fields"):
        return [(f".{name}", getattr(value, name)) for name in value._fields]
    if isinstance(value, (list, tuple)):
        return [(f"[{i}]", item) for i, item in enumerate(value)]
    if is_dataclass(value):
        return [(f".{field.name}", getattr(value, field.name)) for field in fields(value)]
    return None


def describe(value, path="data"):
    """One row for each container and leaf of a structure: path, type and, for a tensor, what it is like."""
    if isinstance(value, torch.Tensor):
        numbers = value.detach() if value.device.type == "cpu" else None
        return [[path, "tensor", value.device.type, value.dtype, tuple(value.shape), numbers]]
    inside = items(value)
    if inside is None:
        return [[path, type(value).__name__, value]]
    rows = [[path, type(value).__name__, len(inside)]]
    for label, item in inside:
        rows += describe(item, path + label)
    return rows


def moved(move, value, device):
    """describe(move(value, device))"""
    return describe(move(value, device))


def ordered(pairs):
    return OrderedDict(pairs)


def pair(inputs, labels):
    return Pair(inputs, labels)


def sample(image, boxes, name):
    return Sample(image, boxes, name)


def frozen(image, extra):
    return FrozenSample(image, extra)


def tensors(value):
    """The tensors of a structure, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    return [tensor for _, item in items(value) or [] for tensor in tensors(item)]


def move_then_write(move, value, device, number):
    """Move a structure, then fill the tensors of the original with `number`. What the result's tensors hold then."""
    result = move(value, device)
    for tensor in tensors(value):
        tensor.fill_(number)
    return [tensor.clone() for tensor in tensors(result)]


def through(move, x, scale):
    """x inside a structure, moved, and used: for gradients."""
    batch = move({"inputs": [x, (x * 2,)], "step": 3}, "cpu")
    first, (second,) = batch["inputs"]
    return first * scale + second * second


class _Flags(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.seen.append(any(value is True for value in (*args, *(kwargs or {}).values())))
        return func(*args, **(kwargs or {}))


def passes_true(move, value, device, non_blocking):
    """Whether move hands a True on to torch."""
    with _Flags() as flags:
        move(value, device, non_blocking=non_blocking)
    return any(flags.seen)
