"""Negation and opposites in three languages."""

from __future__ import annotations

import pytest

from interviewer.judging.polarity import POLES, agreements, conflicts, negated, poles


@pytest.mark.parametrize(
    "text",
    [
        "gradients do not add up",
        "it doesn't accumulate",
        "it doesn’t accumulate",
        "never cleared",
        "without a graph",
        "градиенты не копятся",
        "нет никакого накопления",
        "без графа",
        "梯度不会累加",
        "没有累加",
        "无需清零",
    ],
)
def test_a_negation_is_heard(text: str) -> None:
    """A word, a contraction, a character."""
    assert negated(text)


@pytest.mark.parametrize(
    "text",
    [
        "gradients add up",
        "wrap it in no_grad",
        "torch.no_grad() saves memory",
        "not only the weights but the biases",
        "it becomes NaN",
        "градиенты копятся",
        "не только веса",
        "небольшой буфер",
        "梯度会累加",
        "不同的参数",
        "不仅如此",
        "无论如何都会累加",
        "",
    ],
)
def test_what_only_looks_like_a_negation_is_none(text: str) -> None:
    """Names, fixed phrases, longer words."""
    assert not negated(text)


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("backward adds to .grad", "backward overwrites .grad"),
        ("clear before backward", "clear after backward"),
        ("they share memory", "it makes a copy"),
        ("backward прибавляет к .grad", "backward затирает .grad"),
        ("梯度会累加", "梯度会被覆盖"),
        ("backward adds to .grad", "梯度会被覆盖"),
    ],
)
def test_opposites_conflict(text: str, opposite: str) -> None:
    """Also across languages."""
    assert conflicts(text, opposite) >= 1
    assert agreements(text, text) >= 1
    assert conflicts(text, text) == 0


def test_both_poles_are_neither() -> None:
    """A comparison takes no side."""
    assert poles("it adds rather than overwrites")[0] == 0


def test_there_is_one_value_for_each_pair() -> None:
    """1, -1 or 0."""
    assert len(poles("adds before")) == len(POLES)
    assert set(poles("adds before more")) <= {-1, 0, 1}
