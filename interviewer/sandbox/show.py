"""What a visible run shows besides its prints: the last line's value and the figures. In the candidate's process."""

from __future__ import annotations

import ast
import io
import os
import stat
import sys
import types
from typing import Any

import torch

from .pictures import MAX_BYTES, MAX_PICTURES, MAX_SIDE, NotAPicture, checked

ANNOTATIONS = annotations.compiler_flag
MAX_VALUE = 20_000
"""Characters of a value's text."""
MAX_FACTS = 8
_DPI = (100, 60, 40)
"""Tried in turn until a figure is small enough."""


def run_script(source: str, filename: str, module: types.ModuleType) -> str:
    """Run a script; the text of its last line's value where that is an expression, else "". None has no text."""
    tree = ast.parse(source, filename)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr) or (len(tree.body) == 1 and isinstance(last.value, ast.Constant)):
        exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)  # noqa: S102  what this is for
        return ""
    tree.body.pop()
    body = compile(tree, filename, "exec", dont_inherit=True)
    flags = body.co_flags & ANNOTATIONS
    ending = compile(ast.Expression(last.value), filename, "eval", flags, dont_inherit=True)
    exec(body, module.__dict__)  # noqa: S102
    return described(eval(ending, module.__dict__))  # noqa: S307


def described(value: Any) -> str:
    """repr, and for each tensor in it a line of shape, dtype and device."""
    if value is None:
        return ""
    text = repr(value)
    if len(text) > MAX_VALUE:
        text = f"{text[:MAX_VALUE]}... [cut here]"
    return "\n".join([text, *facts(value)])


def facts(value: Any) -> list[str]:
    """The lines about a tensor, or about the first tensors of a container."""
    if isinstance(value, torch.Tensor):
        return [f"# {_facts(value)}"]
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list | tuple):
        items = list(enumerate(value))
    tensors = [(key, item) for key, item in items if isinstance(item, torch.Tensor)]
    lines = [f"# [{key!r:.60}] {_facts(item)}" for key, item in tensors[:MAX_FACTS]]
    return lines + (["# ..."] if len(tensors) > MAX_FACTS else [])


def _facts(tensor: torch.Tensor) -> str:
    grad = ", requires grad" if tensor.requires_grad else ""
    dtype = str(tensor.dtype).removeprefix("torch.")
    return f"shape {tuple(tensor.shape)}, dtype {dtype}, device {tensor.device}{grad}"


def figures() -> list[bytes]:
    """The figures left open, then PNG files in the working folder, as far as both are small enough."""
    found: list[bytes] = []
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        for number in pyplot.get_fignums()[:MAX_PICTURES]:
            found += _drawn(pyplot.figure(number))
    for path in _files():
        if path.endswith(".png") and len(found) < MAX_PICTURES:
            found += _saved(path)
    return list(dict.fromkeys(found))  # a figure that was saved and left open is one picture


def _files() -> list[str]:
    try:
        return sorted(os.listdir("."))[:1000]
    except OSError:
        return []  # no folder of its own


def _drawn(figure: Any) -> list[bytes]:
    for dpi in _DPI:
        if max(figure.get_size_inches()) * dpi > MAX_SIDE:
            continue
        target = io.BytesIO()
        figure.savefig(target, format="png", dpi=dpi)
        try:
            return [checked(target.getvalue())]
        except NotAPicture:
            continue
    print("[a figure was too large to show]")
    return []


def _saved(path: str) -> list[bytes]:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return []
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return []
        return [checked(os.read(fd, MAX_BYTES + 1))]
    except (NotAPicture, OSError):
        print(f"[{path[:60]} is no picture that can be shown]")
        return []
    finally:
        os.close(fd)
