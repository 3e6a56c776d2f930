"""The page says the same in three languages."""

from __future__ import annotations

import re

import pytest

from interviewer.domain import LANGUAGES
from interviewer.ui.texts import Texts, texts

FIELDS = tuple(Texts.model_fields)
SAME = {"minus", "out_of"}
"""Texts without words."""


def _flat(value: object) -> str:
    return " ".join(value.values()) if isinstance(value, dict) else str(value)


@pytest.mark.parametrize("field", FIELDS)
def test_every_text_has_the_same_places_in_every_language(field: str) -> None:
    """A value that one language shows is shown by the others."""
    places = {lang: sorted(re.findall(r"{(\w+)}", _flat(getattr(texts(lang), field)))) for lang in LANGUAGES}
    assert places["ru"] == places["zh"] == places["en"]


@pytest.mark.parametrize("field", [f for f in FIELDS if f not in SAME])
def test_no_text_was_left_in_english(field: str) -> None:
    """Russian texts have Cyrillic letters, Chinese ones Chinese characters."""
    assert re.search("[а-яё]", _flat(getattr(texts("ru"), field)).lower())
    assert re.search("[一-鿿]", _flat(getattr(texts("zh"), field)))


def test_the_candidate_is_addressed_formally() -> None:
    """Russian says вы, Chinese 您."""
    russian = " ".join(_flat(getattr(texts("ru"), f)) for f in FIELDS).lower()
    chinese = " ".join(_flat(getattr(texts("zh"), f)) for f in FIELDS)
    assert not re.search(r"\b(ты|тебя|тебе|твой|твоя|твои|твоё)\b", russian)
    assert "你" not in chinese


def test_a_reason_of_the_model_has_a_sentence() -> None:
    """Whatever ModelFailed may say, and every phase, has words."""
    for lang in LANGUAGES:
        assert set(texts(lang).model_failed) == {"slow", "error", "leak", "empty", "language"}
        assert {"paused", "ended", "asking", "coding"} <= set(texts(lang).phase)
