"""The exercise that the fake-pass attacks try to pass without solving it."""

from __future__ import annotations

from interviewer.domain import Exercise, LocalText

_NONE = LocalText(en="-", ru="-", zh="-")

CHECKS = """
import torch
from viva_check import assert_close

def check_values(sut):
    x = torch.randn(4, 7)
    expected = torch.softmax(x, -1)
    assert_close(sut.softmax(x, -1), expected)

def check_large(sut):
    x = torch.tensor([[1000.0, 0.0], [-1000.0, 1000.0]])
    assert_close(sut.softmax(x, -1), torch.softmax(x, -1))

def check_other_dim(sut):
    x = torch.randn(3, 5, 2, dtype=torch.float64)
    assert_close(sut.softmax(x, 1), torch.softmax(x, 1))

def check_bad_dim(sut):
    with sut.raises("IndexError"):
        sut.softmax(torch.randn(2, 2), 5)
    x = torch.randn(2, 2)
    assert_close(sut.softmax(x, 0), torch.softmax(x, 0))

def check_gradient(sut):
    x, weight = torch.randn(3, 5), torch.randn(3, 5)
    _, (grad, _) = sut.vjp("softmax", x, -1, cotangent=weight)
    leaf = x.clone().requires_grad_()
    (expected,) = torch.autograd.grad(torch.softmax(leaf, -1), leaf, weight)
    assert_close(grad, expected)

def check_input_untouched(sut):
    x = torch.randn(4, 4)
    out, (after, _) = sut.watch("softmax", x, -1)
    assert_close(after, x)
    assert_close(out, torch.softmax(x, -1))
"""

HONEST = """
import torch

def softmax(x, dim):
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)
"""


def exercise(checks: str = CHECKS, **changes: object) -> Exercise:
    """An exercise with these checks; `changes` go to Exercise."""
    fields: dict[str, object] = {
        "id": "target",
        "statement": _NONE,
        "docstring": _NONE,
        "checks": {},
        "wrong": {},
        "starter": "",
        "reference": HONEST,
        "checks_source": checks,
        "examples": "",
    }
    return Exercise.model_validate(fields | changes)
