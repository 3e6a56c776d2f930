"""The trained part of the embedded judge: two logistic models over an answer's features.

Plain numpy and a JSON file, so that scoring needs no training library and the numbers can be read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from interviewer.errors import OperatorError
from interviewer.judging.features import NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHIPPED = Path(__file__).with_name("head.json")


@dataclass(frozen=True)
class Head:
    """Weights as written by `evals/train_judge.py`; `spec` is the JSON file's content."""

    spec: dict[str, Any]

    @classmethod
    def load(cls, path: Path = SHIPPED) -> Head:
        """Read a head. OperatorError when it was trained for other features."""
        spec = json.loads(path.read_text(encoding="utf-8"))
        if tuple(spec["features"]) != NAMES:
            raise OperatorError(
                f"{path.name} was trained for other features than this version computes",
                hint="train it again: python -m evals.train_judge",
            )
        return cls(spec)

    @property
    def version(self) -> str:
        return str(self.spec["version"])

    @property
    def cuts(self) -> dict[str, float]:
        """Probabilities from which an outcome is given: met, partial, misconception."""
        return dict(self.spec["cuts"])

    def criteria(self, features: NDArray[np.float64], asked: NDArray[np.bool_]) -> NDArray[np.float64]:
        """(n, 3) probabilities of not met, partial, met. `asked`: the best span answers a follow-up aimed at it."""
        logits = self._logits("criterion", features)
        logits[:, 2] += np.where(asked, self.spec["asked_bonus"], 0.0)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def misconceptions(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) probabilities that a misconception was really voiced."""
        return np.asarray(1 / (1 + np.exp(-self._logits("misconception", features)[:, 0])))

    @cached_property
    def _models(self) -> dict[str, tuple[NDArray[np.float64], ...]]:
        return {
            kind: tuple(np.array(self.spec[kind][part]) for part in ("mean", "scale", "weights", "bias"))
            for kind in ("criterion", "misconception")
        }

    def _logits(self, kind: str, features: NDArray[np.float64]) -> NDArray[np.float64]:
        mean, scale, weights, bias = self._models[kind]
        return np.asarray(np.clip((features - mean) / scale, -4, 4) @ weights + bias)
