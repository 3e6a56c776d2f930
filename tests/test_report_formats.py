"""Reports as Markdown, JSON and HTML: golden files, and foreign words that stay inert."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.domain import LANGUAGES, Language
from interviewer.labels import labels
from interviewer.report import CriterionRow, Report, make_report
from interviewer.report_formats import FORMATS, fenced, headline, highlighted, md_escape, points, prices, to_dict
from interviewer.session import State
from tests.builders import mini_bank
from tests.small_report import small_report

TAGS = set(
    "html head meta title style body main h1 h2 h3 p section div i table thead tbody tr th td strong span em ol ul li "
    "br details summary pre code mark".split()
)
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "</p></details><iframe src=//evil.example>",
    "<a href='javascript:alert(1)'>first</a>",
    "</style><script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
)


class Seen(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_looks_as_agreed(golden: Callable[[str, str], None], language: Language, name: str) -> None:
    """Read the difference, then write it anew if it is meant."""
    golden(f"report_{language}.{name}", FORMATS[name](small_report(language)))


def test_the_json_contract() -> None:
    """Keys that the command line promised; more may be added."""
    data = to_dict(small_report())
    assert set(data) >= {"session_id", "language", "score", "coverage", "questions"}
    question = data["questions"][0]
    assert set(question) >= {"id", "score", "possible", "criteria", "turns"}
    assert set(question["criteria"][0]) >= {"id", "by", "weight", "outcome", "quote"}
    assert set(question["turns"][0]) >= {"role", "kind", "text"}
    assert {c["by"] for q in data["questions"] for c in q["criteria"]} == {"talk", "tests"}


def test_json_of_nothing_has_no_score() -> None:
    """null, not 0 and not NaN."""
    data: dict[str, Any] = json.loads(FORMATS["json"](empty()))
    assert data["score"] is None
    assert data["coverage"] == 0


def empty() -> Report:
    return make_report("s", State(), mini_bank())


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_report_can_be_written(name: str) -> None:
    """In each format."""
    text = FORMATS[name](empty())
    assert "None" not in text
    assert "nan" not in re.sub(r"<style>.*</style>", "", text.lower(), flags=re.DOTALL)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_an_answer_stays_text_in_html(hostile: str) -> None:
    """No tag, no attribute and no handler of the candidate's; the words are shown as typed."""
    seen = Seen(FORMATS["html"](small_report(said=f"first {hostile} wrong-way", code=hostile)))
    assert set(seen.tags) <= TAGS
    assert not {name for name in seen.attributes if name.startswith("on") or name in ("href", "src")}
    assert hostile in seen.text


def test_html_is_self_contained() -> None:
    """No script, no link, nothing from elsewhere, and a policy that forbids it."""
    page = FORMATS["html"](small_report())
    assert "default-src 'none'" in page
    assert not re.findall(r"<script|<link|@import|url\(|https?://", page)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_an_answer_stays_text_in_markdown(hostile: str) -> None:
    """No raw HTML outside code blocks."""
    text = FORMATS["md"](small_report(said=f"first {hostile} wrong-way", code=hostile))
    prose = re.sub(r"^(`{3,})python\n.*?\n\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert "<" not in prose


@pytest.mark.parametrize(
    "hostile",
    ["[a](http://evil.example)", "![a](x)", "| a | b |", "# title", "**bold**", "`code`", "a\n\n- b", "$$x$$"],
)
def test_markup_of_an_answer_is_escaped(hostile: str) -> None:
    """A quote cannot end its table cell, make a link or begin a heading."""
    text = FORMATS["md"](small_report(said=f"first {hostile}"))
    shown = next(line for line in text.splitlines() if line.startswith("- **You:** first"))
    rest = shown.removeprefix("- **You:** ")
    assert not re.search(r"(?<!\\)[\[\]|`*#$!]", rest)


def test_code_cannot_leave_its_fence() -> None:
    """The fence is longer than any run of backticks inside."""
    text = fenced("x = '''\n```\n# heading\n`````\n'''", "python")
    fence = text.split("python", 1)[0]
    assert len(fence) == 6
    assert text.endswith("\n" + fence)


@given(st.text(max_size=80))
def test_escaped_markdown_is_one_line_without_markup(text: str) -> None:
    """For any text."""
    escaped = md_escape(text)
    assert "\n" not in escaped
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_\[\]|#~!$]", escaped)
    assert "<" not in escaped
    assert ">" not in escaped


def row(start: int, end: int, outcome: str = "met", says: str = "It.") -> CriterionRow:
    return CriterionRow.model_validate(
        {"id": "c", "by": "talk", "weight": 1, "senior": False, "says": says, "outcome": outcome, "confidence": 1}
        | {"help": "none", "earned": 1, "quote": "q", "seq": 2, "start": start, "end": end}
    )


def test_a_quote_is_marked_where_it_stands() -> None:
    """With its outcome and what it shows."""
    marked = highlighted("they add up", [row(5, 8)])
    assert marked == 'they <mark class="met" title="It.">add</mark> up'


def test_of_overlapping_quotes_the_shorter_wins() -> None:
    """Both are visible."""
    marked = highlighted("abcdef", [row(0, 6, "met"), row(2, 4, "partial")])
    assert re.findall(r'<mark class="(\w+)"[^>]*>(\w+)</mark>', marked) == [
        ("met", "ab"),
        ("partial", "cd"),
        ("met", "ef"),
    ]


def test_what_a_criterion_says_cannot_leave_its_attribute() -> None:
    """Quotation marks are escaped."""
    assert 'title="a &quot;b&quot;"' in highlighted("x", [row(0, 1, says='a "b"')])


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 80), st.integers(1, 80)), max_size=5))
def test_marking_loses_no_text(text: str, ranges: list[tuple[int, int]]) -> None:
    """Whatever the offsets say."""
    marked = highlighted(text, [row(a, a + b) for a, b in ranges])
    seen = Seen(f"<p>{marked}</p>")
    assert seen.text == text.replace("\r\n", "\n").replace("\r", "\n") or seen.text == text
    assert set(seen.tags) <= {"p", "mark"}


def test_prices_are_told() -> None:
    """What help costs stands in each report."""
    assert "80%" in prices(labels("en"))
    assert "50%" in prices(labels("en"))


def test_numbers_have_no_needless_zeros() -> None:
    """3 rather than 3.0."""
    assert points(3.0, 4.0) == "3 / 4"
    assert points(2.4, 4.0) == "2.4 / 4"


def test_the_headline_of_nothing_says_so() -> None:
    """Not "0 of 100"."""
    assert headline(empty(), labels("en")) == "Nothing was scored yet."
