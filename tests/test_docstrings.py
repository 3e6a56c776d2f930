"""Worked examples in docstrings are tests."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import interviewer

PACKAGE = Path(interviewer.__file__).parent
NAMES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(PACKAGE.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", NAMES)
def test_examples_hold(name: str) -> None:
    """As they are printed."""
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
