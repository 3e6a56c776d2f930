"""The judge of code: outcomes of hidden checks -> verdicts. No text of the candidate's reaches it."""

from __future__ import annotations

from interviewer.domain import Judgement, Outcome, Rubric, SandboxResult, Verdict

NAME = "tests"
VERSION = "1"

OUR_FAULT = frozenset({"broken_checks", "crashed"})
"""Reasons of an `error` that is the judge's own: broken checks, or its process died."""


def judge_tests(rubric: Rubric, result: SandboxResult) -> Judgement:
    """A verdict for every criterion decided by tests: all its checks passed, some, or none.

    A run that was refused, or in which the checks themselves broke, says nothing about the candidate: `unsure`.
    """
    tells_nothing = result.verdict == "refused" or (result.verdict == "error" and result.reason in OUR_FAULT)
    outcomes = {check.name: check.outcome for check in result.checks}
    verdicts = []
    for criterion in rubric.tests:
        passed = [name for name in criterion.checks if outcomes.get(name) == "passed"]
        outcome: Outcome = "met" if len(passed) == len(criterion.checks) else "partial" if passed else "not_met"
        if tells_nothing:
            outcome = "unsure"
        verdicts.append(
            Verdict(
                criterion=criterion.id,
                outcome=outcome,
                confidence=0.0 if outcome == "unsure" else 1.0,
                checks=criterion.checks,
                reason=f"{len(passed)} of {len(criterion.checks)} checks passed; run: {result.verdict}",
            )
        )
    return Judgement(judge=NAME, version=VERSION, verdicts=tuple(verdicts))
