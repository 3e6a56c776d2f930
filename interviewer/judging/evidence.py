"""Quotes: what makes evidence real. A quote that is not in the candidate's words earns nothing."""

from __future__ import annotations

from interviewer.domain import Evidence, Judgement, Thread, Verdict
from interviewer.ports import DeliveryJudge


def is_verbatim(evidence: Evidence, thread: Thread) -> bool:
    """Whether the quote stands at its place in an answer of this thread."""
    turn = next((t for t in thread.answers if t.seq == evidence.seq), None)
    return turn is not None and turn.text[evidence.start : evidence.end] == evidence.quote


def refuse_invented(judgement: Judgement, thread: Thread) -> Judgement:
    """The judgement with every verdict on an invented quote made `unsure`, and such misconceptions dropped."""
    verdicts = tuple(
        verdict
        if verdict.evidence is None or is_verbatim(verdict.evidence, thread)
        else Verdict(criterion=verdict.criterion, outcome="unsure", confidence=0.0, reason="invented quote")
        for verdict in judgement.verdicts
    )
    heard = tuple(h for h in judgement.heard if is_verbatim(h.evidence, thread))
    return judgement.model_copy(update={"verdicts": verdicts, "heard": heard})


def judge_delivery(judge: DeliveryJudge, transcript: Thread) -> Judgement:
    """How the candidate spoke, without invented quotes; without verdicts when the judge dies."""
    try:
        return refuse_invented(judge.judge(transcript), transcript)
    except Exception:  # it is no part of the score: without it the interview is as over as with it
        return Judgement(judge=judge.name, version=judge.version, verdicts=())
