"""Items -> drafts: ids, titles, and a criterion for each claim of an accepted answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interviewer.drafts import Draft, DraftPoint
from interviewer.importing.claims import claims_of
from interviewer.importing.lines import Item, language_of

TITLE = 70
"""Characters of a title that is made from the question's text."""


def drafts_of(items: Sequence[Item], name: str) -> tuple[Draft, ...]:
    """One draft an item, numbered in the file's order. `name`: the file's, for ids and sources."""
    batch = batch_of(name)
    return tuple(_draft(item, f"draft-{batch}-{number:02d}", name) for number, item in enumerate(items, start=1))


def batch_of(name: str) -> str:
    """A file's name as part of an id.

    >>> batch_of("Interview questions (2024).md"), batch_of("вопросы.txt")
    ('interview-questions-2024', 'list')
    """
    stem = name.rpartition(".")[0] or name
    return re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:40].strip("-") or "list"


def _draft(item: Item, draft_id: str, name: str) -> Draft:
    language = item.language or language_of(item.text)
    points = tuple(
        DraftPoint(id=claim.id, weight=claim.weight, says=claim.says)
        for claim in (claims_of(item.answer, language) if item.kind == "question" else ())
    )
    return Draft(
        id=draft_id,
        kind=item.kind,
        language=language,
        level=item.level,
        frequency=item.frequency,
        title=item.title or _title(item.text),
        text=item.text,
        answer=item.answer or None,
        points=points,
        source=f"{name[:100]}, line {item.line}",
    )


def _title(text: str) -> str:
    """The first sentence, cut between words."""
    first = re.split(r"(?<=[?？。！])|(?<=[.!])\s", text.strip(), maxsplit=1)[0].strip() or text.strip()
    if len(first) <= TITLE:
        return first
    return (first[:TITLE].rsplit(" ", 1)[0] or first[:TITLE]).rstrip(" ,，;:") + "…"
