"""Questions and answers in turns: marked by words ("Question 1", "Ответ:", "答："), or as Markdown headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from interviewer.importing.facts import Facts, answer_mark, facts_of, question_mark
from interviewer.importing.lines import Found, Item, Line, Unreadable, joined

FOOTER = 60
"""Characters of a last line that may be a footer."""

_HEADING = re.compile(r"^(#{1,6})\s+(\S.*?)\s*#*$")
_NUMBER = re.compile(r"^(?:\*\*)?\d{1,4}[.)、]\s*")
_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)")


def has_pairs(rows: Sequence[Line]) -> bool:
    """Whether lines are marked as questions, and others as their answers."""
    questions = sum(question_mark(row.text) is not None for row in rows)
    answers = sum(answer_mark(row.text) is not None for row in rows)
    return questions >= 2 or (questions == 1 and answers >= 1)


def read_pairs(rows: Sequence[Line]) -> Found:
    """One item a marked question; what follows the answer's mark up to the next question is its answer."""
    starts = [i for i, row in enumerate(rows) if question_mark(row.text) is not None]
    before = rows[: starts[0]]
    for row in before:
        if answer_mark(row.text) is not None:
            raise Unreadable(row.number, f"an answer before any question: {row.text.strip()!r:.60}")
    items, left_out = [], [row for row in before if row.text.strip()]
    for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        below = list(rows[start + 1 : end])
        if end == len(rows):
            left_out += _footer(below)
        items.append(_pair(rows[start], below))
    return Found("question and answer", tuple(items), tuple(left_out))


def _pair(first: Line, below: Sequence[Line]) -> Item:
    text, answer, facts, answering = [question_mark(first.text) or ""], [], Facts(None, None), False
    for row in below:
        marked = answer_mark(row.text) if not answering else None
        given = facts_of(row.text)
        if marked is not None:
            answering, answer = True, [marked]
        elif given is not None:
            facts = Facts(facts.level or given.level, facts.frequency or given.frequency)
        elif answering:
            answer.append(row.text.rstrip())
        else:
            text.append(row.text)
    if not joined(text):
        raise Unreadable(first.number, f"a question without a text: {first.text.strip()!r:.60}")
    return Item(
        first.number, joined(text), answer="\n".join(answer).strip(), level=facts.level, frequency=facts.frequency
    )


def _footer(below: list[Line]) -> list[Line]:
    """Takes a last short line off when it stands alone and is no sentence: a page's footer, not part of an answer."""
    while below and not below[-1].text.strip():
        below.pop()
    alone = len(below) > 2 and not below[-2].text.strip() and answer_mark(below[-3].text) is None
    last = below[-1].text.strip() if below else ""
    if alone and len(last) <= FOOTER and not last.endswith((".", "!", "?", "…", "。", "！", "？", "`", ")", ":", "：")):
        return [below.pop()]
    return []


def has_question_headings(rows: Sequence[Line]) -> bool:
    """Whether Markdown headings ask something."""
    return any(title.endswith(("?", "？")) for _, _, title in _headings(rows))


def read_headings(rows: Sequence[Line]) -> Found:
    """One item a heading of the level at which most questions stand; what is below it is its answer."""
    headings = list(_headings(rows))
    asking = Counter(depth for _, depth, title in headings if title.endswith(("?", "？")))
    level = asking.most_common(1)[0][0]
    bounds = [index for index, depth, _ in headings if depth <= level] + [len(rows)]
    items, left_out = [], list(rows[: bounds[0]])
    for (index, depth, title), end in zip([h for h in headings if h[1] <= level], bounds[1:], strict=True):
        if depth < level:
            left_out += rows[index:end]
        else:
            items.append(_headed(rows[index].number, title, rows[index + 1 : end]))
    return Found("headings", tuple(items), tuple(row for row in left_out if row.text.strip()))


def _headed(line: int, title: str, below: Sequence[Line]) -> Item:
    answer, facts = [], Facts(None, None)
    for row in below:
        given, marked = facts_of(row.text), answer_mark(row.text)
        if given is not None:
            facts = Facts(facts.level or given.level, facts.frequency or given.frequency)
        else:
            answer.append(row.text.rstrip() if marked is None else marked)
    text = _NUMBER.sub("", title).strip("* ")
    if not text:
        raise Unreadable(line, "a heading without a text")
    return Item(line, text, answer="\n".join(answer).strip(), level=facts.level, frequency=facts.frequency)


def _headings(rows: Sequence[Line]) -> list[tuple[int, int, str]]:
    """(index, depth, text) of Markdown headings; a comment in a fenced block is none."""
    found, fenced = [], False
    for index, row in enumerate(rows):
        if _FENCE.match(row.text):
            fenced = not fenced
        elif not fenced and (match := _HEADING.match(row.text)) is not None:
            found.append((index, len(match[1]), match[2]))
    return found
