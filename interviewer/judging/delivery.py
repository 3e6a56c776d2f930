"""How a candidate speaks, judged over a whole interview sentence by sentence.

Each sentence is looked at alone: its vector and its manners (`manner.CUES`) go through one ridge regression a
criterion, fitted when first needed to the rubric's phrasings against its look-alikes, the other criteria's phrasings
and plain answers. A criterion takes its best sentence. So saying more neither strengthens nor weakens what was said,
and nothing here knows of length, accent or politeness; polite phrases stand among the look-alikes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from interviewer.domain import LANGUAGES, DeliveryCriterion, DeliveryRubric, Judgement, Outcome, Thread, Verdict
from interviewer.judging.manner import has_code, manners
from interviewer.judging.spans import Span, sentences
from interviewer.ports import Embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAME = "delivery"

NEARLY = 0.1
"""So far below a criterion's cut a sentence still shows it in part: see docs/decisions/0008-delivery-and-truth.md."""

CUE = 0.3
"""Length of one cue beside a sentence vector of length 1."""

RIDGE = 5.0
MAX_SENTENCES = 400
"""Sentences of an interview that are looked at: more than an hour of speech."""

Prepare = Callable[[str, Sequence[str]], None]


class DeliveryJudge:
    """Implements `ports.DeliveryJudge` with the sentence encoder. Threads may share it."""

    name = NAME

    def __init__(self, rubric: DeliveryRubric, embedder: Embedder, *, prepare: Prepare | None = None) -> None:
        """`prepare` is told the rubric's phrasings before they are embedded."""
        self.rubric = rubric
        self.version = "1-" + hashlib.sha256("\0".join(rubric.texts()).encode()).hexdigest()[:8]
        self._embedder = embedder
        self._prepare = prepare

    def judge(self, transcript: Thread) -> Judgement:
        """A verdict for every criterion. What was not shown is `not_met`; whether that means anything is scoring's."""
        asked = " ".join(turn.text for turn in transcript.turns if turn.role == "interviewer")
        said = [s for turn in transcript.answers for s in sentences(turn) if s.text not in asked][:MAX_SENTENCES]
        scores = self.scores([s.text for s in said])
        verdicts = tuple(_verdict(c, said, scores[:, i]) for i, c in enumerate(self.rubric.criteria))
        return Judgement(judge=self.name, version=self.version, verdicts=verdicts)

    def scores(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """(n, criteria): how clearly each text shows each criterion, alone. About -1 for not at all, 1 for a model."""
        if not texts:
            return np.zeros((0, len(self.rubric.criteria)))
        found = features(self._embedder.embed(texts), texts) @ self._weights
        for i, criterion in enumerate(self.rubric.criteria):
            if criterion.code:
                found[:, i] = np.maximum(found[:, i], [1.0 if has_code(text) else -1.0 for text in texts])
        return np.asarray(found)

    def credits(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """(n, criteria): whether each text alone would be met or partial."""
        cuts = np.array([c.cut for c in self.rubric.criteria])
        return np.asarray(self.scores(texts) >= cuts - NEARLY)

    def read(self) -> None:
        """Make the rubric ready before the first interview ends."""
        assert self._weights is not None

    @cached_property
    def _weights(self) -> NDArray[np.float64]:
        texts = self.rubric.texts()
        if self._prepare is not None:
            self._prepare(NAME, texts)
        return fit(features(self._embedder.embed(texts), texts), labels_of(self.rubric), len(self.rubric.criteria))


def features(vectors: NDArray[np.float32], texts: Sequence[str]) -> NDArray[np.float64]:
    """Unit vectors (n, dimension) and their texts -> (n, dimension + cues + 1); the last column is 1."""
    return np.concatenate([vectors, CUE * manners(texts), np.ones((len(texts), 1))], axis=1)


def labels_of(rubric: DeliveryRubric) -> NDArray[np.intp]:
    """For each of `rubric.texts()` the criterion that it shows, -1 for none."""
    found: list[int] = []
    for i, c in enumerate(rubric.criteria):
        found += [i] * (len(LANGUAGES) * len(c.meets.en)) + [-1] * (len(LANGUAGES) * len(c.lookalikes.en))
    return np.array(found + [-1] * (len(LANGUAGES) * len(rubric.plain.en)), dtype=np.intp)


def fit(table: NDArray[np.float64], shows: NDArray[np.intp], criteria: int) -> NDArray[np.float64]:
    """Ridge regressions to 1 for a criterion's phrasings and -1 for all else, both halves of equal weight."""
    n, width = table.shape
    columns = []
    for i in range(criteria):
        own = shows == i
        weight = np.where(own, 0.5 / max(1, own.sum()), 0.5 / max(1, (~own).sum())) * n
        normal = table.T @ (table * weight[:, None]) + RIDGE * np.diag([1.0] * (width - 1) + [1e-6])
        columns.append(np.linalg.solve(normal, table.T @ (weight * np.where(own, 1.0, -1.0))))
    return np.stack(columns, axis=1)


def _verdict(criterion: DeliveryCriterion, said: Sequence[Span], scores: NDArray[np.float64]) -> Verdict:
    if not said:
        return Verdict(criterion=criterion.id, outcome="unsure", confidence=0.0, reason="nothing was said")
    best = int(np.argmax(scores))
    over = float(scores[best]) - criterion.cut
    outcome: Outcome = "met" if over >= 0 else "partial" if over >= -NEARLY else "not_met"
    shown = 1 / (1 + float(np.exp(-6 * (over + NEARLY))))
    evidence = None if outcome == "not_met" else said[best].evidence()
    confidence = round(1 - shown if outcome == "not_met" else shown, 4)
    return Verdict(criterion=criterion.id, outcome=outcome, confidence=confidence, evidence=evidence)
