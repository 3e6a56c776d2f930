"""Numbered and bulleted lists, and outlines: sections of "term: what to explain"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from interviewer.importing.facts import Facts, answer_mark, facts_of
from interviewer.importing.lines import Found, Item, Line, Unreadable, joined

_NUMBERED = re.compile(r"^\s?(?:\*\*)?(\d{1,4})(?:[.)．](?:\s+|(?=[^\d\s]))|[、:：]\s*)(\S.*)$")
_BULLET = re.compile(r"^\s?[-*•–—]\s+(\S.*)$")
_SECTION = re.compile(
    r"^\s?(?:#{1,6}\s+(?!\d)|[一二三四五六七八九十]{1,3}[、.．]\s*|[IVX]{1,5}[.)]\s+|"
    r"(?:part|section|раздел|часть)\s+\w{1,8}\s*[.:]?\s*|第[一二三四五六七八九十\d]{1,3}(?:章|部分|节)[：:、]?\s*)(.*)$",
    re.IGNORECASE,
)
_TERM = re.compile(r"^(?P<term>[^:：?？]{1,80})[:：]\s*(?P<rest>\S.*)$", re.DOTALL)
_SKILLS = re.compile(
    r"技巧|建议|软技能|skills?\b|\btips?\b|advice|behaviou?r|навыки|советы|поведен|рекомендац", re.IGNORECASE
)


def has_outline(rows: Sequence[Line]) -> bool:
    """Whether numbered items stand below two headings or more, most of them a term with a colon."""
    heads, items = 0, []
    for row in rows:
        heads += _SECTION.match(row.text) is not None
        if match := _NUMBERED.match(row.text):
            items.append(match[2])
    return heads >= 2 and sum(_TERM.match(item) is not None for item in items) * 2 > len(items) > 0


def read_outline(rows: Sequence[Line]) -> Found:
    """Items of all sections; those of a section on interview skills are skills. Prose between them is left out."""
    items: list[Item] = []
    left_out: list[Line] = []
    skills, last, blank = False, 0, True
    for row in rows:
        if not row.text.strip():
            blank = True
        elif (match := _NUMBERED.match(row.text)) is not None:
            last = _follows(row, int(match[1]), last)
            items.append(_term(row.number, match[2], skill=skills))
            blank = False
        elif (head := _SECTION.match(row.text)) is not None:
            skills, last, blank = _SKILLS.search(head[1]) is not None, 0, True
            left_out.append(row)
        elif items and not blank and last:
            whole = joined([items[-1].text, row.text])
            items[-1] = Item(items[-1].line, whole, items[-1].title, kind=items[-1].kind)
        else:
            left_out.append(row)
    return Found("outline", tuple(items), tuple(left_out))


def read_list(rows: Sequence[Line]) -> Found:
    """One question an item; lines below it give its level and frequency, or its answer."""
    starts = [i for i, row in enumerate(rows) if _NUMBERED.match(row.text)]
    pattern = _NUMBERED if starts else _BULLET
    starts = starts or [i for i, row in enumerate(rows) if _BULLET.match(row.text)]
    if not starts:
        return Found("numbered list", ())
    items, last = [], 0
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        match = pattern.match(rows[start].text)
        assert match is not None
        if pattern is _NUMBERED:
            last = _follows(rows[start], int(match[1]), last)
        items.append(_item(rows[start].number, match[match.lastindex or 1], rows[start + 1 : end]))
    return Found("numbered list", tuple(items), tuple(row for row in rows[: starts[0]] if row.text.strip()))


def _follows(row: Line, number: int, last: int) -> int:
    """`number`, when it continues a list that is at `last` or starts one."""
    if number not in (last + 1, 1):
        raise Unreadable(
            row.number,
            f"item {number} follows item {last}: {row.text.strip()!r:.60}",
            hint="number the questions without gaps, and indent numbered lines that belong to an answer",
        )
    return number


def _item(line: int, first: str, below: Sequence[Line]) -> Item:
    text, answer, facts = [first.strip().removesuffix("**")], [], Facts(None, None)
    answering = False
    for row, after_blank in _with_blanks(below):
        given = facts_of(row.text)
        marked = answer_mark(row.text)
        if given is not None:
            facts = Facts(facts.level or given.level, facts.frequency or given.frequency)
        elif marked is not None:
            answering = True
            answer.append(marked)
        elif answering or after_blank or text[-1].endswith(("?", "？", ".", "。", "!", "！")):
            answering = True
            answer.append(("\n" if after_blank and answer else "") + row.text.strip())
        else:
            text.append(row.text)
    return Item(line, joined(text), answer="\n".join(answer).strip(), level=facts.level, frequency=facts.frequency)


def _with_blanks(rows: Sequence[Line]) -> Iterator[tuple[Line, bool]]:
    """Lines that say something, and whether a blank line stands before each."""
    blank = False
    for row in rows:
        if row.text.strip():
            yield row, blank
            blank = False
        else:
            blank = True


def _term(line: int, text: str, *, skill: bool) -> Item:
    match = _TERM.match(text.strip())
    title, rest = (match["term"].strip(), match["rest"].strip()) if match else ("", text.strip())
    return Item(line, rest, title, kind="skill" if skill else "question")
