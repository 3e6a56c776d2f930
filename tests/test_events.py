"""Events: a tagged union that survives JSON, and settings with bounds."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from interviewer.domain import Judgement
from interviewer.errors import UsageError
from interviewer.events import EVENT, Answered, Event, Judged, Recorded, Settings, read_settings
from tests.builders import NOON, judgement, verdict
from tests.walks import EVENTS


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_an_event_survives_json(event: Event) -> None:
    """Each event comes back as its own type with the same fields."""
    back = EVENT.validate_json(EVENT.dump_json(event))
    assert back == event
    assert type(back) is type(event)


def test_every_type_of_event_is_tried() -> None:
    """The table of sample events misses none."""
    assert set(EVENTS) == set(EVENT.json_schema()["discriminator"]["mapping"])


@pytest.mark.parametrize(
    "data",
    [
        {"type": "vanished"},
        {"question": "alpha", "text": "no type"},
        {"type": "answered", "question": "alpha", "text": "x", "extra": 1},
        {"type": "answered", "question": "Not A Slug", "text": "x"},
        {"type": "ended", "why": "bored"},
        {"type": "started", "settings": {}, "plan": [], "bank_hash": "", "version": ""},
    ],
)
def test_a_strange_event_is_refused(data: dict[str, Any]) -> None:
    """Unknown types, unknown fields and values out of range raise."""
    with pytest.raises(ValidationError):
        EVENT.validate_python(data)


@pytest.mark.parametrize(
    "fields", [{"count": 0}, {"count": 61}, {"seed": -1}, {"language": "de"}, {"level": "guru"}, {"mode": "fun"}]
)
def test_settings_have_bounds(fields: dict[str, Any]) -> None:
    """A setting that no interview can have is refused."""
    with pytest.raises(ValidationError):
        Settings.model_validate(fields)


def test_settings_have_defaults() -> None:
    """An interview can be started without choosing anything."""
    settings = Settings()
    assert (settings.language, settings.level, settings.count, settings.code, settings.mode) == (
        "en",
        None,
        5,
        True,
        "practice",
    )


def test_a_recorded_event_counts_from_0() -> None:
    """There is no place before the first."""
    with pytest.raises(ValidationError):
        Recorded(seq=-1, at=NOON, event=Answered(question="alpha", text="x"))


def test_a_judgement_keeps_its_evidence_in_json() -> None:
    """Quotes and their offsets are part of the log."""
    event = Judged(question="alpha", judgement=judgement(verdict("first")))
    back = EVENT.validate_json(EVENT.dump_json(event))
    assert isinstance(back, Judged)
    assert isinstance(back.judgement, Judgement)
    assert back.judgement.verdicts[0].evidence == event.judgement.verdicts[0].evidence


@pytest.mark.parametrize(
    ("chosen", "fault"),
    [
        ({"language": "de"}, r"^--language: Input should be 'en', 'ru' or 'zh' \(found 'de'\)"),
        ({"count": 0}, r"^--count: Input should be greater than or equal to 1 \(found 0\)"),
        ({"questions": "zero-grad"}, r"^--questions: expected a list of ids \(found 'zero-grad'\)"),
        ({"topics": ["No Slug"]}, r"^--topics: .*\(found 'No Slug'\)"),
    ],
)
def test_a_wrong_setting_is_named(chosen: dict[str, object], fault: str) -> None:
    """With what was found, and where to read more."""
    with pytest.raises(UsageError, match=fault) as caught:
        read_settings(chosen, prefix="--", hint="see the help")
    assert caught.value.hint == "see the help"
