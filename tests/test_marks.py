"""Quotes are marked where they stand, and no text is lost on the way."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from interviewer.marks import Mark, marked, marks
from tests.small_report import small_report


class Seen(HTMLParser):
    """Tags and text of a fragment."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def mark(start: int, end: int, owner: str = "c", outcome: str = "met", why: str = "It.") -> Mark:
    return Mark(start, end, owner, outcome, why)


def test_what_was_quoted_from_a_turn_is_found() -> None:
    """Criteria and misconceptions, each with the words that decided it."""
    row = small_report().questions[0]
    answer = next(t for t in row.turns if t.kind == "answer")
    found = {answer.text[m.start : m.end]: m.outcome for m in marks(row, answer.seq)}
    assert found == {"first": "met", "half-second": "partial", "off-track": "not_met"}
    assert marks(row, 999) == ()


def test_a_quote_is_marked_where_it_stands() -> None:
    """With its outcome, its owner and what it shows."""
    assert marked("they add up", (mark(5, 8),)) == 'they <mark class="met" data-c="c" title="It.">add</mark> up'


def test_of_overlapping_quotes_the_shorter_wins() -> None:
    """Both are visible."""
    html = marked("abcdef", (mark(0, 6, "long"), mark(2, 4, "short", "partial")))
    assert re.findall(r'data-c="(\w+)"[^>]*>(\w+)<', html) == [("long", "ab"), ("short", "cd"), ("long", "ef")]


def test_what_a_criterion_says_cannot_leave_its_attribute() -> None:
    """Quotation marks are escaped."""
    assert 'title="a &quot;b&quot;"' in marked("x", (mark(0, 1, why='a "b"'),))


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 80), st.integers(1, 80)), max_size=5))
def test_marking_loses_no_text(text: str, ranges: list[tuple[int, int]]) -> None:
    """Whatever the offsets say."""
    seen = Seen(f"<p>{marked(text, tuple(mark(a, a + b) for a, b in ranges))}</p>")
    assert seen.text == text.replace("\r\n", "\n").replace("\r", "\n") or seen.text == text
    assert seen.tags <= {"p", "mark"}
