"""The judge that works anywhere: sentence vectors, words, polarity and a small trained head. No key, no network.

For each criterion it finds the span of the candidate's words that says it best, and quotes it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np

from interviewer.domain import Evidence, Heard, Judgement, Language, Outcome, Question, Rubric, Thread, Turn, Verdict
from interviewer.judging.features import Ear, Target, make_ear, span_features
from interviewer.judging.head import Head
from interviewer.judging.spans import Span, spans
from interviewer.ports import Embedder

NAME = "embedded"


@dataclass(frozen=True)
class Best:
    """The span that says a target best, and the log-odds that it does. `asked`: it answers a probe for this target."""

    span: Span
    logit: float
    asked: bool


class EmbeddedJudge:
    """Implements `ports.Judge`. Keeps the last rubrics it was asked about ready; threads may share it."""

    name = NAME

    def __init__(self, embedder: Embedder, head: Head | None = None, *, remembered: int = 128) -> None:
        self._embedder = embedder
        self._head = head or Head.load()
        self._ears: OrderedDict[tuple[str, int], Ear] = OrderedDict()
        self._remembered = remembered
        self._lock = Lock()
        self.version = self._head.version

    def judge(self, question: Question, rubric: Rubric, thread: Thread, language: Language) -> Judgement:
        """A verdict for every talk criterion; nothing said is `not_met`, never an exception."""
        ear = self.ear(question, rubric)
        heard_spans = [(span, _asked_for(thread, turn)) for turn in thread.answers for span in spans(turn)]
        best = self._listen(ear.criteria + ear.misconceptions, heard_spans, ear, language)
        verdicts = tuple(self._verdict(c.id, best.get(c.id)) for c in rubric.talk)
        heard = tuple(h for m in rubric.misconceptions if (h := self._heard(m.id, best.get(m.id))) is not None)
        return Judgement(judge=self.name, version=self.version, verdicts=verdicts, heard=heard)

    def says(self, question: Question, rubric: Rubric, text: str, language: Language) -> dict[str, float]:
        """For each talk criterion, the probability that `text` says it. The leak gate asks this of the interviewer."""
        ear = self.ear(question, rubric)
        turn = Turn(seq=0, role="candidate", kind="answer", text=text)
        best = self._listen(ear.criteria, [(span, None) for span in spans(turn)], ear, language)
        return {t: self._head.at_least_partial(b.logit, asked=False) for t, b in best.items()}

    def ear(self, question: Question, rubric: Rubric) -> Ear:
        """The rubric made ready; the first call for a rubric embeds its phrasings."""
        key = (rubric.question, hash(rubric))
        with self._lock:
            if key in self._ears:
                self._ears.move_to_end(key)
                return self._ears[key]
        ear = make_ear(rubric, question, self._embedder)
        with self._lock:
            self._ears[key] = ear
            while len(self._ears) > self._remembered:
                self._ears.popitem(last=False)
        return ear

    def _listen(
        self, targets: Sequence[Target], heard: Sequence[tuple[Span, str | None]], ear: Ear, language: Language
    ) -> dict[str, Best]:
        """The best span for each target; empty when nothing was said."""
        if not heard:
            return {}
        texts = [span.text for span, _ in heard]
        vectors = self._embedder.embed(texts)
        found = {}
        for target in targets:
            logits = self._head.logits(span_features(target, texts, vectors, language, ear.question))
            asked = np.array([aim == target.id for _, aim in heard])
            index = int(np.argmax(logits + asked * self._head.spec["asked_bonus"]))
            found[target.id] = Best(heard[index][0], float(logits[index]), bool(asked[index]))
        return found

    def _verdict(self, criterion: str, best: Best | None) -> Verdict:
        if best is None:
            return Verdict(criterion=criterion, outcome="not_met", confidence=1.0, reason="nothing was said")
        met = self._head.met(best.logit, asked=best.asked)
        some = self._head.at_least_partial(best.logit, asked=best.asked)
        cut = self._head.spec["cuts"]
        outcome: Outcome = "met" if met >= cut["met"] else "partial" if some >= cut["partial"] else "not_met"
        confidence = {"met": met, "partial": some, "not_met": 1 - some}[outcome]
        evidence: Evidence | None = best.span.evidence() if outcome in ("met", "partial") else None
        return Verdict(criterion=criterion, outcome=outcome, confidence=round(confidence, 4), evidence=evidence)

    def _heard(self, misconception: str, best: Best | None) -> Heard | None:
        probability = self._head.voiced(best.logit) if best else 0.0
        if best is None or probability < self._head.spec["cuts"]["misconception"]:
            return None
        return Heard(misconception=misconception, confidence=round(probability, 4), evidence=best.span.evidence())


def _asked_for(thread: Thread, answer: Turn) -> str | None:
    """What the interviewer's last question before this answer aimed at, if it was a follow-up."""
    asked = [
        t for t in thread.turns if t.seq < answer.seq and t.role == "interviewer" and t.kind in ("question", "probe")
    ]
    return asked[-1].target if asked else None
