"""What a span looks like beside a criterion: similarity, contrast, competition, words, polarity, structure.

The features know nothing of a particular criterion, so a head trained on some rubrics serves all others. "Target" means
what is listened for: a criterion (its phrasings against its look-alikes) or a misconception (how it sounds against the
phrasings of the criteria that it contradicts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from interviewer.domain import LANGUAGES, Criterion, Language, LocalText, LocalTexts, Misconception, Question, Rubric
from interviewer.judging.polarity import agreements, conflicts, negated
from interviewer.judging.spans import words
from interviewer.judging.words import overlap
from interviewer.ports import Embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAMES = (
    "meets_same",  # greatest cosine to a phrasing in the answer's language
    "meets_any",  # ... in any language
    "meets_top3",  # mean of the three greatest
    "meets_centre",  # cosine to the phrasings' mean vector
    "lookalike_any",
    "margin_same",  # phrasing minus look-alike, same language
    "margin_any",
    "margin_top3",
    "other",  # greatest cosine to a phrasing of another target of the same rubric
    "margin_other",
    "echo",  # cosine to the question's own text
    "overlap",  # share of the nearest phrasing's words that the span has
    "overlap_margin",  # ... minus the same for the nearest look-alike
    "negation_differs",  # from the nearest phrasing
    "negation_contrast",  # 1 differs from the phrasing and agrees with the look-alike, -1 the other way round
    "conflicts",  # opposite poles against the nearest phrasing
    "conflict_contrast",  # ... minus those against the nearest look-alike
    "agreements",  # same poles as the nearest phrasing
    "log_words",
    "question",  # the span ends as a question
)


@dataclass(frozen=True)
class Phrases:
    """n texts with their languages and unit vectors (n, dimension). `row` ties parallel texts of the languages."""

    texts: tuple[str, ...]
    languages: tuple[Language, ...]
    rows: tuple[int, ...]
    vectors: NDArray[np.float32]

    def without(self, row: int) -> Phrases:
        """The phrases but those of one row in every language."""
        keep = [i for i, r in enumerate(self.rows) if r != row]
        return Phrases(
            tuple(self.texts[i] for i in keep),
            tuple(self.languages[i] for i in keep),
            tuple(self.rows[i] for i in keep),
            self.vectors[keep],
        )

    def in_language(self, language: Language) -> NDArray[np.bool_]:
        return np.array([spoken == language for spoken in self.languages])


@dataclass(frozen=True)
class Target:
    """One thing to listen for: `meets` are texts that say it, `lookalikes` texts that only seem to."""

    id: str
    meets: Phrases
    lookalikes: Phrases
    others: NDArray[np.float32]

    @cached_property
    def centre(self) -> NDArray[np.float32]:
        mean = self.meets.vectors.mean(axis=0)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-6), dtype=np.float32)

    def without_meet(self, row: int) -> Target:
        return replace(self, meets=self.meets.without(row))

    def without_lookalike(self, row: int) -> Target:
        return replace(self, lookalikes=self.lookalikes.without(row))


@dataclass(frozen=True)
class Ear:
    """A rubric made ready for listening."""

    criteria: tuple[Target, ...]
    misconceptions: tuple[Target, ...]
    question: NDArray[np.float32]


def phrase_texts(rubric: Rubric, question: Question) -> tuple[str, ...]:
    """Every text of a rubric whose vector an `Ear` needs."""
    found: list[str] = []
    for c in rubric.talk:
        found += [c.says[x] for x in LANGUAGES]
        for part in (c.meets, c.lookalikes):
            found += [t for x in LANGUAGES for t in (part[x] if part else ())]
    for m in rubric.misconceptions:
        found += [m.belief[x] for x in LANGUAGES] + [t for x in LANGUAGES for t in m.sounds_like[x]]
    found += [text[x] for text in (question.text, question.rephrased) for x in LANGUAGES]
    return tuple(found)


def make_ear(rubric: Rubric, question: Question, embedder: Embedder) -> Ear:
    """Embed a rubric's phrasings. The cost is one vector a phrasing, about 250 a rubric."""
    meets = {c.id: _phrases(c.says, _given(c, "meets"), embedder) for c in rubric.talk}
    looks = {c.id: _phrases(None, _given(c, "lookalikes"), embedder) for c in rubric.talk}
    beliefs = {m.id: _phrases(m.belief, m.sounds_like, embedder) for m in rubric.misconceptions}

    def others(own: str, close: Sequence[str] = ()) -> NDArray[np.float32]:
        rest = [p.vectors for key, p in (meets | beliefs).items() if key != own and key not in close]
        return np.concatenate(rest) if rest else np.zeros((0, embedder.dimension), dtype=np.float32)

    criteria = []
    for c in rubric.talk:
        against = [m.id for m in rubric.misconceptions if c.id in m.contradicts]
        lookalikes = _join([looks[c.id], *(beliefs[m] for m in against)])
        criteria.append(Target(c.id, meets[c.id], lookalikes, others(c.id, against)))
    return Ear(
        criteria=tuple(criteria),
        misconceptions=tuple(_misconception(m, meets, beliefs, others) for m in rubric.misconceptions),
        question=embedder.embed([t[x] for t in (question.text, question.rephrased) for x in LANGUAGES]),
    )


