"""The start form: choices in, settings out."""

from __future__ import annotations

from typing import Any

import pytest

from interviewer.bank import Bank
from interviewer.domain import LANGUAGES, Language
from interviewer.errors import UsageError
from interviewer.policy import plan
from interviewer.ui.setup_form import has_drafts, possible, question_choices, settings, summarise, topic_choices
from tests.builders import mini_bank
from tests.test_drafts import draft

FORM: tuple[Any, ...] = ("ru", "", [], 3, "practice", "yes", [], 0, False)


def changed(**changes: Any) -> tuple[Any, ...]:
    names = ("language", "level", "topics", "count", "mode", "code", "exact", "seed", "drafts")
    return tuple(changes.get(name, value) for name, value in zip(names, FORM, strict=True))


def test_the_form_becomes_settings() -> None:
    """Everything that was chosen arrives."""
    found = settings(
        changed(level="junior", topics=["training"], count=5, mode="exam", code="no", exact=["dropout"], seed=7)
    )
    assert (found.language, found.level, found.topics, found.count) == ("ru", "junior", ("training",), 5)
    assert (found.mode, found.code, found.questions, found.seed) == ("exam", False, ("dropout",), 7)


@pytest.mark.parametrize("bad", [{"count": 1000}, {"level": "guru"}, {"topics": ["../etc"]}, {"seed": -1}])
def test_a_form_that_makes_no_sense_is_refused(bad: dict[str, Any]) -> None:
    """A request made by hand is no exception."""
    with pytest.raises(UsageError):
        settings(changed(**bad))


@pytest.mark.parametrize("language", LANGUAGES)
def test_topics_carry_their_counts(bank: Bank, language: Language) -> None:
    """The counts of a level add up to its questions; a topic without one is not offered."""
    choices = topic_choices(bank, changed(level="junior"), language)
    total = sum(int(label.rsplit("·", 1)[1]) for label, _ in choices)
    assert total == sum(q.level == "junior" for q in bank.questions.values())


def test_the_summary_counts_what_will_be_asked(bank: Bank) -> None:
    """As many as the plan has."""
    values = changed(level="junior", count=16)
    asked = len(plan(bank, settings(values)))
    assert f"{asked} of {asked}" in summarise(bank, values, "en")
    assert "Nothing matches" in summarise(bank, changed(level="senior", topics=["data"]), "en")


def test_drafts_join_when_their_box_is_ticked() -> None:
    """In the pool, in the topics, in the settings; the box is there only when a draft is."""
    drafted = mini_bank().with_drafts([draft()])
    assert [has_drafts(drafted, language) for language in LANGUAGES] == [False, True, False]
    assert not has_drafts(mini_bank(), "ru")
    for ticked in (False, True):
        values = changed(drafts=ticked, count=16)
        assert settings(values).drafts is ticked
        assert ("imported" in dict(map(reversed, topic_choices(drafted, values, "en")))) is ticked
        assert (draft().id in dict(map(reversed, question_choices(drafted, values, "en")))) is ticked
        assert f"{2 + ticked} of {2 + ticked}" in summarise(drafted, values, "en")
    assert "2 of 2" in summarise(drafted, changed(drafts=True, language="zh", count=16), "en")


def test_what_another_language_does_not_have_is_dropped() -> None:
    """A draft and its topic leave the choice with their language; the bank's own stay."""
    drafted = mini_bank().with_drafts([draft()])
    own = next(iter(mini_bank().questions.values()))
    values = changed(drafts=True, topics=["imported", own.topic], exact=[draft().id, own.id])
    assert possible(drafted, values) == values
    assert possible(drafted, ("zh", *values[1:])) == changed(
        language="zh", drafts=True, topics=[own.topic], exact=[own.id]
    )
