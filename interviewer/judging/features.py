"""What an answer looks like beside each target: similarity, contrast, competition, words, polarity, structure.

Two steps. Every span of the answer is described beside every target (SPAN names the columns). Then an answer is
described beside a target: the best of its spans, the greatest value of each column, the same relative to the other
targets (an answer that is close to everything says nothing in particular), and the answer's average. The features know
nothing of a particular criterion, so a head trained on some rubrics serves all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from interviewer.domain import Language
from interviewer.judging.ear import Ear, Target
from interviewer.judging.lean import lean
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
    "lean",  # which side of the line between the phrasings and everything else
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
    "lean",
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

WORDED = 10
"""Spans, nearest first, that are compared word by word with their nearest phrasing; the rest get zeros."""

Table = list["NDArray[np.float64]"]

_AT = {name: i for i, name in enumerate(SPAN)}
_GREATEST_AT = [_AT[name] for name in GREATEST]


@dataclass(frozen=True)
class Described:
    """`features` (targets, len(NAMES)), and for each target the index of the span that says it best."""

    features: NDArray[np.float64]
    best: tuple[int, ...]


def describe(ear: Ear, texts: Sequence[str], vectors: NDArray[np.float32], language: Language) -> tuple[Table, Table]:
    """Span features of an answer of n >= 1 spans with unit `vectors` (n, dimension): criteria, misconceptions.

    Each is one (n, len(SPAN)) array a target.
    """
    similar = vectors @ ear.matrix.T
    voiced = np.stack([similar[:, columns].max(axis=1) for columns in ear.voices], axis=1)
    echo = similar[:, ear.question].max(axis=1)
    return (
        [_span_features(ear, t, texts, vectors, similar, voiced, echo, language) for t in ear.criteria],
        [_span_features(ear, t, texts, vectors, similar, voiced, echo, language) for t in ear.misconceptions],
    )


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


def _span_features(  # noqa: PLR0913 - one pass over what `describe` has computed
    ear: Ear,
    target: Target,
    texts: Sequence[str],
    vectors: NDArray[np.float32],
    similar: NDArray[np.float32],
    voiced: NDArray[np.float32],
    echo: NDArray[np.float32],
    language: Language,
) -> NDArray[np.float64]:
    """(n, len(SPAN)) features of n spans beside one target."""
    meets, looks = similar[:, target.meets.every], similar[:, target.lookalikes.every]
    own_m, own_l = target.meets.of[language], target.lookalikes.of[language]
    meets_any, looks_any = meets.max(axis=1), looks.max(axis=1)
    meets_same, looks_same = similar[:, own_m].max(axis=1), similar[:, own_l].max(axis=1)
    other = voiced[:, list(target.rivals)].max(axis=1) if target.rivals else np.zeros_like(meets_any)
    top_m, top_l = _top3(meets), _top3(looks)
    dense = np.stack(
        [
            meets_same,
            meets_any,
            top_m,
            similar[:, target.centre],
            looks_any,
            meets_same - looks_same,
            meets_any - looks_any,
            top_m - top_l,
            other,
            meets_any - other,
            lean(vectors, target.line),
            echo,
        ],
        axis=1,
    )
    worded = np.zeros((len(texts), len(SPAN) - dense.shape[1]))
    for i in np.argsort(-meets_same)[:WORDED]:
        phrasing = ear.texts[own_m[int(similar[i, own_m].argmax())]]
        lookalike = ear.texts[own_l[int(similar[i, own_l].argmax())]]
        worded[i] = _word_features(texts[i], phrasing, lookalike)
    return np.concatenate([dense, worded], axis=1)


def _word_features(text: str, phrasing: str, lookalike: str) -> tuple[float, ...]:
    own, right, wrong = negated(text), negated(phrasing), negated(lookalike)
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


def _top3(similarities: NDArray[np.float32]) -> NDArray[np.float32]:
    k = min(3, similarities.shape[1])
    return np.asarray(np.partition(similarities, -k, axis=1)[:, -k:].mean(axis=1))
