"""A rubric made ready for listening: its phrasings as vectors, grouped by what they say.

A target is what is listened for: a criterion (its phrasings against its look-alikes and the misconceptions that
contradict it) or a misconception (how it sounds against the phrasings of the criteria that it contradicts). All
phrasings of a rubric lie in one matrix, so that an answer is compared with all of them at once; a target knows its
columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from interviewer.domain import LANGUAGES, Language, LocalText, LocalTexts, Question, Rubric
from interviewer.judging.lean import direction
from interviewer.ports import Embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Phrases:
    """n texts with their languages and unit vectors (n, dimension). `rows` ties parallel texts of the languages."""

    texts: tuple[str, ...]
    languages: tuple[Language, ...]
    rows: tuple[int, ...]
    vectors: NDArray[np.float32]

    def without(self, row: int) -> Phrases:
        """The phrases but those of one row, in every language."""
        keep = [i for i, r in enumerate(self.rows) if r != row]
        return Phrases(
            tuple(self.texts[i] for i in keep),
            tuple(self.languages[i] for i in keep),
            tuple(self.rows[i] for i in keep),
            self.vectors[keep],
        )

    def text(self, row: int, language: Language) -> str:
        """The phrase of a row in a language."""
        keys = zip(self.rows, self.languages, strict=True)
        return next(t for t, key in zip(self.texts, keys, strict=True) if key == (row, language))


@dataclass(frozen=True)
class Columns:
    """Where a target's phrases stand in the ear's matrix: all of them, and those of each language."""

    every: NDArray[np.intp]
    of: Mapping[Language, NDArray[np.intp]]


@dataclass(frozen=True)
class Target:
    """`meets` say it, `lookalikes` only seem to; `centre` is the column of the phrasings' mean vector.

    `rivals` are the targets (by position in `Ear.voices`) that an answer might mean instead, `line` tells the phrasings
    from everything else (`lean.direction`).
    """

    id: str
    meets: Columns
    lookalikes: Columns
    centre: int
    rivals: tuple[int, ...]
    line: NDArray[np.float32]


@dataclass(frozen=True)
class Ear:
    """The targets of one question over one matrix of unit vectors (N, dimension).

    `voices` are the columns of each target's own phrasings, `question` those of the question's texts; `texts` has the
    phrase of each column, empty for means.
    """

    matrix: NDArray[np.float32]
    texts: tuple[str, ...]
    criteria: tuple[Target, ...]
    misconceptions: tuple[Target, ...]
    voices: tuple[NDArray[np.intp], ...]
    question: NDArray[np.intp]


@dataclass(frozen=True)
class Material:
    """A rubric's embedded phrasings before they are set against each other, by criterion or misconception id."""

    rubric: Rubric
    meets: Mapping[str, Phrases]
    lookalikes: Mapping[str, Phrases]
    beliefs: Mapping[str, Phrases]
    question: NDArray[np.float32]

    def ear(self) -> Ear:
        """Lay all phrasings into one matrix and set each target against its rivals."""
        matrix = _Matrix()
        voices = {key: matrix.add(p) for key, p in {**self.meets, **self.beliefs}.items()}
        looks = {key: matrix.add(p) for key, p in self.lookalikes.items()}
        place = {key: i for i, key in enumerate(voices)}
        laid = np.concatenate(matrix.vectors)
        spoken = [columns.every for columns in voices.values()]

        def target(own: str, related: Sequence[str], seeming: Sequence[Columns]) -> Target:
            rivals = tuple(i for key, i in place.items() if key != own and key not in related)
            said = (self.meets.get(own) or self.beliefs[own]).vectors
            elsewhere = np.concatenate([spoken[0][:0], *(spoken[i] for i in rivals)])
            against = _join(seeming)
            line = direction(said, laid[against.every], laid[elsewhere])
            return Target(own, voices[own], against, matrix.add_mean(said), rivals, line)

        criteria = []
        for c in self.rubric.talk:
            against = [m.id for m in self.rubric.misconceptions if c.id in m.contradicts]
            criteria.append(target(c.id, against, [looks[c.id], *(voices[m] for m in against)]))
        misconceptions = []
        for m in self.rubric.misconceptions:
            related = [c for c in m.contradicts if c in self.meets]
            right = [voices[c] for c in related or self.meets]
            misconceptions.append(target(m.id, related, right))
        asked = matrix.add_vectors(self.question)
        return Ear(
            np.concatenate(matrix.vectors),
            tuple(matrix.texts),
            tuple(criteria),
            tuple(misconceptions),
            tuple(columns.every for columns in voices.values()),
            asked,
        )


