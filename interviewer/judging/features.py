"""What an answer looks like beside each target: similarity, contrast, competition, words, polarity, structure.

Two steps. Every span of the answer is described beside every target (SPAN names the columns). Then an answer is described
beside a target: the best of its spans, the greatest value of each column, the same relative to the other targets (an
answer that is close to everything says nothing in particular), and the answer's average. The features know nothing of a
particular criterion, so a head trained on some rubrics serves all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from interviewer.domain import Language
from interviewer.judging.ear import Target
from interviewer.judging.polarity import agreements, conflicts, negated
from interviewer.judging.spans import words
from interviewer.judging.words import overlap

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPAN = (
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

GREATEST = (
    "meets_same",
    "meets_any",
    "meets_top3",
    "meets_centre",
    "margin_same",
    "margin_any",
    "margin_top3",
    "margin_other",
    "overlap",
    "overlap_margin",
    "lookalike_any",
    "other",
    "agreements",
)

NAMES = (
    *(f"max {name}" for name in GREATEST),
    *(f"best {name}" for name in SPAN),
    *(f"near {name}" for name in SPAN),
    *(f"relative {name}" for name in GREATEST),
    *(f"answer {name}" for name in GREATEST),
    "answer log_words",
)

_AT = {name: i for i, name in enumerate(SPAN)}
_GREATEST_AT = [_AT[name] for name in GREATEST]


@dataclass(frozen=True)
class Described:
    """`features` (targets, len(NAMES)), and for each target the index of the span that says it best."""

    features: NDArray[np.float64]
    best: tuple[int, ...]


def describe(
    targets: Sequence[Target],
    texts: Sequence[str],
    vectors: NDArray[np.float32],
    language: Language,
    question: NDArray[np.float32],
) -> Described:
    """An answer of n >= 1 spans with unit `vectors` (n, dimension) beside each of the targets."""
    table = [span_features(target, texts, vectors, language, question) for target in targets]
    return pool(table)


def pool(table: Sequence[NDArray[np.float64]]) -> Described:
    """Span features (n, len(SPAN)) of each target -> features of the whole answer."""
    greatest = np.array([spans[:, _GREATEST_AT].max(axis=0) for spans in table])
    best = [int(np.argmax(_worth(spans))) for spans in table]
    near = [int(np.argmax(spans[:, _AT["meets_any"]])) for spans in table]
    average = greatest.mean(axis=0)
    length = float(np.max([spans[:, _AT["log_words"]].max() for spans in table]))
    rows = [
        np.concatenate([greatest[i], spans[best[i]], spans[near[i]], greatest[i] - average, average, [length]])
        for i, spans in enumerate(table)
    ]
    return Described(np.array(rows), tuple(best))


def _worth(spans: NDArray[np.float64]) -> NDArray[np.float64]:
    """What makes one span better evidence than another: it is this target's and nobody else's, in its words."""
    worth = spans[:, _AT["margin_other"]] + spans[:, _AT["overlap"]] + 0.5 * spans[:, _AT["margin_any"]]
    return np.asarray(worth - 0.02 * spans[:, _AT["log_words"]])


def span_features(
    target: Target, texts: Sequence[str], vectors: NDArray[np.float32], language: Language, question: NDArray[np.float32]
) -> NDArray[np.float64]:
    """(n, len(SPAN)) features of n spans beside one target."""
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
    near_m, near_l = _nearest(meets, same_m), _nearest(looks, same_l)
    worded = [
        _word_features(text, target.meets.texts[m], target.lookalikes.texts[k] if k >= 0 else "")
        for text, m, k in zip(texts, near_m, near_l, strict=True)
    ]
    return np.concatenate([dense, np.array(worded, dtype=np.float64).reshape(len(texts), -1)], axis=1)


def _word_features(text: str, phrasing: str, lookalike: str) -> tuple[float, ...]:
    own, right = negated(text), negated(phrasing)
    wrong = negated(lookalike) if lookalike else right
    shared = overlap(text, phrasing)
    opposite = conflicts(text, phrasing)
    return (
        shared,
        shared - overlap(text, lookalike),
        float(own != right),
        float(own != right) - float(own != wrong),
        float(opposite),
        float(opposite - conflicts(text, lookalike)),
        float(agreements(text, phrasing)),
        float(np.log1p(words(text))),
        float(text.rstrip().endswith(("?", "？"))),
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
