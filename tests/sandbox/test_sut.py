"""The check API, as an author meets it: each test is a candidate's code and the body of a check."""

# each check is one line, however long
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Callable

import pytest

from interviewer.domain import SandboxResult

Check = Callable[..., SandboxResult]

CODE = """
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
import torch
from torch import nn

LIMIT = 7
Pair = namedtuple("Pair", "a b")

@dataclass
class Point:
    x: int = 1

class Scale(nn.Module):
    def __init__(self, size, start=1.0):
        super().__init__()
        self.weight = nn.Parameter(torch.full((size,), start))
        self.frozen = nn.Parameter(torch.ones(1), requires_grad=False)
        self.inner = nn.Linear(size, size)

    def forward(self, x):
        return x * self.weight

    def twice(self, x):
        return self(self(x))

class Bag:
    def __init__(self, items): self.items = list(items)
    def __len__(self): return len(self.items)
    def __getitem__(self, i): return self.items[i]
    def __setitem__(self, i, v): self.items[i] = v
    def total(self): return sum(self.items)

def same(x): return x
def double(x): return x * 2
def damage(x): return x.mul_(2)
def cube(x): return x ** 3
def both(x, y): return x * y, x + y
def cut(x): return x.detach() * 2
def fail(n): raise ValueError(f"no {n}")
def endless():
    while True: yield 1
def draw(): return torch.rand(3)
def mixed(): return [1, Bag([1]), {"p": Pair(1, 2)}]
def call(f, x): return f(x)
"""


def passes(result: SandboxResult) -> None:
    assert result.verdict == "passed", (result.message, result.traceback, result.checks)


