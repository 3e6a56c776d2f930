"""Texts that are not worth a process."""

from __future__ import annotations

import pytest

from interviewer.sandbox.limits import MAX_SOURCE
from interviewer.sandbox.source import fault_in


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("x = 1\0", "NUL"),
        ("x = '\ud800'", "surrogate"),
        ("x" * (MAX_SOURCE + 1), "larger"),
        ("", "no code"),
        (" \n\t", "no code"),
    ],
)
def test_a_bad_source_is_named(source: str, word: str) -> None:
    """One reason for all, and a sentence that says which."""
    fault = fault_in(source)
    assert fault is not None
    assert fault[0] == "bad_source"
    assert word in fault[1]


def test_size_counts_bytes() -> None:
    """Three bytes a character for Chinese."""
    assert fault_in("#" + "字" * (MAX_SOURCE // 3 + 1)) is not None
    assert fault_in("#" + "字" * (MAX_SOURCE // 3 - 1)) is None


def test_a_byte_order_mark_is_no_fault() -> None:
    """Editors on Windows write one."""
    assert fault_in("\ufeffx = 1") is None
