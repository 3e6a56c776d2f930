"""The trained part of the embedded judge: a small network over span features, then a calibration over answers.

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
    """Weights as trained by `evals/train_judge.py`; `spec` is the JSON file's content."""

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

    @cached_property
    def _arrays(self) -> tuple[NDArray[np.float64], ...]:
        return tuple(np.array(self.spec[name]) for name in ("mean", "scale", "hidden", "hidden_bias", "out"))

    def logits(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) log-odds that a span says the target, from (n, len(NAMES)) features."""
        mean, scale, hidden, hidden_bias, out = self._arrays
        inner = np.tanh(((features - mean) / scale) @ hidden + hidden_bias)
        return np.asarray(inner @ out + self.spec["out_bias"])

    def met(self, logit: float, *, asked: bool) -> float:
        """Probability that an answer whose best span has this log-odds meets the criterion in full."""
        return self._calibrated("met", logit, asked)

    def at_least_partial(self, logit: float, *, asked: bool) -> float:
        """Probability that it meets the criterion at least in part; never below `met`."""
        return max(self._calibrated("partial", logit, asked), self.met(logit, asked=asked))

    def voiced(self, logit: float) -> float:
        """Probability that a misconception was really voiced."""
        return self._calibrated("misconception", logit, False)

    def _calibrated(self, name: str, logit: float, asked: bool) -> float:
        slope, offset = self.spec["calibration"][name]
        bonus = self.spec["asked_bonus"] if asked else 0.0
        return float(1 / (1 + np.exp(-(slope * (logit + bonus) + offset))))
