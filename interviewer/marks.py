"""The words that decided something, marked where the candidate said them."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from interviewer.report import QuestionReport


@dataclass(frozen=True)
class Mark:
    """A stretch of an answer that decided something. `owner` is a criterion's or misconception's id."""

    start: int
    end: int
    owner: str
    outcome: str
    why: str


def marks(row: QuestionReport, seq: int) -> tuple[Mark, ...]:
    """What the judge quoted from the turn recorded as event `seq`."""
    found = [Mark(c.start, c.end, c.id, c.outcome, c.says) for c in row.criteria if c.seq == seq and c.quote]
    found += [Mark(p.start, p.end, p.id, "not_met", p.belief) for p in row.penalties if p.seq == seq]
    return tuple(found)


def marked(text: str, found: tuple[Mark, ...]) -> str:
    """Escaped text in which each quote is a <mark> of its outcome; where quotes overlap, the shorter one wins.

    >>> marked("a <b> c", (Mark(2, 5, "x", "met", "why"),))
    'a <mark class="met" data-c="x" title="why">&lt;b&gt;</mark> c'
    """
    owners: list[Mark | None] = [None] * len(text)
    for mark in sorted(found, key=lambda m: m.start - m.end):
        for position in range(mark.start, min(mark.end, len(text))):
            owners[position] = mark
    pieces, start = [], 0
    for position in range(1, len(text) + 1):
        if position == len(text) or owners[position] is not owners[start]:
            piece, owner = escape(text[start:position]), owners[start]
            pieces.append(
                piece
                if owner is None
                else f'<mark class="{owner.outcome}" data-c="{owner.owner}" title="{escape(owner.why)}">{piece}</mark>'
            )
            start = position
    return "".join(pieces)
