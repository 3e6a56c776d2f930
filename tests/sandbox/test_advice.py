"""What an operator is told."""

from __future__ import annotations

import pytest

from interviewer.sandbox.advice import ADVICE, advice
from tests.sandbox_reasons import REASONS


@pytest.mark.parametrize("reason", ADVICE)
def test_advice_is_on_reasons_that_there_are(reason: str) -> None:
    """And it is a whole sentence once the profile is filled in."""
    assert reason in REASONS
    assert "{" not in advice(reason, "dist")


def test_a_profile_names_the_backends_that_take_it() -> None:
    """So that one of them can be asked for."""
    assert "namespaces, process" in advice("profile", "dist")


def test_a_candidates_own_mistake_is_nothing_to_act_on() -> None:
    """No words."""
    assert advice("check_failed", "base") == advice("", "base") == ""
