"""A rubric made ready for listening: its phrasings as vectors, grouped by what they say.

A target is what is listened for: a criterion (its phrasings against its look-alikes and the misconceptions that contradict
it) or a misconception (how it sounds against the phrasings of the criteria that it contradicts).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from interviewer.domain import LANGUAGES, Language, LocalText, LocalTexts, Question, Rubric
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

    def in_language(self, language: Language) -> NDArray[np.bool_]:
        return np.array([spoken == language for spoken in self.languages], dtype=bool)


@dataclass(frozen=True)
class Target:
    """`meets` are texts that say it, `lookalikes` texts that only seem to, `others` vectors of rival targets."""

    id: str
    meets: Phrases
    lookalikes: Phrases
    others: NDArray[np.float32]

    @cached_property
    def centre(self) -> NDArray[np.float32]:
        """Unit vector of the phrasings' mean."""
        mean = self.meets.vectors.mean(axis=0)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-6), dtype=np.float32)


@dataclass(frozen=True)
class Ear:
    """The targets of one question; `question` holds vectors of the question's own texts."""

    criteria: tuple[Target, ...]
    misconceptions: tuple[Target, ...]
    question: NDArray[np.float32]


@dataclass(frozen=True)
class Material:
    """A rubric's embedded phrasings before they are set against each other, by criterion or misconception id."""

    rubric: Rubric
    meets: Mapping[str, Phrases]
    lookalikes: Mapping[str, Phrases]
    beliefs: Mapping[str, Phrases]
    question: NDArray[np.float32]

    def ear(self) -> Ear:
        """Set each target against its rivals."""
        voices = {**self.meets, **self.beliefs}

        def others(own: str, related: tuple[str, ...]) -> NDArray[np.float32]:
            return np.concatenate([p.vectors for key, p in voices.items() if key != own and key not in related])

        criteria = []
        for c in self.rubric.talk:
            against = tuple(m.id for m in self.rubric.misconceptions if c.id in m.contradicts)
            lookalikes = join([self.lookalikes[c.id], *(self.beliefs[m] for m in against)])
            criteria.append(Target(c.id, self.meets[c.id], lookalikes, others(c.id, against)))
        misconceptions = []
        for m in self.rubric.misconceptions:
            related = tuple(c for c in m.contradicts if c in self.meets)
            right = join([self.meets[c] for c in related] or list(self.meets.values()))
            misconceptions.append(Target(m.id, self.beliefs[m.id], right, others(m.id, related)))
        return Ear(tuple(criteria), tuple(misconceptions), self.question)


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
    """Embed a rubric's phrasings: about 250 vectors."""
    asked = [t[x] for t in (question.text, question.rephrased) for x in LANGUAGES]
    return Material(
        rubric=rubric,
        meets={c.id: _phrases(c.says, c.meets, embedder) for c in rubric.talk},
        lookalikes={c.id: _phrases(None, c.lookalikes, embedder) for c in rubric.talk},
        beliefs={m.id: _phrases(m.belief, m.sounds_like, embedder) for m in rubric.misconceptions},
        question=embedder.embed(asked),
    )


def join(parts: list[Phrases]) -> Phrases:
    """Several groups as one; rows of different groups stay apart."""
    return Phrases(
        tuple(t for p in parts for t in p.texts),
        tuple(x for p in parts for x in p.languages),
        tuple(row + 1000 * i for i, p in enumerate(parts) for row in p.rows),
        np.concatenate([p.vectors for p in parts]),
    )


def _phrases(first: LocalText | None, texts: LocalTexts | None, embedder: Embedder) -> Phrases:
    assert texts is not None  # Criterion's validator: a talk criterion has both lists
    listed: list[tuple[str, Language, int]] = []
    for language in LANGUAGES:
        if first is not None:
            listed.append((first[language], language, 0))
        listed += [(text, language, row) for row, text in enumerate(texts[language], start=1)]
    vectors = embedder.embed([text for text, _, _ in listed])
    return Phrases(tuple(t for t, _, _ in listed), tuple(x for _, x, _ in listed), tuple(r for *_, r in listed), vectors)
