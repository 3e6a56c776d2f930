"""Foreign text becomes inert HTML."""

from __future__ import annotations

import doctest
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.marks import Mark, marked
from interviewer.ui import feedback, markup
from interviewer.ui.markup import clipped, plain, prose, visible

HOSTILE = (
    "<script>window.hit=1</script>",
    "<img src=x onerror=window.hit=1>",
    "[x](javascript:window.hit=1)",
    "![x](http://evil.example/p.png)",
    "```\n<script>window.hit=1</script>\n```",
    "`<svg onload=window.hit=1>`",
    "**<iframe src=//evil.example>**",
    "- <a href='javascript:window.hit=1'>x</a>",
    "</div></pre><style>*{display:none}</style>",
    "שלום \u202e evil \u0007 \x00",
    "\ud800 lone",
)
ALLOWED = {"p", "ul", "li", "pre", "code", "strong"}


class Tags(HTMLParser):
    """Collects what a browser would see as tags."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, tuple[str, ...]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, tuple(name for name, _ in attrs)))


def tags(html: str) -> list[tuple[str, tuple[str, ...]]]:
    parser = Tags()
    parser.feed(html)
    return parser.seen


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("render", [plain, prose])
def test_nothing_foreign_becomes_a_tag(render: object, text: str) -> None:
    """Only our own few tags come out, none with an attribute."""
    html = render(text)  # type: ignore[operator]
    assert {tag for tag, _ in tags(html)} <= ALLOWED
    assert all(not attributes for _, attributes in tags(html))
    html.encode("utf-8")


@given(st.text(max_size=300))
def test_whatever_is_typed_stays_inert(text: str) -> None:
    """No text at all makes a tag beyond ours."""
    for html in (plain(text), prose(text), marked(text, (Mark(1, 5, "x", "met", text),))):
        assert {tag for tag, _ in tags(html)} <= ALLOWED | {"mark"}
        html.encode("utf-8")


def test_fences_lists_and_bold_have_their_shape() -> None:
    """The interviewer's prose is laid out; a star inside code stays a star."""
    html = prose("Write it.\n\n- `a**b**`\n- **two**\n\n```python\nx = 1 < 2\n```")
    assert html == (
        "<p>Write it.</p><ul><li><code>a**b**</code></li><li><strong>two</strong></li></ul><pre>x = 1 &lt; 2</pre>"
    )


def test_chinese_lines_join_without_a_space() -> None:
    """A line break inside Chinese prose is no space."""
    assert prose("梯度\n累加") == "<p>梯度累加</p>"


def test_an_unclosed_fence_is_still_code() -> None:
    """Somebody forgot the closing fence."""
    assert plain("see\n```\na < b") == "see<pre>a &lt; b</pre>"


def test_a_long_text_is_clipped_and_counted() -> None:
    """Nothing is lost silently."""
    shown, left = clipped("x" * (markup.SHOWN + 7))
    assert (len(shown), left) == (markup.SHOWN, 7)


def test_a_lone_surrogate_does_not_stop_the_page() -> None:
    """It could not be sent to a browser."""
    assert visible("a\ud800b") == "a?b"


@pytest.mark.parametrize("module", [markup, feedback])
def test_examples_in_docstrings_hold(module: object) -> None:
    """What a docstring shows is what happens."""
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]
