"""Which questions of the bank an imported list asks again.

An item is compared with every way in which the bank asks a question. Cosines alone mislead (all are about one subject,
and the languages lie at different distances), so what counts is how far a question stands out among all: by meaning, by
rare words, and by its place in the retriever's ranking. docs/decisions/0009-drafts.md has the measurement.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from interviewer.domain import Passage
from interviewer.drafts import Draft
from interviewer.judging.words import tokens
from interviewer.ports import Embedder, Retriever

if TYPE_CHECKING:
    from numpy.typing import NDArray

STANDS_OUT = 9.5
"""Score from which a question counts as the same: standard deviations by meaning and by words, plus 2 / rank."""

SAME = 0.78
"""Cosine from which it does whatever the score: a bank of few questions has nothing to stand out from."""

RANKED = 5
"""Places of the retriever's ranking that count."""


class KnownQuestions:
    """The bank's ways to ask, made ready to be compared with."""

    def __init__(self, passages: Sequence[Passage], retriever: Retriever, embedder: Embedder) -> None:
        """`passages`: the bank's; only those that ask a question are used."""
        asking = [passage for passage in passages if passage.kind == "question" and "/exercise-" not in passage.id]
        self._questions = tuple(dict.fromkeys(passage.question for passage in asking))
        place = {question: i for i, question in enumerate(self._questions)}
        self._owner = np.array([place[passage.question] for passage in asking], dtype=np.intp)
        self._vectors = embedder.embed([passage.text for passage in asking])
        self._words: list[set[str]] = [set() for _ in self._questions]
        for passage in asking:
            self._words[place[passage.question]] |= tokens(passage.text)
        self._known_in = Counter(word for words in self._words for word in words)
        self._retriever = retriever
        self._embedder = embedder

    def marked(self, drafts: Sequence[Draft]) -> tuple[Draft, ...]:
        """The drafts, each with the question that is nearest, and marked where it asks the same."""
        if not self._questions:
            return tuple(drafts)
        return tuple(draft if draft.kind == "skill" else self._marked(draft) for draft in drafts)

    def _marked(self, draft: Draft) -> Draft:
        ways = dict.fromkeys((as_asked(draft), draft.text, draft.title))
        cosines = self._cosines(tuple(ways))
        scores = _standard(cosines) + _standard(self._shared_words(as_asked(draft))) + self._places(as_asked(draft))
        best = int(scores.argmax())
        same = scores[best] >= STANDS_OUT or cosines[best] >= SAME
        nearest = self._questions[best]
        return draft.model_copy(
            update={
                "nearest": nearest,
                "similarity": round(min(float(cosines[best]), 1.0), 3),
                "duplicate_of": nearest if same else None,
            }
        )

    def _cosines(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """For each question the greatest cosine of any of the texts to any way of asking it."""
        best = np.full(len(self._questions), -1.0)
        np.maximum.at(best, self._owner, (self._embedder.embed(texts) @ self._vectors.T).max(axis=0).astype(np.float64))
        return best

    def _shared_words(self, text: str) -> NDArray[np.float64]:
        """For each question the share of the text's words that it has, rare words counting more."""
        worth = {w: math.log((len(self._questions) + 1) / (self._known_in[w] + 0.5)) for w in tokens(text)}
        total = sum(worth.values()) or 1.0
        return np.array([sum(v for w, v in worth.items() if w in words) / total for words in self._words])

    def _places(self, text: str) -> NDArray[np.float64]:
        """2 / rank in the retriever's list."""
        found = np.zeros(len(self._questions))
        ranked = dict.fromkeys(p.question for p in self._retriever.search(text, k=RANKED))
        for rank, question in enumerate(ranked, start=1):
            if question in self._questions:
                found[self._questions.index(question)] = 2.0 / rank
        return found


def _standard(values: NDArray[np.float64]) -> NDArray[np.float64]:
    deviation = float(values.std())
    return (values - values.mean()) / deviation if deviation else np.zeros_like(values)


def as_asked(draft: Draft) -> str:
    """What a draft asks, with its title where the list gave one of its own."""
    return draft.text if draft.text.startswith(draft.title.rstrip("…")) else f"{draft.title}: {draft.text}"
