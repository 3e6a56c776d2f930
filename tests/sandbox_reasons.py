"""The reasons that the sandbox's source can give, read from it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import interviewer

SANDBOX = Path(interviewer.__file__).with_name("sandbox")
INTERNAL = {"gone", "not_ready", "", "missing"}
"""Between the sandbox's processes; never in a result."""


def _reasons(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "reason" and isinstance(value, ast.Constant):
                    yield str(value.value)
        elif isinstance(node, ast.keyword) and node.arg == "reason" and isinstance(node.value, ast.Constant):
            yield str(node.value.value)
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_REASONS":
            yield from ast.literal_eval(node.value).values()
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if _name(target) in ("STOPPED", "REFUSED"):
                yield from ast.literal_eval(node.value)
        elif isinstance(node, ast.Call) and _name(node.func) in ("_outcome", "unrunnable", "RunOver", "get"):
            place = 0 if _name(node.func) == "RunOver" else 1
            if (len(node.args) > place and _name(node.func) != "get") or _name(
                getattr(node.func, "value", node)
            ) == "_REASONS":
                yield from _constant(node.args[place])
        elif isinstance(node, ast.FunctionDef) and node.name == "fault_in":
            for inner in ast.walk(node):
                if isinstance(inner, ast.Tuple):
                    yield from _constant(inner.elts[0])


def _name(node: ast.AST) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


def _constant(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


REASONS = {
    reason for path in SANDBOX.glob("*.py") for reason in _reasons(ast.parse(path.read_text(encoding="utf-8")))
} - INTERNAL
