"""The trained head: numbers that can be read, and fit the features."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evals.train_judge import version_of
from interviewer.errors import OperatorError
from interviewer.judging.features import NAMES
from interviewer.judging.head import SHIPPED, Head

WIDTH = len(NAMES)


def spec(**changes: Any) -> dict[str, Any]:
    """A head that has learnt nothing."""
    blank = {"mean": [0.0] * WIDTH, "scale": [1.0] * WIDTH}
    return {
        "version": "0",
        "features": list(NAMES),
        "cuts": {"met": 0.5, "partial": 0.5, "misconception": 0.5},
        "asked_bonus": 1.0,
        "criterion": {**blank, "weights": [[0.0] * 3] * WIDTH, "bias": [0.0] * 3},
        "misconception": {**blank, "weights": [[0.0]] * WIDTH, "bias": [0.0]},
        **changes,
    }


def test_the_shipped_head_fits_the_features() -> None:
    """Names and shapes."""
    head = Head.load()
    assert head.version
    assert set(head.cuts) == {"met", "partial", "misconception"}
    assert head.criteria(np.zeros((2, WIDTH)), np.array([False, True])).shape == (2, 3)
    assert head.misconceptions(np.zeros((2, WIDTH))).shape == (2,)


def test_the_version_is_that_of_the_numbers() -> None:
    """Training with other weights or cuts on the same data gives another judge."""
    data = json.loads(SHIPPED.read_text(encoding="utf-8"))
    assert data["version"] == version_of(data)
    assert version_of({**data, "cuts": {**data["cuts"], "met": 0.9}}) != data["version"]


def test_the_shipped_head_is_finite() -> None:
    """No NaN, no infinity, no scale of zero."""
    data = json.loads(SHIPPED.read_text(encoding="utf-8"))
    for kind in ("criterion", "misconception"):
        for part in ("mean", "scale", "weights", "bias"):
            assert np.isfinite(np.array(data[kind][part])).all()
        assert (np.array(data[kind]["scale"]) > 0).all()


def test_a_head_for_other_features_is_the_operators(tmp_path: Path) -> None:
    """The error says how to train it again."""
    path = tmp_path / "old.json"
    path.write_text(json.dumps(spec(features=["one", "two"])), encoding="utf-8")
    with pytest.raises(OperatorError, match=r"old\.json was trained for other features") as caught:
        Head.load(path)
    assert "evals.train_judge" in caught.value.hint


def test_probabilities_add_up() -> None:
    """To one for each criterion, whatever the features."""
    wild = np.random.default_rng(0).normal(size=(50, WIDTH)) * 1e6
    odds = Head.load().criteria(wild, np.zeros(50, dtype=bool))
    assert np.allclose(odds.sum(axis=1), 1)
    assert ((Head.load().misconceptions(wild) >= 0) & (Head.load().misconceptions(wild) <= 1)).all()


def test_an_answer_to_a_follow_up_is_heard_more_kindly() -> None:
    """The bonus moves towards met: e / (2 + e) where nothing else speaks."""
    plain, asked = Head(spec()).criteria(np.zeros((2, WIDTH)), np.array([False, True]))
    assert plain == pytest.approx([1 / 3] * 3)
    assert asked[2] == pytest.approx(np.e / (2 + np.e))


def test_far_features_are_clipped() -> None:
    """An answer like none before cannot drive a probability to the end of the scale."""
    weights = [[0.0, 0.0, 1.0]] + [[0.0] * 3] * (WIDTH - 1)
    head = Head(spec(criterion={**spec()["criterion"], "weights": weights}))
    near, far = np.zeros((1, WIDTH)), np.zeros((1, WIDTH))
    near[0, 0], far[0, 0] = 4.0, 1e9
    no = np.array([False])
    assert np.allclose(head.criteria(near, no), head.criteria(far, no))
