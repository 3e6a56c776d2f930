"""Cleaning of typed text."""

from __future__ import annotations

import doctest

import pytest

from interviewer.adapters import cleaning
from interviewer.adapters.cleaning import plain, well_formed


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(cleaning).failed == 0


@pytest.mark.parametrize("text", ["", "plain", "梯度", "😀", "nul \0"])
def test_a_good_text_is_left_alone(text: str) -> None:
    assert well_formed(text) == text


def test_plain_text_is_cut() -> None:
    assert plain("abc def", limit=5) == "abc d"
