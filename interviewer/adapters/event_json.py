"""Events as JSON text and back: the one format every store keeps."""

from __future__ import annotations

import json
from typing import Any

from interviewer.adapters.cleaning import well_formed
from interviewer.events import EVENT, Event


def to_json(event: Event) -> str:
    """JSON in plain ASCII, so that any database takes it. Lone surrogates become U+FFFD instead of raising."""
    return json.dumps(_well_formed(event.model_dump(mode="json")))


def from_json(text: str) -> Event:
    """The event back. Raises ValueError on damaged JSON, an unknown type or an unknown field."""
    return EVENT.validate_json(text)


def _well_formed(value: Any) -> Any:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, list):
        return [_well_formed(item) for item in value]
    if isinstance(value, dict):
        return {_well_formed(key): _well_formed(item) for key, item in value.items()}
    return value
