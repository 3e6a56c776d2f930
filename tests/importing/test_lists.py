"""Numbered lists and outlines, in three languages."""

from __future__ import annotations

import pytest

from interviewer.importing import read_questions
from interviewer.importing.lines import Item, Unreadable

RUSSIAN = """\
Вопросы на собеседование

1. Зачем нужен пул соединений?
   Junior· спрашивают почти всегда· полный разбор — Где-то
2. Как устроен планировщик
   и кто ему помогает?
   Senior
3. Что такое барьер памяти?
   Средний · часто
"""
CHINESE = """\
面试题

一、基础概念

1. 队列 (Queue): 解释队列的概念，以及它与栈的区别。

2. 递归： 说明递归的优缺点。

二、项目实践

常见的任务例如：

1. 缓存: 实现一个 LRU 缓存。

三、面试技巧

1. 表达清晰: 尽量使用简洁的语言。

祝你面试顺利！
"""


def read(text: str, name: str = "list.txt") -> tuple[Item, ...]:
    return read_questions(name, text.encode()).items


def test_a_numbered_list_with_level_lines() -> None:
    """The line below a question gives its level and how often it is asked; remarks after them are left out."""
    found = read_questions("list.txt", RUSSIAN.encode())
    assert found.shape == "numbered list"
    assert [(i.line, i.level, i.frequency) for i in found.items] == [
        (3, "junior", "very_common"),
        (5, "senior", None),
        (8, "middle", "common"),
    ]
    assert found.items[1].text == "Как устроен планировщик и кто ему помогает?"
    assert {i.language for i in found.items} == {"ru"}
    assert [line.number for line in found.left_out] == [1]


@pytest.mark.parametrize(
    ("marks", "level", "frequency"),
    [
        ("(senior, asked often)", "senior", "common"),
        ("Level: Middle | Frequency: very common", "middle", "very_common"),
        ("难度：高级，高频", "senior", "very_common"),
        ("*初级*", "junior", None),
        ("Уровень: старший; редко", "senior", "common"),
    ],
)
def test_levels_are_said_in_many_ways(marks: str, level: str, frequency: str | None) -> None:
    """In three languages, in brackets, with names before them."""
    (item,) = read(f"1) Why?\n   {marks}\n")
    assert (item.level, item.frequency, item.answer) == (level, frequency, "")


def test_an_outline_of_terms() -> None:
    """Each item's term is its title; items of a section on interviewing are skills; prose is left out, and listed."""
    found = read_questions("outline.txt", CHINESE.encode())
    assert found.shape == "outline"
    assert [(i.title, i.kind) for i in found.items] == [
        ("队列 (Queue)", "question"),
        ("递归", "question"),
        ("缓存", "question"),
        ("表达清晰", "skill"),
    ]
    assert found.items[1].text == "说明递归的优缺点。"
    assert {i.language for i in found.items} == {"zh"}
    assert [line.text for line in found.left_out if "祝" in line.text or "例如" in line.text] == [
        "常见的任务例如：",
        "祝你面试顺利！",
    ]


@pytest.mark.parametrize(
    "heads",
    [("I. Basics", "II. Soft skills"), ("## Basics", "## Interview tips"), ("Part 1. Basics", "Part 2. Advice")],
)
def test_outlines_have_many_kinds_of_headings(heads: tuple[str, str]) -> None:
    """Roman numbers, Markdown, words."""
    first, second = heads
    found = read(f"{first}\n1. Heap: what it is for\n2. Trie: when it wins\n{second}\n1. Calm: breathe\n")
    assert [(i.title, i.kind) for i in found] == [("Heap", "question"), ("Trie", "question"), ("Calm", "skill")]


def test_answers_may_stand_below_questions() -> None:
    """After a mark, a blank line or a finished sentence; indented numbers belong to the answer."""
    items = read("1. What is a heap?\nA tree.\n  1. complete\n  2. ordered\n2. Why?\n\nBecause.\n3. How\nAnswer: so.\n")
    assert [i.answer for i in items] == ["A tree.\n1. complete\n2. ordered", "Because.", "so."]
    assert [i.text for i in items] == ["What is a heap?", "Why?", "How"]


def test_bullets_make_a_list_too() -> None:
    """When nothing is numbered."""
    assert [i.text for i in read("Ask:\n- What is a heap?\n- And a trie?\n")] == ["What is a heap?", "And a trie?"]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("1. One?\n2. Two?\n4. Four?\n", 3, "item 4 follows item 2"),
        ("Just some prose.\nAnd more of it.\n", 1, "no question is found"),
        ("\n\n", 1, "no question is found"),
        ("", 1, "no question is found"),
    ],
)
def test_what_is_not_understood_is_named_with_its_line(text: str, line: int, what: str) -> None:
    """And nothing is guessed."""
    with pytest.raises(Unreadable, match=what) as refused:
        read(text)
    assert refused.value.line == line
    assert str(refused.value).startswith(f"line {line}: ")
