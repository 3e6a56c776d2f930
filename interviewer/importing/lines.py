"""Bytes -> clean numbered lines, and what is found in them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Literal

from interviewer.cleaning import clean
from interviewer.domain import Language, Level
from interviewer.errors import UsageError

MAX_BYTES = 2_000_000
MAX_LINES = 50_000
MAX_ITEMS = 1_000
MAX_QUESTION = 2_000
MAX_ANSWER = 15_000
"""Caps of a file, and in characters of a question and an answer."""

Frequency = Literal["very_common", "common"]
Shape = Literal["numbered list", "outline", "question and answer", "headings", "CSV", "JSON lines"]

SHAPES = (
    "Viva reads numbered lists, question / answer pairs, outlines of 'term: what to explain', Markdown, CSV, JSON lines"
)


class Unreadable(UsageError):
    """A file that was not understood, and the line where."""

    def __init__(self, line: int, what: str, *, hint: str = SHAPES) -> None:
        super().__init__(f"line {line}: {what}", hint=hint)
        self.line = line


@dataclass(frozen=True)
class Line:
    """One line of a file, counted from 1, without its end."""

    number: int
    text: str


@dataclass(frozen=True)
class Item:
    """A question as a file has it. `skill` items are about the interview itself: how to speak, not what to know."""

    line: int
    text: str
    title: str = ""
    answer: str = ""
    level: Level | None = None
    frequency: Frequency | None = None
    language: Language | None = None
    kind: Literal["question", "skill"] = "question"


@dataclass(frozen=True)
class Found:
    """What a file came to. `left_out` are lines that belong to no item: titles, remarks, footers."""

    shape: Shape
    items: tuple[Item, ...]
    left_out: tuple[Line, ...] = ()

    def checked(self, language: Language | None) -> Found:
        """The same within the caps, each item with its language; Unreadable names the first one outside them."""
        if len(self.items) > MAX_ITEMS:
            raise Unreadable(self.items[MAX_ITEMS].line, f"more than {MAX_ITEMS} questions", hint="split the file")
        for item in self.items:
            for what, text, most in (("question", item.text, MAX_QUESTION), ("answer", item.answer, MAX_ANSWER)):
                if len(text) > most:
                    raise Unreadable(
                        item.line, f"the {what} has {len(text)} characters, at most {most} are read", hint="shorten it"
                    )
        spoken = (
            replace(i, language=language or i.language or language_of(f"{i.text} {i.answer}")) for i in self.items
        )
        return replace(self, items=tuple(spoken))


def lines_of(name: str, raw: bytes) -> tuple[Line, ...]:
    """The lines of a text file: UTF-8, or UTF-16 with its mark; controls are replaced by U+FFFD."""
    if len(raw) > MAX_BYTES:
        raise UsageError(f"{name[:80]}: {len(raw)} bytes, at most {MAX_BYTES} are read", hint="split the file")
    wide = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = raw.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise Unreadable(line, f"not UTF-8 text: {error.reason}", hint="save the file as UTF-8 text") from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise Unreadable(line, "not a text file: it contains NUL", hint="save the file as UTF-8 text")
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(rows) > MAX_LINES:
        raise Unreadable(MAX_LINES + 1, f"more than {MAX_LINES} lines", hint="split the file")
    return tuple(Line(number, harmless(row)) for number, row in enumerate(rows, start=1))


def harmless(text: str) -> str:
    """Text without controls, lone surrogates and marks that turn the direction of writing; tabs stay."""
    return "".join("\ufffd" if unicodedata.bidirectional(c) in _TURNS else c for c in clean(text))


_TURNS = frozenset("LRE RLE LRO RLO PDF LRI RLI FSI PDI".split())


def language_of(text: str) -> Language:
    """The language by script: a few Chinese characters or Cyrillic words stand out among API names.

    >>> language_of("Как работает DataLoader?"), language_of("解释 nn.Module 的作用"), language_of("What is a tensor?")
    ('ru', 'zh', 'en')
    """
    chinese, cyrillic = (len(re.findall(p, text)) for p in ("[一-鿿]", "[А-Яа-яЁё]"))
    if max(chinese * 3, cyrillic) * 12 < len(text):
        return "en"
    return "zh" if chinese * 3 >= cyrillic else "ru"


def joined(parts: list[str], language: Language | None = None) -> str:
    """Lines of one paragraph as one; Chinese needs no space between them."""
    kept = [part.strip() for part in parts if part.strip()]
    glue = "" if (language or language_of("".join(kept))) == "zh" else " "
    return glue.join(kept)
