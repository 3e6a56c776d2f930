"""Texts that are not worth a process."""

from __future__ import annotations

import pytest

from interviewer.sandbox.limits import MAX_SOURCE
from interviewer.sandbox.source import fault_in


@pytest.mark.parametrize(
    ("source", "reason", "word"),
    [
        ("x = 1\0", "bad_source", "NUL"),
        ("x = '\ud800'", "bad_source", "surrogate"),
        ("x" * (MAX_SOURCE + 1), "too_large", "larger"),
        ("", "bad_source", "no code"),
        (" \n\t", "bad_source", "no code"),
    ],
)
def test_a_bad_source_is_named(source: str, reason: str, word: str) -> None:
    """A reason, and a sentence that says which."""
    fault = fault_in(source)
    assert fault is not None
    assert fault[0] == reason
    assert word in fault[1]


def test_size_counts_bytes() -> None:
    """Three bytes a character for Chinese."""
    assert fault_in("#" + "字" * (MAX_SOURCE // 3 + 1)) is not None
    assert fault_in("#" + "字" * (MAX_SOURCE // 3 - 1)) is None


def test_a_byte_order_mark_is_no_fault() -> None:
    """Editors on Windows write one."""
    assert fault_in("\ufeffx = 1") is None
