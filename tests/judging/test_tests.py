"""Outcomes of hidden checks -> verdicts."""

from __future__ import annotations

import pytest

from interviewer.domain import Verdict
from interviewer.judging.tests import judge_tests
from tests.builders import ALPHA_RUBRIC, BETA_RUBRIC, sandbox_result


def works(outcomes: dict[str, str], result: str = "failed") -> Verdict:
    (only,) = judge_tests(BETA_RUBRIC, sandbox_result(outcomes, result)).verdicts
    return only


@pytest.mark.parametrize(
    ("shape", "value", "outcome"),
    [
        ("passed", "passed", "met"),
        ("passed", "failed", "partial"),
        ("error", "passed", "partial"),
        ("failed", "failed", "not_met"),
        ("timeout", "not_run", "not_met"),
    ],
)
def test_all_some_or_none(shape: str, value: str, outcome: str) -> None:
    """Of the criterion's checks."""
    assert works({"check_shape": shape, "check_value": value}).outcome == outcome


def test_a_check_that_never_ran_did_not_pass() -> None:
    """Nothing came back at all."""
    assert works({}, "memory").outcome == "not_met"


def test_a_check_nobody_asked_for_counts_nothing() -> None:
    """Only the criterion's own."""
    assert works({"check_extra": "passed"}).outcome == "not_met"


def test_a_refused_run_is_unsure() -> None:
    """It says nothing about the candidate."""
    verdict = works({"check_shape": "passed", "check_value": "passed"}, "refused")
    assert (verdict.outcome, verdict.confidence) == ("unsure", 0)


@pytest.mark.parametrize(
    ("reason", "outcome"), [("broken_checks", "unsure"), ("crashed", "unsure"), ("syntax_error", "not_met")]
)
def test_a_fault_of_the_checks_is_not_the_candidates(reason: str, outcome: str) -> None:
    """Nothing is scored when the judge's side broke; code that does not compile is the candidate's."""
    (only,) = judge_tests(BETA_RUBRIC, sandbox_result({}, "error", reason=reason)).verdicts
    assert only.outcome == outcome


def test_the_evidence_is_the_checks() -> None:
    """Their names and the count."""
    verdict = works({"check_shape": "passed"}, "timeout")
    assert verdict.checks == ("check_shape", "check_value")
    assert verdict.reason == "1 of 2 checks passed; run: timeout"


def test_talk_criteria_get_no_verdict() -> None:
    """Tests decide code and nothing else."""
    assert judge_tests(ALPHA_RUBRIC, sandbox_result({}, "passed")).verdicts == ()