def _misconception(
    misconception: Misconception, meets: dict[str, Phrases], beliefs: dict[str, Phrases], others: object
) -> Target:
    right = [meets[c] for c in misconception.contradicts if c in meets] or list(meets.values())
    return Target(misconception.id, beliefs[misconception.id], _join(right), others(misconception.id))  # type: ignore[operator]


def span_features(
    target: Target,
    texts: Sequence[str],
    vectors: NDArray[np.float32],
    language: Language,
    question: NDArray[np.float32],
) -> NDArray[np.float64]:
    """(n, len(NAMES)) features of n spans with unit `vectors` (n, dimension) beside one target."""
    meets = vectors @ target.meets.vectors.T
    looks = vectors @ target.lookalikes.vectors.T
    same_m, same_l = target.meets.in_language(language), target.lookalikes.in_language(language)
    meets_any, looks_any = _greatest(meets), _greatest(looks)
    meets_same = _greatest(meets[:, same_m]) if same_m.any() else meets_any
    looks_same = _greatest(looks[:, same_l]) if same_l.any() else looks_any
    other = _greatest(vectors @ target.others.T)
    dense = np.stack(
        [
            meets_same,
            meets_any,
            _top3(meets),
            vectors @ target.centre,
            looks_any,
            meets_same - looks_same,
            meets_any - looks_any,
            _top3(meets) - _top3(looks),
            other,
            meets_any - other,
            _greatest(vectors @ question.T),
        ],
        axis=1,
    )
    near_m = _nearest(meets, same_m)
    near_l = _nearest(looks, same_l)
    worded = [
        _word_features(text, target.meets.texts[m], target.lookalikes.texts[k] if k >= 0 else "")
        for text, m, k in zip(texts, near_m, near_l, strict=True)
    ]
    return np.concatenate([dense, np.array(worded, dtype=np.float64).reshape(len(texts), -1)], axis=1)


def _word_features(text: str, phrasing: str, lookalike: str) -> tuple[float, ...]:
    own, right = negated(text), negated(phrasing)
    wrong = negated(lookalike) if lookalike else right
    shared = overlap(text, phrasing)
    return (
        shared,
        shared - overlap(text, lookalike),
        float(own != right),
        float(own != right) - float(own != wrong),
        float(conflicts(text, phrasing)),
        float(conflicts(text, phrasing) - conflicts(text, lookalike)),
        float(agreements(text, phrasing)),
        float(np.log1p(words(text))),
        float(text.rstrip().endswith(("?", "？"))),
    )


def _given(criterion: Criterion, part: str) -> LocalTexts:
    texts = getattr(criterion, part)
    assert isinstance(texts, LocalTexts)  # Criterion's validator: a talk criterion has both
    return texts


def _phrases(first: LocalText | None, texts: LocalTexts, embedder: Embedder) -> Phrases:
    listed: list[tuple[str, Language, int]] = []
    for language in LANGUAGES:
        if first is not None:
            listed.append((first[language], language, 0))
        listed += [(text, language, row) for row, text in enumerate(texts[language], start=1)]
    vectors = embedder.embed([text for text, _, _ in listed])
    return Phrases(
        tuple(t for t, _, _ in listed), tuple(x for _, x, _ in listed), tuple(r for *_, r in listed), vectors
    )


def _join(parts: Sequence[Phrases]) -> Phrases:
    """Several groups as one; only the first group's rows stay meaningful for `without`."""
    rows: list[int] = []
    for i, part in enumerate(parts):
        rows += [row + 1000 * i for row in part.rows]
    return Phrases(
        tuple(t for p in parts for t in p.texts),
        tuple(x for p in parts for x in p.languages),
        tuple(rows),
        np.concatenate([p.vectors for p in parts]),
    )


def _greatest(similarities: NDArray[np.float32]) -> NDArray[np.float32]:
    if not similarities.shape[1]:
        return np.zeros(similarities.shape[0], dtype=np.float32)
    return np.asarray(similarities.max(axis=1))


def _top3(similarities: NDArray[np.float32]) -> NDArray[np.float32]:
    k = min(3, similarities.shape[1])
    if not k:
        return np.zeros(similarities.shape[0], dtype=np.float32)
    return np.asarray(np.partition(similarities, -k, axis=1)[:, -k:].mean(axis=1))


def _nearest(similarities: NDArray[np.float32], preferred: NDArray[np.bool_]) -> list[int]:
    """Index of each row's nearest phrase, in the answer's language where it has one; -1 where there is no phrase."""
    if not similarities.shape[1]:
        return [-1] * similarities.shape[0]
    masked = np.where(preferred, similarities, -2.0) if preferred.any() else similarities
    return [int(i) for i in masked.argmax(axis=1)]
