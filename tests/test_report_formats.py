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
from interviewer.report import Report, make_report
from interviewer.report_formats import FORMATS, fenced, headline, md_escape, points, prices, sandbox_line, to_dict
from interviewer.session import State
from tests.builders import mini_bank, sandbox_result
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
    shown = next(line for line in text.splitlines() if line.startswith("- **You**: first"))
    rest = shown.removeprefix("- **You**: ")
    assert not re.search(r"(?<!\\)[\[\]|`*#$!]", rest)


@pytest.mark.parametrize(
    "address", ["http://evil.example", "HTTPS://evil.example", "www.evil.example", "a@evil.example"]
)
def test_an_address_does_not_become_a_link(address: str) -> None:
    """Sites that show Markdown make links of bare addresses; escaped, they stay what was typed."""
    escaped = md_escape(f"see {address} now")
    assert not re.search(r"(?i)https?://|www\.|(?<!\\)@", escaped)
    assert re.sub(r"\\(?=[:.@])", "", escaped) == f"see {address} now"


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


def test_the_headline_has_one_mark_between_its_parts() -> None:
    """In every language."""
    for language in LANGUAGES:
        line = headline(small_report(language), labels(language))
        assert line.count(" · ") == 2
        assert not re.search(r"[.。] ·|[.。]$", line)


@pytest.mark.parametrize("name", ["md", "html"])
def test_chinese_has_its_own_marks(name: str) -> None:
    """A half-width colon or bracket after a Chinese character was forgotten."""
    text = re.sub(r"<style>.*</style>", "", FORMATS[name](small_report("zh")), flags=re.DOTALL)
    assert not re.findall(r"[\u4e00-\u9fff](?:\*\*|</strong>)?(?::| \()", text)


def test_a_sandbox_without_layers_has_no_brackets() -> None:
    """Nothing stands between them."""
    result = sandbox_result({}, "passed")
    assert sandbox_line(result.model_copy(update={"layers": ()}), labels("en")) == f"Sandbox: {result.backend}"
    walls = result.model_copy(update={"layers": ("rlimits", "brand-new")})
    assert sandbox_line(walls, labels("zh")) == f"沙箱：{result.backend}（资源限额, brand-new）"
