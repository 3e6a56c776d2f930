"""The judge that works anywhere: sentence vectors, words, polarity and a small trained head. No key, no network.

For each criterion it finds the span of the candidate's words that says it best, and quotes it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from interviewer.domain import (
    Heard,
    Judgement,
    Language,
    Misconception,
    Outcome,
    Question,
    Rubric,
    Thread,
    Turn,
    Verdict,
)
from interviewer.judging.ear import Ear, Target, listen_for, phrase_texts
from interviewer.judging.features import describe, pool
from interviewer.judging.head import Head
from interviewer.judging.spans import Span, spans
from interviewer.ports import Embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAME = "embedded"

_RANK: tuple[Outcome, ...] = ("not_met", "partial", "met")

Prepare = Callable[[str, Sequence[str]], None]
"""Called with (question id, texts that are about to be embedded)."""

NEARLY_CERTAIN = 0.95
"""Probability from which a misconception counts even beside the contrary."""


@dataclass(frozen=True)
class Finding:
    """What was made of one target: probabilities of (not met, partial, met), and the best span."""

    odds: tuple[float, float, float]
    span: Span


class EmbeddedJudge:
    """Implements `ports.Judge`. Keeps the last rubrics it was asked about ready; threads may share it."""

    name = NAME

    def __init__(
        self, embedder: Embedder, head: Head | None = None, *, prepare: Prepare | None = None, remembered: int = 128
    ) -> None:
        """`prepare` is told a rubric's texts before they are embedded; `remembered` rubrics stay ready in memory."""
        self._embedder = embedder
        self._head = head or Head.load()
        self._ears: OrderedDict[str, tuple[Rubric, Ear]] = OrderedDict()
        self._prepare = prepare
        self._remembered = remembered
        self._lock = Lock()
        self.version = self._head.version

    def judge(self, question: Question, rubric: Rubric, thread: Thread, language: Language) -> Judgement:
        """A verdict for every talk criterion; nothing said is `not_met`, never an exception."""
        found = self._findings(question, rubric, thread, language)
        verdicts = tuple(self._verdict(c.id, found.get(c.id)) for c in rubric.talk)
        heard = [self._heard(m, verdicts, found.get(m.id)) for m in rubric.misconceptions]
        return Judgement(
            judge=self.name, version=self.version, verdicts=verdicts, heard=tuple(h for h in heard if h is not None)
        )

    def says(self, question: Question, rubric: Rubric, text: str, language: Language) -> dict[str, float]:
        """For each talk criterion, the probability that `text` says it. The leak gate asks this of the interviewer."""
        turn = Turn(seq=0, role="candidate", kind="answer", text=text)
        thread = Thread(question=question.id, turns=(turn,))
        found = self._findings(question, rubric, thread, language)
        return {c.id: found[c.id].odds[2] for c in rubric.talk if c.id in found}

    def read(self, question: Question, rubric: Rubric) -> None:
        """Make a rubric ready before its first answer comes."""
        self._ear(question, rubric)

    def _ear(self, question: Question, rubric: Rubric) -> Ear:
        """The rubric made ready; the first call for a rubric embeds its phrasings."""
        with self._lock:
            known = self._ears.get(rubric.question)
            if known is not None and known[0] is rubric:
                self._ears.move_to_end(rubric.question)
                return known[1]
        if self._prepare is not None:
            self._prepare(rubric.question, phrase_texts(rubric, question))
        ear = listen_for(rubric, question, self._embedder).ear()
        with self._lock:
            self._ears[rubric.question] = (rubric, ear)
            while len(self._ears) > self._remembered:
                self._ears.popitem(last=False)
        return ear

    def _findings(self, question: Question, rubric: Rubric, thread: Thread, language: Language) -> dict[str, Finding]:
        """The best finding for each target over each turn alone and all turns together; empty when nothing was said.

        Taking the best of these keeps a point once made: saying more never takes it away. Of findings that come to the
        same outcome the earliest stands, so that repeating a point after help does not make it cost what help costs.
        """
        said = [(span, _aim(thread, turn)) for turn in thread.answers for span in spans(turn)]
        if not said:
            return {}
        ear = self._ear(question, rubric)
        texts = [span.text for span, _ in said]
        vectors = self._embedder.embed(texts)
        turns = list(dict.fromkeys(span.seq for span, _ in said))
        groups = [[i for i, (span, _) in enumerate(said) if span.seq == seq] for seq in turns]
        if len(turns) > 1:
            groups.append(list(range(len(said))))
        found: dict[str, Finding] = {}
        tables = describe(ear, texts, vectors, language)
        for targets, table, voiced in ((ear.criteria, tables[0], False), (ear.misconceptions, tables[1], True)):
            # A belief is voiced within a turn; strung together, turns that deny it can sound like it.
            for group in groups[: len(turns)] if voiced else groups:
                for target, finding in zip(targets, self._weigh(targets, table, said, group, voiced), strict=True):
                    known = found.get(target.id)
                    if known is None or self._better(finding, known, voiced):
                        found[target.id] = finding
        return found

    def _weigh(
        self,
        targets: Sequence[Target],
        table: Sequence[NDArray[np.float64]],
        said: Sequence[tuple[Span, str | None]],
        group: list[int],
        voiced: bool,
    ) -> list[Finding]:
        """Findings for each target from the spans of one group. A draft has no misconceptions to listen for."""
        if not targets:
            return []
        described = pool([features[group] for features in table])
        picked = [said[group[best]] for best in described.best]
        if voiced:
            probabilities = self._head.misconceptions(described.features)
            odds = np.stack([1 - probabilities, np.zeros_like(probabilities), probabilities], axis=1)
        else:
            asked = np.array([aim == target.id for target, (_, aim) in zip(targets, picked, strict=True)])
            odds = self._head.criteria(described.features, asked)
        return [
            Finding((float(row[0]), float(row[1]), float(row[2])), span)
            for row, (span, _) in zip(odds, picked, strict=True)
        ]

    def _better(self, finding: Finding, known: Finding, voiced: bool) -> bool:
        if voiced:
            return finding.odds[2] > known.odds[2]
        new, old = self._outcome(finding), self._outcome(known)
        if new == old == "not_met":
            return finding.odds[2] > known.odds[2]
        return _RANK.index(new) > _RANK.index(old)

    def _outcome(self, found: Finding) -> Outcome:
        _, partial, met = found.odds
        cuts = self._head.cuts
        return "met" if met >= cuts["met"] else "partial" if met + partial >= cuts["partial"] else "not_met"

    def _verdict(self, criterion: str, found: Finding | None) -> Verdict:
        if found is None:
            return Verdict(criterion=criterion, outcome="not_met", confidence=1.0, reason="nothing was said")
        outcome = self._outcome(found)
        confidence = dict(zip(("not_met", "partial", "met"), found.odds, strict=True))[outcome]
        evidence = None if outcome == "not_met" else found.span.evidence()
        return Verdict(criterion=criterion, outcome=outcome, confidence=round(confidence, 4), evidence=evidence)

    def _heard(self, belief: Misconception, verdicts: Sequence[Verdict], found: Finding | None) -> Heard | None:
        """The misconception, if it was voiced. In a turn that shows the contrary it takes near certainty: most often
        the belief was named there only to deny it."""
        if found is None or found.odds[2] < self._head.cuts["misconception"]:
            return None
        denied = any(
            v.criterion in belief.contradicts and v.outcome == "met" and v.evidence and v.evidence.seq == found.span.seq
            for v in verdicts
        )
        if denied and found.odds[2] < NEARLY_CERTAIN:
            return None
        return Heard(misconception=belief.id, confidence=round(found.odds[2], 4), evidence=found.span.evidence())


def _aim(thread: Thread, answer: Turn) -> str | None:
    """What the interviewer's last question before this answer aimed at, if it was a follow-up."""
    asked = [
        t for t in thread.turns if t.seq < answer.seq and t.role == "interviewer" and t.kind in ("question", "probe")
    ]
    return asked[-1].target if asked else None