@pytest.mark.parametrize(
    "body",
    [
        # data come back as real values of the same kind
        "assert sut.same(3) == 3 and sut.same(None) is None and sut.same('я') == 'я' and sut.same(b'x') == b'x'",
        "assert sut.same(2**70) == 2**70 and sut.same(1 + 2j) == 1 + 2j and sut.same(True) is True",
        "assert sut.same((1, [2.5, {'a': ...}])) == (1, [2.5, {'a': ...}])",
        "assert sut.same(torch.float16) is torch.float16 and sut.same(torch.device('cpu')) == torch.device('cpu')",
        "assert sut.same(torch.Size([2])) == (2,) and sut.same(slice(1, 2)) == slice(1, 2)",
        "x = torch.randn(3, 4)\nassert_close(sut.double(x), 2 * x)\nassert_close(x, sut.same(x), rtol=0, atol=0)",
        "x = torch.randn(700, 700)\nassert_close(sut.double(x), 2 * x)",
        # names
        "assert sut.get('LIMIT') == 7",
        # handles
        "bag = sut.Bag([1, 2])\nassert len(bag) == 2 and bag[0] == 1 and list(bag) == [1, 2] and bag.total() == 3",
        "bag = sut.Bag([1, 2])\nbag[0] = 5\nassert bag.total() == 7\nbag.set('items', [9])\nassert bag.get('items') == [9]",
        "m = sut.Scale(2)\nm.set('inner.bias', None)\nassert m.get('inner.bias') is None",
        "m = sut.Scale(2, start=3.0)\nassert_close(m(torch.ones(2)), torch.full((2,), 3.0))",
        "m = sut.Scale(2, start=3.0)\nassert_close(m.twice(torch.ones(2)), torch.full((2,), 9.0))",
        "m = sut.Scale(2)\nm.eval()\nassert m.get('training') is False and m.get('inner.weight').shape == (2, 2)",
        "m = sut.Scale(2)\nassert_close(sut.call(m, torch.ones(2)), torch.ones(2))",
        "one, bag, rest = sut.mixed()\nassert one == 1 and len(bag) == 1 and rest['p'].get('a') == 1",
        "p = sut.Point(x=4)\nassert p.get('x') == 4",
        # weights
        "m = sut.Scale(2)\nstate = m.state()\nstate['weight'] = torch.tensor([2.0, 5.0])\nm.load(state)\n"
        "assert_close(m(torch.ones(2)), torch.tensor([2.0, 5.0]))",
        # torch over there
        "f = sut.builtin('torch.nn.Linear', 4, 3)\nassert f.get('weight').shape == (3, 4)",
        "assert_close(sut.builtin('torch.zeros', 2), torch.zeros(2))",
        # gradients
        "x, v = torch.randn(3), torch.randn(3)\nout, grads = sut.vjp('cube', x, cotangent=v)\n"
        "assert_close(out, x**3)\nassert_close(grads[0], 3 * x**2 * v)",
        "x, y = torch.randn(3), torch.randn(3)\nv = (torch.randn(3), torch.randn(3))\n"
        "_, (gx, gy) = sut.vjp('both', x, y, cotangent=v)\nassert_close(gx, v[0] * y + v[1])\nassert_close(gy, v[0] * x + v[1])",
        "_, grads = sut.vjp('call', sut.builtin('torch.nn.Identity'), torch.ones(2), cotangent=torch.ones(2))\n"
        "assert grads[0] is None\nassert_close(grads[1], torch.ones(2))",
        "m = sut.Scale(2)\nx = torch.randn(2)\n_, (gx,), params = m.vjp(x, cotangent=torch.ones(2))\n"
        "assert_close(params['weight'], x)\nassert params['frozen'] is None and params['inner.weight'] is None\n"
        "_, (gx,) = sut.vjp(m.twice, x, cotangent=torch.ones(2))\nassert_close(gx, torch.ones(2))",
        "x, v, u = (torch.randn(3, dtype=torch.float64) for _ in range(3))\n"
        "dx, dv = sut.vjp2('cube', x, cotangent=v, cotangent2=u)\nassert_close(dx, 6 * x * v * u)\nassert_close(dv, 3 * x**2 * u)",
        # damage
        "x = torch.ones(3)\nout, (after,) = sut.watch('damage', x)\nassert_close(after, torch.full((3,), 2.0))\nassert_close(x, torch.ones(3))",
        "x = torch.randn(300, 300)\nout, (after,) = sut.watch('double', x)\nassert_close(after, x, rtol=0, atol=0)\nassert_close(out, 2 * x)",
        # randomness and time
        "sut.seed(5)\na = sut.draw()\nsut.seed(5)\nassert_close(sut.draw(), a, rtol=0, atol=0)",
        "sut.double(1)\nassert 0 < sut.seconds < 5",
        # exceptions
        "with sut.raises('IndexError'):\n    sut.Bag([])[0]",
        "with sut.raises('TypeError', 'ValueError'):\n    sut.fail(1)",
        "try:\n    sut.fail(3)\nexcept CandidateError as error:\n    assert error.type == 'ValueError' and error.message == 'no 3'",
        "try:\n    sut.nothing()\nexcept CandidateError as error:\n    assert error.type == 'AttributeError'",
        "with sut.raises('RuntimeError'):\n    sut.vjp('cut', torch.ones(2), cotangent=torch.ones(2))",
    ],
)  # fmt: skip
def test_the_api_does_what_it_says(check: Check, body: str) -> None:
    """Each of these checks passes."""
    passes(check(CODE, body))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("assert sut.Point() == 1", ""),
        ("assert sut.Point()", "an object of type Point"),
        ("assert_close(sut.Point(), torch.ones(1))", "expected a tensor, got an object of type Point"),
        ("assert sut.double", "is not data"),
        ("assert sut.same(1) == 2, 'expected 2, got 1'", "expected 2, got 1"),
        ("sut.nothing(1)", "There is no 'nothing' in the code."),
        ("sut.fail(1)", "ValueError: no 1"),
        ("sut.double()", "cannot be called as the task says"),
        ("with sut.raises('IndexError'):\n    sut.same(1)", "nothing was raised"),
        ("with sut.raises('AttributeError'):\n    sut.nothing(1)", "expected AttributeError"),
        ("with sut.raises('IndexError'):\n    sut.fail(1)", "ValueError"),
        ("sut.builtin('os.system', 'true')", "starts with torch."),
        ("list(sut.endless())", "more than 10000 items"),
        ("sut.same(object())", "cannot send"),
        ("sut.same(1).shape", "cannot be used as asked"),
        ("sut.Scale(2).load({'weight': torch.ones(2)})", "RuntimeError"),
    ],
)
def test_what_fails_a_check_says_why(check: Check, body: str, words: str) -> None:
    """The check fails, with these words in its message."""
    result = check(CODE, body)
    assert result.verdict == "failed"
    assert words in result.checks[0].message


def test_the_scaffold_is_loaded_beside_the_code(check: Check) -> None:
    """The candidate's code imports from it and the check calls it."""
    code = "from scaffold import make\ndef size(): return make(3).numel()"
    scaffold = "import torch\ndef make(n): return torch.zeros(n)"
    passes(check(code, "assert sut.size() == 3\nassert_close(sut.scaffold.make(2), torch.zeros(2))", scaffold))


def test_inputs_cannot_be_foreseen(check: Check) -> None:
    """The judge's generator is seeded anew for each run, and not as the candidate's is."""
    code = "import torch\nmine = torch.initial_seed()\ndef guess():\n    return torch.randn(5)"
    passes(
        check(
            code,
            "x = torch.randn(5)\nassert not torch.equal(sut.guess(), x)\nassert sut.get('mine') != torch.initial_seed()",
        )
    )
