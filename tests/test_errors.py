"""Errors say what, then what to do next, and whose turn it is."""

from __future__ import annotations

import pytest

from interviewer.errors import AuthorError, IllegalMove, OperatorError, UsageError, VivaError
from interviewer.interview import NoHint, Stale
from interviewer.ports import ModelError, SeqTaken


def test_a_hint_stands_on_its_own_line() -> None:
    """Machines and people find it there."""
    assert str(UsageError("no question 'x'", hint="see the list")) == "no question 'x'\nhint: see the list"


def test_without_a_hint_there_is_no_line() -> None:
    """Nothing dangles."""
    assert str(OperatorError("no space left")) == "no space left"


def test_an_author_sees_every_fault() -> None:
    """One a line, before the hint."""
    error = AuthorError("2 faults", faults=("a.yaml: x", "b.yaml: y"), hint="mend them")
    assert str(error) == "2 faults\n  - a.yaml: x\n  - b.yaml: y\nhint: mend them"


@pytest.mark.parametrize("kind", [AuthorError, OperatorError, UsageError, IllegalMove, NoHint, Stale])
def test_one_name_catches_them_all(kind: type[VivaError]) -> None:
    """What reaches a person is a VivaError."""
    assert issubclass(kind, VivaError)


@pytest.mark.parametrize("kind", [SeqTaken, ModelError])
def test_what_the_core_handles_itself_is_none(kind: type[Exception]) -> None:
    """A race and a failing model never reach a person as errors."""
    assert not issubclass(kind, VivaError)


def test_a_model_error_names_its_kind() -> None:
    """And the detail where there is one."""
    assert str(ModelError("slow")) == "slow"
    assert str(ModelError("error", "status 500")) == "error: status 500"
