"""Words that report, page and terminal share."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from interviewer.bank import Bank
from interviewer.domain import LANGUAGES, LEVELS, CheckOutcome, Language, Outcome, SandboxVerdict
from interviewer.errors import AuthorError
from interviewer.labels import Labels, labels
from interviewer.phrasing import in_language
from interviewer.sandbox.confine import LAYERS
from interviewer.scoring import Help
from tests.sandbox_reasons import REASONS


def flat(language: Language) -> dict[str, str]:
    """Every text of a language by its dotted name."""
    data: dict[str, Any] = labels(language).model_dump()
    return {
        name if isinstance(value, str) else f"{name}.{key}": text
        for name, value in data.items()
        for key, text in ({"": value} if isinstance(value, str) else value).items()
    }


def test_every_language_has_the_same_words() -> None:
    """Also inside the maps."""
    assert set(flat("en")) == set(flat("ru")) == set(flat("zh"))


def test_the_same_placeholders_stand_in_every_language() -> None:
    """What is filled in for one must be there for all."""
    found = [{name: set(re.findall(r"\{(\w+)\}", text)) for name, text in flat(x).items()} for x in LANGUAGES]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_in_their_language(language: Language) -> None:
    """No English was left behind."""
    strange = {
        name: text for name, text in flat(language).items() if not in_language(re.sub(r"\{\w+\}", "", text), language)
    }
    assert strange == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_topic_has_a_label(bank: Bank, language: Language) -> None:
    """Of the bank that ships."""
    assert {q.topic for q in bank.questions.values()} <= set(labels(language).topic)


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("outcome", get_args(Outcome)),
        ("check", get_args(CheckOutcome)),
        ("level", LEVELS),
        ("help", get_args(Help)),
        ("verdict", get_args(SandboxVerdict)),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_has_a_label(language: Language, field: str, values: tuple[str, ...]) -> None:
    """Exactly those that can occur."""
    assert set(getattr(labels(language), field)) == set(values)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_the_sandbox_has_a_label(language: Language) -> None:
    """As the sandbox's source names them."""
    assert REASONS - set(labels(language).reason) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_layer_of_the_sandbox_has_a_label(language: Language) -> None:
    """Those of all backends, and the control groups that some machines add."""
    groups = {"cgroup v1", "cgroup v2"}
    assert {layer for layers in LAYERS.values() for layer in layers} | groups == set(labels(language).layer)


def test_an_unknown_language_is_named() -> None:
    """With the languages there are."""
    with pytest.raises(AuthorError, match="no labels for language 'de'"):
        labels("de")


def test_every_label_is_a_field() -> None:
    """An unknown word in a file is refused, so none is written in vain."""
    assert Labels.model_config["extra"] == "forbid"
