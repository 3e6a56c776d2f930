"""A candidate's change to a snippet: added lines, or replaced ones."""

from __future__ import annotations

import pytest

from interviewer.sandbox.change import BadChange, apply

CODE = "import torch\nfor _ in range(3):\n    x = 1\n    print(x)\n"


def test_no_change_leaves_the_program() -> None:
    assert apply(CODE, "") == CODE


def test_other_lines_run_after_it() -> None:
    """Also such as begin with + by chance."""
    assert apply(CODE, "print(x)") == CODE + "print(x)\n"
    assert apply(CODE, "+x") == CODE + "+x\n"


def test_minus_and_plus_replace_and_keep_the_indent() -> None:
    """The candidate need not know how deep the line stood."""
    assert apply(CODE, "-x = 1\n+ if True:\n+     x = 2") == CODE.replace("x = 1\n", "if True:\n        x = 2\n")


def test_several_places_at_once() -> None:
    """Each run of minus lines has its own plus lines, or none."""
    changed = apply(CODE, "- import torch\n+ import math\n- print(x)")
    assert changed == "import math\nfor _ in range(3):\n    x = 1\n"


@pytest.mark.parametrize("change", ["- y = 1\n+ y = 2", "- x = 1\n- x = 1\n+ z"])
def test_a_line_that_is_not_there_is_refused(change: str) -> None:
    """Rather than guessed."""
    with pytest.raises(BadChange, match="is there 0 times"):
        apply(CODE, change)


def test_a_line_that_is_there_twice_is_refused() -> None:
    with pytest.raises(BadChange, match="is there 2 times"):
        apply("a = 1\na = 1", "- a = 1\n+ a = 2")
