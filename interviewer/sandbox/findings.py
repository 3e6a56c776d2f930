"""Which forbidden built-ins a source text uses, found by reading it. Runs nothing.

Names are followed through `import ... as`, `from ... import ... as`, assignments, default arguments, `getattr` and
`import_module` with constant names. What this finds it finds for certain to be written there, for shadowed names apart;
what it does not: names built at run time, `exec`, the same formula by other means. So it is a finding for the
interviewer, who can ask about the line, and no verdict.

It runs in the candidate's process before any of their code does: a source that breaks the parser breaks only that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

Row = tuple[str, int, str]
"""(built-in as the exercise names it, line, how)."""

HOW = ("import", "name", "alias", "getattr", "method", "called")
MAX_ROWS = 50
_PASSES = 4
"""How long a chain of assignments is followed."""


def scan(source: str, forbidden: Sequence[str], filename: str = "<source>") -> list[Row]:
    """Every use, in the order of lines. Raises SyntaxError as the compiler would."""
    tree = ast.parse(source, filename)
    names = _Names(tree, forbidden)
    rows = {row for node in ast.walk(tree) for row in _uses(node, names, forbidden)}
    return sorted(rows, key=lambda row: (row[1], row[0], row[2]))[:MAX_ROWS]


def _uses(node: ast.AST, names: _Names, forbidden: Sequence[str]) -> Iterator[Row]:
    line = getattr(node, "lineno", 0)
    if isinstance(node, ast.ImportFrom):
        for alias in node.names:
            for name in forbidden:
                if alias.name != "*" and same(f"{node.module}.{alias.name}", name):
                    yield name, line, "import"
    elif isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        path = names.path(node)
        for name in forbidden:
            if path is not None and same(path, name):
                yield name, line, _how(node, path)
            elif path is None and isinstance(node, ast.Attribute) and names.is_method(node, name):
                yield name, line, "method"
            elif path is None and isinstance(node, ast.Call) and _gets(node, name):
                yield name, line, "getattr"


def _how(node: ast.AST, path: str) -> str:
    if isinstance(node, ast.Call):
        return "getattr"
    return "name" if ast.unparse(node) == path else "alias"


def _gets(node: ast.Call, name: str) -> bool:
    """getattr(<anything>, "<the built-in's last name>")."""
    got = isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) > 1
    return got and _text(node.args[1]) == name.rpartition(".")[2]


def same(path: str, forbidden: str) -> bool:
    """Whether a dotted path is the forbidden built-in, or torch's same function under another of its names.

    torch.softmax, torch.nn.functional.softmax, torch.special.softmax and torch.ops.aten.softmax.int are one; a class
    (torch.nn.Softmax) is only itself, reached by any path.
    """
    parts, last = path.split("."), forbidden.rpartition(".")[2]
    if parts[0] != "torch":
        return False
    if parts[-1] in ("default", "apply", "__call__", "forward") and len(parts) > 2:
        parts = parts[:-1]
    return parts[-1].strip("_") == last.strip("_")


class _Names:
    """What the names of a source stand for, as dotted paths. Scopes are not told apart."""

    def __init__(self, tree: ast.Module, forbidden: Sequence[str]) -> None:
        self.known: dict[str, str] = {}
        self.starred = {part for name in forbidden for part in name.split(".")[1:]}
        self.own = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.ClassDef)}
        for node in ast.walk(tree):
            self._imports(node)
        for _ in range(_PASSES):
            before = len(self.known)
            for node in ast.walk(tree):
                self._assigns(node)
            if len(self.known) == before:
                break

    def path(self, node: ast.AST) -> str | None:
        """The dotted path that an expression stands for, or None."""
        if isinstance(node, ast.Name):
            return self.known.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self.path(node.value)
            return None if base is None else f"{base}.{node.attr}"
        if isinstance(node, ast.Call):
            return self._called(node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        return None

    def is_method(self, node: ast.Attribute, name: str) -> bool:
        """Whether `x.name` may be the tensor's method: x is not `self`, nor is there an own function of that name."""
        base, last = node.value, name.rpartition(".")[2]
        itself = isinstance(base, ast.Name) and base.id in ("self", "cls")
        call = isinstance(base, ast.Call) and isinstance(base.func, ast.Name) and base.func.id == "super"
        return node.attr.rstrip("_") == last and last not in self.own and not itself and not call

    def _imports(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                self.known[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if alias.name == "*":
                    self.known |= {n: f"{node.module}.{n}" for n in self.starred}
                else:
                    self.known[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def _assigns(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            self._bind(node.target, node.value)
        elif isinstance(node, ast.arguments):
            positional = [*node.posonlyargs, *node.args]
            for arg, value in zip(reversed(positional), reversed(node.defaults), strict=False):
                self._name(arg.arg, value)
            for arg, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
                if default is not None:
                    self._name(arg.arg, default)

    def _bind(self, target: ast.AST, value: ast.AST) -> None:
        if isinstance(target, ast.Name):
            self._name(target.id, value)
        elif isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
            for part, worth in zip(target.elts, value.elts, strict=False):
                self._bind(part, worth)

    def _name(self, name: str, value: ast.AST) -> None:
        path = self.path(value)
        if path is not None and name not in self.known and path.startswith("torch"):
            self.known[name] = path

    def _called(self, node: ast.Call) -> str | None:
        """getattr(x, "name"), import_module("x"), __import__("x")."""
        function = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        arguments = [_text(argument) for argument in node.args]
        if function == "getattr" and len(arguments) >= 2 and arguments[1]:
            base = self.path(node.args[0])
            return None if base is None else f"{base}.{arguments[1]}"
        if function in ("import_module", "__import__") and arguments and arguments[0]:
            return arguments[0] if function == "import_module" else arguments[0].partition(".")[0]
        return None

    def _subscript(self, node: ast.Subscript) -> str | None:
        """sys.modules["x"], vars(x)["name"], x.__dict__["name"]."""
        key, base = _text(node.slice), node.value
        if key and isinstance(base, ast.Attribute):
            if base.attr == "modules":
                return key
            owner = self.path(base.value) if base.attr == "__dict__" else None
            return None if owner is None else f"{owner}.{key}"
        if key and isinstance(base, ast.Call) and isinstance(base.func, ast.Name) and base.func.id == "vars":
            owner = self.path(base.args[0]) if base.args else None
            return None if owner is None else f"{owner}.{key}"
        return None


def _text(node: ast.AST) -> str:
    """A constant string, also one put together with +. Empty for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text(node.left), _text(node.right)
        return left + right if left and right else ""
    return ""
