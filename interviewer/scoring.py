"""Verdicts + rubric -> points. The only arithmetic on points in Viva.

    points of a criterion = weight x outcome share x price of help
    question              = max(0, sum of points - penalties of misconceptions not corrected)
    session               = mean of the questions' shares, each question counting alike

`unsure` and what was never judged stay outside `possible`; `coverage` says how much of the rubric's weight was judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from interviewer.domain import Criterion, Heard, Misconception, Model, Outcome, Rubric, Score, Verdict
from interviewer.session import QuestionState

OUTCOME_SHARE: Mapping[Outcome, float] = {"met": 1.0, "partial": 0.5, "not_met": 0.0}
"""Share of a criterion's weight that an outcome earns. `unsure` is absent on purpose: it is not scored."""

PROBED_SHARE = 0.8
"""A criterion shown only after a follow-up aimed at it earns this share."""

HINTED_SHARE = 0.5
"""A criterion shown only after a hint aimed at it earns this share."""

LADDER_SHARE = (1.0, 0.9, 0.75, 0.5)
"""What a criterion decided by tests earns after 0, 1, 2 and 3 hints to the exercise."""

Help = Literal["none", "probe", "hint", "hint_1", "hint_2", "hint_3"]
"""What a criterion needed; `hint_n` are n hints to the exercise."""

HELP_SHARE: Mapping[Help, float] = {
    "none": 1.0,
    "probe": PROBED_SHARE,
    "hint": HINTED_SHARE,
    "hint_1": LADDER_SHARE[1],
    "hint_2": LADDER_SHARE[2],
    "hint_3": LADDER_SHARE[3],
}


class CriterionScore(Model):
    """One criterion's line in the report."""

    criterion: Criterion
    verdict: Verdict
    help: Help
    earned: float

    @property
    def missing(self) -> float:
        """Points of the weight that the outcome leaves open; all of it while the outcome is unsure."""
        return self.criterion.weight * (1 - OUTCOME_SHARE.get(self.verdict.outcome, 0.0))


class Penalty(Model):
    """A misconception that was heard; `points` is 0 when the candidate corrected it later."""

    misconception: Misconception
    heard: Heard
    points: float


class QuestionScore(Model):
    """A question's points with every line that makes them up."""

    question: str
    score: Score
    criteria: tuple[CriterionScore, ...]
    penalties: tuple[Penalty, ...] = ()


def score_question(rubric: Rubric, state: QuestionState | None) -> QuestionScore:
    """Score one question from its state; a question never asked has possible 0 and coverage 0."""
    lines = tuple(_score_criterion(c, state) for c in rubric.criteria)
    judged = [line for line in lines if line.verdict.outcome != "unsure"]
    possible = float(sum(line.criterion.weight for line in judged))
    penalties = _penalties(rubric, state, lines)
    earned = max(0.0, sum(line.earned for line in judged) - sum(p.points for p in penalties))
    coverage = possible / sum(c.weight for c in rubric.criteria)
    score = Score(earned=round(earned, 6), possible=possible, coverage=round(coverage, 6))
    return QuestionScore(question=rubric.question, score=score, criteria=lines, penalties=penalties)


def score_session(scores: Iterable[QuestionScore]) -> Score:
    """Sum of the questions' shares over the number of scored questions; coverage is the mean over all of them."""
    rows = tuple(scores)
    shares = [row.score.share for row in rows if row.score.share is not None]
    coverage = sum(row.score.coverage for row in rows) / len(rows) if rows else 0.0
    return Score(earned=round(sum(shares), 6), possible=float(len(shares)), coverage=round(coverage, 6))


def _score_criterion(criterion: Criterion, state: QuestionState | None) -> CriterionScore:
    verdict = _verdict(criterion, state)
    help_ = _help(criterion, verdict, state)
    earned = criterion.weight * OUTCOME_SHARE.get(verdict.outcome, 0.0) * HELP_SHARE[help_]
    return CriterionScore(criterion=criterion, verdict=verdict, help=help_, earned=round(earned, 6))


def _verdict(criterion: Criterion, state: QuestionState | None) -> Verdict:
    """The last verdict on record. What was put to the candidate and declined is not met; the rest is unsure."""
    if state is not None:
        judgement = state.code if criterion.by == "tests" else state.judgement
        for verdict in judgement.verdicts if judgement else ():
            if verdict.criterion == criterion.id:
                return verdict
        if declined(criterion, state):
            return Verdict(criterion=criterion.id, outcome="not_met", confidence=1.0, reason="declined")
    return Verdict(criterion=criterion.id, outcome="unsure", confidence=0.0, reason="not asked or not judged")


def declined(criterion: Criterion, state: QuestionState) -> bool:
    """Whether the candidate passed on what was asked: I don't know, or skip. Code that was sent was not declined."""
    if criterion.by == "tests":
        sent = any(turn.kind == "code" for turn in state.turns)
        return state.code_open and state.closed and not sent and (state.skipped or bool(state.given_up))
    return not state.thread.answers and (state.skipped or "" in state.given_up)


def _help(criterion: Criterion, verdict: Verdict, state: QuestionState | None) -> Help:
    if state is None or verdict.outcome not in ("met", "partial"):
        return "none"
    if criterion.by == "tests":
        return _ladder(state)
    if verdict.evidence is None:
        return "none"
    before = verdict.evidence.seq
    if any(t.target == criterion.id and t.seq < before for t in state.hints):
        return "hint"
    if any(t.target == criterion.id and t.seq < before for t in state.probes):
        return "probe"
    return "none"


def _ladder(state: QuestionState) -> Help:
    """The hints taken before the code that counts was sent. What is asked for later helped nobody."""
    sent = max((turn.seq for turn in state.turns if turn.kind == "code"), default=-1)
    taken = sum(turn.seq < sent for turn in state.steps)
    steps: tuple[Help, ...] = ("none", "hint_1", "hint_2", "hint_3")
    return steps[min(taken, len(steps) - 1)]


def _penalties(rubric: Rubric, state: QuestionState | None, lines: tuple[CriterionScore, ...]) -> tuple[Penalty, ...]:
    if state is None or state.judgement is None:
        return ()
    shown = {
        line.criterion.id: line.verdict.evidence.seq
        for line in lines
        if line.verdict.outcome == "met" and line.verdict.evidence is not None
    }
    by_id = {m.id: m for m in rubric.misconceptions}
    rows = []
    for heard in state.judgement.heard:
        misconception = by_id.get(heard.misconception)
        if misconception is None:  # the rubric changed since the session; an unknown belief costs nothing
            continue
        corrected = any(shown.get(c, -1) > heard.evidence.seq for c in misconception.contradicts)
        rows.append(
            Penalty(misconception=misconception, heard=heard, points=0.0 if corrected else misconception.penalty)
        )
    return tuple(rows)
