"""Forbidden built-ins are found under any name that the source spells out, and reported, not punished."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from interviewer.bank import Bank
from interviewer.domain import Exercise
from interviewer.sandbox import TorchSandbox
from interviewer.sandbox.findings import MAX_ROWS, same, scan

SDPA = "torch.nn.functional.scaled_dot_product_attention"
MHA = "torch.nn.MultiheadAttention"
FORBIDDEN = (SDPA, MHA, "torch.softmax")
CHECK = "import torch\ndef check_it(sut):\n    q = torch.randn(1, 2, 4, 8)\n    sut.f(q)\n"


@pytest.mark.parametrize(
    ("source", "name", "line", "how"),
    [
        ("import torch\nx = torch.nn.functional.scaled_dot_product_attention", SDPA, 2, "name"),
        ("import torch.nn.functional as F\nF.scaled_dot_product_attention(q, q, q)", SDPA, 2, "alias"),
        ("from torch.nn import functional\nfunctional.scaled_dot_product_attention", SDPA, 2, "alias"),
        ("from torch.nn.functional import scaled_dot_product_attention as a", SDPA, 1, "import"),
        ("from torch.nn.functional import *\nscaled_dot_product_attention(q)", SDPA, 2, "alias"),
        ("import torch as t\nnn = t.nn\ng = nn.functional\ng.scaled_dot_product_attention", SDPA, 4, "alias"),
        ("import torch as t\na, b = t.nn, 1\na.MultiheadAttention(8, 2)", MHA, 3, "alias"),
        ("import torch\ndef f(q, F=torch.nn.functional):\n  F.scaled_dot_product_attention(q)", SDPA, 3, "alias"),
        ("import torch\nif (F := torch.nn.functional): F.scaled_dot_product_attention", SDPA, 2, "alias"),
        ("import torch.nn as nn\ngetattr(nn.functional, 'scaled_dot_product_attention')", SDPA, 2, "getattr"),
        ("import torch.nn as nn\ngetattr(nn, 'Multihead' + 'Attention')", MHA, 2, "getattr"),
        ("import importlib\nm = importlib.import_module('torch.nn')\nm.MultiheadAttention", MHA, 3, "alias"),
        ("__import__('torch').nn.MultiheadAttention", MHA, 1, "alias"),
        ("import sys\nsys.modules['torch'].softmax(x, -1)", "torch.softmax", 2, "alias"),
        ("import torch\nvars(torch)['softmax'](x, -1)", "torch.softmax", 2, "alias"),
        ("import torch\ntorch.__dict__['softmax'](x, -1)", "torch.softmax", 2, "alias"),
        ("import torch\ntorch.ops.aten.softmax.int(x, -1)", "torch.softmax", 2, "name"),
        ("import torch\ntorch._softmax(x, -1, False)", "torch.softmax", 2, "name"),
        ("def f(x):\n    return x.softmax(-1)", "torch.softmax", 2, "method"),
        ("def f(x):\n    return getattr(x, 'softmax')(-1)", "torch.softmax", 2, "getattr"),
        ("from torch.nn.modules.activation import MultiheadAttention", MHA, 1, "import"),
    ],
)
def test_a_use_is_found_with_its_line(source: str, name: str, line: int, how: str) -> None:
    """Through aliases, star imports, assignments, defaults, getattr and other names of the same function."""
    assert (name, line, how) in scan(source, FORBIDDEN)


@pytest.mark.parametrize(
    "source",
    [
        "import torch\ntorch.log_softmax(x, -1)\ntorch.exp(x)",
        "# torch.softmax\nx = 'torch.softmax(y)'",
        "def softmax(x):\n    return x\nsoftmax(1)",
        "class M:\n    def softmax(self, x): ...\n    def f(self, x): return self.softmax(x)",
        "import scipy.special as t\nt.softmax(x)",
        "import torch\nclass Softmax(torch.nn.Softmax): ...",
    ],
)
def test_what_only_looks_like_it_is_not(source: str) -> None:
    """Comments, strings, own functions, other libraries, other functions."""
    assert scan(source, FORBIDDEN) == []


def test_a_class_is_not_its_function() -> None:
    """torch.nn.Softmax is forbidden by its own name only."""
    assert same("torch.nn.functional.softmax", "torch.softmax")
    assert not same("torch.nn.Softmax", "torch.softmax")


def test_no_reference_uses_what_its_exercise_forbids(bank: Bank) -> None:
    """The lists that ship hold for the solutions that ship."""
    forbidding = [exercise for exercise in bank.exercises.values() if exercise.forbidden]
    assert forbidding
    for exercise in forbidding:
        assert scan(exercise.reference, exercise.forbidden) == [], exercise.id


def test_findings_are_bounded() -> None:
    """A source may use a built-in on every line."""
    assert len(scan("import torch\n" + "torch.softmax(x)\n" * 500, FORBIDDEN)) == MAX_ROWS


def test_a_finding_is_no_failure(sandbox: TorchSandbox, make_exercise: Callable[..., Exercise]) -> None:
    """All checks pass; the interviewer is told where, by reading and by running."""
    exercise = make_exercise(CHECK).model_copy(update={"forbidden": (SDPA,)})
    code = "import torch.nn.functional as F\n\ndef f(q):\n    return F.scaled_dot_product_attention(q, q, q)\n"
    result = sandbox.check(exercise, code)
    assert result.verdict == "passed"
    assert {(f.name, f.line, f.how) for f in result.findings} == {(SDPA, 4, "alias"), (SDPA, 4, "called")}


@pytest.mark.parametrize(
    ("code", "forbidden"),
    [
        ("def f(q):\n    return vars(torch)['_'.join(['soft', 'max']).replace('_', '')](q, -1)", "torch.softmax"),
        ("def f(q):\n    exec('global r; r = q.softmax(-1)', {'q': q})", "torch.softmax"),
        (
            "m = torch.nn.MultiheadAttention(8, 2)\ndef f(q):\n    return m(q[0], q[0], q[0], need_weights=False)[0]",
            SDPA,
        ),
        ("n = torch.nn.functional\ndef f(q):\n    return n.layer_norm(q, (8,))", "torch.nn.LayerNorm"),
    ],
)
def test_what_reading_misses_running_may_show(
    sandbox: TorchSandbox, make_exercise: Callable[..., Exercise], code: str, forbidden: str
) -> None:
    """Names built at run time, and kernels inside other built-ins."""
    exercise = make_exercise(CHECK).model_copy(update={"forbidden": (forbidden,)})
    result = sandbox.check(exercise, "import torch\n" + code)
    assert "called" in {f.how for f in result.findings}, result


def test_watching_changes_no_result(sandbox: TorchSandbox, make_exercise: Callable[..., Exercise]) -> None:
    """Gradients through watched operations are the same numbers."""
    checks = (
        "import torch\nfrom viva_check import assert_close\n"
        "def check_it(sut):\n    x, w = torch.randn(3), torch.randn(3)\n"
        "    out, (grad,) = sut.vjp('f', x, cotangent=w)\n    leaf = x.clone().requires_grad_()\n"
        "    assert_close(grad, torch.autograd.grad(torch.softmax(leaf, 0), leaf, w)[0])\n"
    )
    exercise = make_exercise(checks).model_copy(update={"forbidden": ("torch.softmax",)})
    result = sandbox.check(exercise, "import torch\ndef f(x):\n    return torch.softmax(x, 0)\n")
    assert result.verdict == "passed", result
    assert [f.how for f in result.findings] == ["name", "called"]


@pytest.mark.parametrize("source", ["def f(:", "(" * 5000, "import os\nos._exit(0)", "x = " + "-" * 60_000 + "1"])
def test_a_source_that_breaks_the_parser_breaks_only_itself(
    sandbox: TorchSandbox, make_exercise: Callable[..., Exercise], source: str
) -> None:
    """It is read where it would have run."""
    exercise = make_exercise(CHECK).model_copy(update={"forbidden": (SDPA,)})
    assert sandbox.check(exercise, source).verdict in ("error", "failed", "memory")
    assert sandbox.run("print(1)").stdout == "1\n"
