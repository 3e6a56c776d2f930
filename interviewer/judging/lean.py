"""Which way a sentence leans: a line between what says a point and what only seems to, drawn for each target.

The nearest phrasing alone cannot tell a statement from its contrary, since their vectors lie close together. All
phrasings of a target together show in which direction of the vector space the difference lies. Ridge regression finds
it: the phrasings are wanted at 1, look-alikes and other targets' phrasings at -1, each group with a weight of its own
however many members it has (Hoerl and Kennedy 1970, in the dual form, as there are fewer phrasings than dimensions).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

RIDGE = 1.0
SEEMING_WEIGHT = 0.5
ELSEWHERE_WEIGHT = 0.5
ELSEWHERE_MOST = 150
"""Phrasings of other targets that are used, evenly spread: more of them cost time and change little."""
OFFSET = 0.7
"""The constant appended to each unit vector, so that the line need not pass through the origin."""


def direction(
    said: NDArray[np.float32], seeming: NDArray[np.float32], elsewhere: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Weights (dimension + 1,) of the line between unit vectors (n, dimension); `said` must not be empty."""
    step = max(1, -(-len(elsewhere) // ELSEWHERE_MOST))
    groups = [(said, 1.0, 1.0), (seeming, SEEMING_WEIGHT, -1.0), (elsewhere[::step], ELSEWHERE_WEIGHT, -1.0)]
    groups = [g for g in groups if len(g[0])]
    rows = np.concatenate([_with_offset(vectors) for vectors, _, _ in groups]).astype(np.float64)
    wanted = np.concatenate([np.full(len(vectors), side) for vectors, _, side in groups])
    weight = np.concatenate([np.full(len(vectors), share / len(vectors)) for vectors, share, _ in groups])
    weight *= len(weight) / weight.sum()
    dual = np.linalg.solve(rows @ rows.T + np.diag(RIDGE / weight), wanted)
    return np.asarray(rows.T @ dual, dtype=np.float32)


def lean(vectors: NDArray[np.float32], line: NDArray[np.float32]) -> NDArray[np.float32]:
    """Where unit vectors (n, dimension) lie: near 1 among what says the point, near -1 among the rest."""
    return np.asarray(_with_offset(vectors) @ line)


def _with_offset(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.concatenate([vectors, np.full((len(vectors), 1), OFFSET, dtype=np.float32)], axis=1)