class _Matrix:
    """Vectors being laid side by side."""

    def __init__(self) -> None:
        self.vectors: list[NDArray[np.float32]] = []
        self.texts: list[str] = []

    def add(self, phrases: Phrases) -> Columns:
        every = self.add_vectors(phrases.vectors, phrases.texts)
        of = {x: every[[i for i, y in enumerate(phrases.languages) if y == x]] for x in LANGUAGES}
        return Columns(every, of)

    def add_mean(self, vectors: NDArray[np.float32]) -> int:
        mean = vectors.mean(axis=0, keepdims=True)
        return int(self.add_vectors(mean / max(float(np.linalg.norm(mean)), 1e-6))[0])

    def add_vectors(self, vectors: NDArray[np.float32], texts: Sequence[str] = ()) -> NDArray[np.intp]:
        start = len(self.texts)
        self.vectors.append(vectors.astype(np.float32, copy=False))
        self.texts += texts or [""] * len(vectors)
        return np.arange(start, len(self.texts))


def _join(groups: Sequence[Columns]) -> Columns:
    return Columns(
        np.concatenate([g.every for g in groups]), {x: np.concatenate([g.of[x] for g in groups]) for x in LANGUAGES}
    )


def phrase_texts(rubric: Rubric, question: Question) -> tuple[str, ...]:
    """Every text of a rubric whose vector an `Ear` needs."""
    found = [text[x] for text in (question.text, question.rephrased) for x in LANGUAGES]
    for c in rubric.talk:
        found += [c.says[x] for x in LANGUAGES]
        found += [t for part in (c.meets, c.lookalikes) for x in LANGUAGES for t in (part[x] if part else ())]
    for m in rubric.misconceptions:
        found += [m.belief[x] for x in LANGUAGES] + [t for x in LANGUAGES for t in m.sounds_like[x]]
    return tuple(found)


def listen_for(rubric: Rubric, question: Question, embedder: Embedder) -> Material:
    """Embed a rubric's phrasings: some hundreds of vectors."""
    asked = [t[x] for t in (question.text, question.rephrased) for x in LANGUAGES]
    return Material(
        rubric=rubric,
        meets={c.id: _phrases(c.says, c.meets, embedder) for c in rubric.talk},
        lookalikes={c.id: _phrases(None, c.lookalikes, embedder) for c in rubric.talk},
        beliefs={m.id: _phrases(m.belief, m.sounds_like, embedder) for m in rubric.misconceptions},
        question=embedder.embed(asked),
    )


def _phrases(first: LocalText | None, texts: LocalTexts | None, embedder: Embedder) -> Phrases:
    assert texts is not None  # Criterion's validator: a talk criterion has both lists
    listed: list[tuple[str, Language, int]] = []
    for language in LANGUAGES:
        if first is not None:
            listed.append((first[language], language, 0))
        listed += [(text, language, row) for row, text in enumerate(texts[language], start=1)]
    vectors = embedder.embed([text for text, _, _ in listed])
    return Phrases(
        tuple(t for t, _, _ in listed), tuple(x for _, x, _ in listed), tuple(r for *_, r in listed), vectors
    )
