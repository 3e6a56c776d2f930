"""Text -> inert HTML. Whatever a candidate or a model wrote is escaped first and only then given its few shapes.

Nothing here produces a link, an image, a style or a script, so foreign text has nothing to load or to run.
"""

from __future__ import annotations

import re
from html import escape

SHOWN = 6_000
"""Characters of one message on the page; the rest is kept, counted and reachable in the report."""

_FENCE = re.compile(r"^```[^\n`]*\n(.*?)(?:\n```[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"`([^`\n]+)`|\*\*((?:`[^`\n]+`|[^*`\n])+)\*\*")


def plain(text: str) -> str:
    """Escaped text with code fences as <pre> and `code` as <code>; for what a candidate wrote.

    >>> plain("see `x < 1`")
    'see <code>x &lt; 1</code>'
    """
    return "".join(f"<pre>{escape(part)}</pre>" if code else _inline(part) for code, part in _fences(visible(text)))


def prose(text: str) -> str:
    """Paragraphs, lists, fences, `code` and **bold**, all escaped; for what the bank and the interviewer say.

    >>> prose("a\\n\\n- b\\n- **c**")
    '<p>a</p><ul><li>b</li><li><strong>c</strong></li></ul>'
    """
    out = []
    for code, part in _fences(visible(text)):
        if code:
            out.append(f"<pre>{escape(part)}</pre>")
        else:
            out += [_block(block) for block in re.split(r"\n\s*\n", part) if block.strip()]
    return "".join(out)


def visible(text: str) -> str:
    """What of a text stands on the page: lone surrogates replaced, which no encoder takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def clipped(text: str) -> tuple[str, int]:
    """The first SHOWN characters, and how many are left out."""
    return text[:SHOWN], max(0, len(text) - SHOWN)


def _fences(text: str) -> list[tuple[bool, str]]:
    """Stretches of text in order: (inside a fence, the stretch)."""
    parts, end = [], 0
    for match in _FENCE.finditer(text):
        parts.append((False, text[end : match.start()].rstrip("\n")))
        parts.append((True, match.group(1)))
        end = match.end()
    parts.append((False, text[end:].lstrip("\n") if parts else text))
    return [(code, part) for code, part in parts if part]


def _block(block: str) -> str:
    """A paragraph and the list that follows it, if any."""
    lead: list[str] = []
    items: list[str] = []
    for line in block.strip().splitlines():
        bullet = re.match(r"\s*[-*] +(.*)", line)
        if bullet:
            items.append(bullet.group(1))
        elif items:
            items[-1] += " " + line.strip()
        else:
            lead.append(line.strip())
    paragraph = f"<p>{_inline(_joined(lead))}</p>" if lead else ""
    return paragraph + (f"<ul>{''.join(f'<li>{_inline(i)}</li>' for i in items)}</ul>" if items else "")


def _joined(lines: list[str]) -> str:
    """One line of several; no space where Chinese meets Chinese."""
    text = " ".join(lines)
    return re.sub(r"(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff\uff00-\uffef])", "", text)


def _inline(text: str) -> str:
    """Escaped, with `code`, **bold** and **bold around `code`**; stars inside code stay as they are."""
    pieces, end = [], 0
    for match in _SPAN.finditer(text):
        code, bold = match.groups()
        pieces.append(escape(text[end : match.start()]))
        pieces.append(f"<strong>{_inline(bold)}</strong>" if code is None else f"<code>{escape(code)}</code>")
        end = match.end()
    return "".join(pieces) + escape(text[end:])
