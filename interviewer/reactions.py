"""The short reaction before the next question: names what was good, never the answer, praises nothing else."""

from __future__ import annotations

from collections.abc import Callable

from interviewer.domain import Criterion, Language, Rubric
from interviewer.scoring import score_question
from interviewer.session import QuestionState
from interviewer.speech import speech

Leaks = Callable[[str], bool]


def newly_met(rubric: Rubric, state: QuestionState) -> tuple[Criterion, ...]:
    """Talk criteria whose evidence is in the last answer, heaviest first."""
    answers = state.thread.answers
    if not answers or state.judgement is None:
        return ()
    last = answers[-1].seq
    lines = score_question(rubric, state).criteria
    fresh = [
        line.criterion
        for line in lines
        if line.verdict.outcome == "met" and line.verdict.evidence is not None and line.verdict.evidence.seq == last
    ]
    return tuple(sorted(fresh, key=lambda c: -c.weight))


def react(rubric: Rubric, state: QuestionState, language: Language, number: int, leaks: Leaks) -> str:
    """One sentence on the last thing the candidate did.

    `number` chooses among variants. What would give an open point away (`leaks`) is not named.
    """
    texts = speech(language)
    last = next((t for t in reversed(state.turns) if t.role == "candidate"), None)
    if last is None or last.kind == "dont_know":
        return texts.pick(texts.dont_know, number)
    if last.kind == "skip":
        return texts.pick(texts.skipped, number)
    # Looked at one by one: the phrases come again and again, the sentences made of them do not.
    nods = [nod for c in newly_met(rubric, state)[:3] if not leaks(nod := c.nod[language].rstrip(".。"))]
    if len(nods) > 1:
        return texts.pick(texts.right_two, number).format(first=nods[0], second=nods[1])
    if nods:
        return texts.pick(texts.right_one, number).format(nod=nods[0])
    return texts.pick(texts.plain, number)


def react_to_code(state: QuestionState, total: int, language: Language, number: int) -> str:
    """What the exercise's `total` hidden checks came to."""
    texts = speech(language)
    if state.checked is None:
        return texts.pick(texts.skipped, number)
    passed = sum(check.outcome == "passed" for check in state.checked.checks)
    variants = texts.code_passed if state.checked.verdict == "passed" else texts.code_failed
    return texts.pick(variants, number).format(passed=passed, total=total)
