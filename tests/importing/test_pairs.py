"""Questions and answers in turns, and Markdown headings with answers below."""

from __future__ import annotations

import pytest

from interviewer.importing import read_questions
from interviewer.importing.lines import Unreadable

PAIRS = {
    "en": "Engineer\n\nQuestion 1\n\nWhy cache?\n\nAccepted Answer\n\nIt is fast.\n\nAnd cheap.\n\n"
    "Question 2\n\nWhy not?\n\n"
    "Accepted Answer\n\nIt goes stale.\n\nMore Engineer questions",
    "ru": "Вопрос 1: Зачем кэш?\nОтвет: Это быстро.\n\nИ дёшево.\nВопрос 2: А почему нет?\nОтвет: Он устаревает.\n",
    "zh": "问题1：为什么要缓存？\n答案：很快。\n\n也便宜。\n问题2：为什么不用？\n答案：会过期。\n",
}
MARKDOWN = """\
# Questions

Some words before.

## Storage

### 1. What is a B-tree?
*Senior · asked often*

A balanced tree. It keeps pages full.

```python
# What is this?
x = 1
```

### Explain a write-ahead log.

**A:** Changes are logged first.

## Networks

### Why TCP?

#### Details

It retransmits.
"""


@pytest.mark.parametrize("language", PAIRS)
def test_marked_questions_and_answers(language: str) -> None:
    """Two questions and their answers, paragraphs kept; a page's footer is left out of the last answer."""
    found = read_questions("qa.txt", PAIRS[language].encode())
    assert found.shape == "question and answer"
    assert [i.language for i in found.items] == [language] * 2
    assert "\n\n" in found.items[0].answer
    assert found.items[1].answer in ("It goes stale.", "Он устаревает.", "会过期。")
    assert [line.number for line in found.left_out] == ([1, 21] if language == "en" else [])


@pytest.mark.parametrize(
    "text",
    [
        "Q: Why?\nA: So.\n\nQ: How?\nA: Thus.\n",
        "**Q:** Why?\n**A:** So.\n**Q:** How?\n**A:** Thus.\n",
        "- Q1. Why?\n- A1. So.\n- Q2. How?\n- A2. Thus.\n",
        "## Question 1\nWhy?\n## Answer\nSo.\n## Question 2\nHow?\n## Answer\nThus.\n",
        "1. Q: Why?\nA: So.\n2. Q: How?\nA: Thus.\n",
    ],
)
def test_marks_come_in_many_clothes(text: str) -> None:
    """Letters, bold, lists, headings."""
    assert [(i.text, i.answer) for i in read_questions("qa.md", text.encode()).items] == [
        ("Why?", "So."),
        ("How?", "Thus."),
    ]


def test_headings_with_answers_below() -> None:
    """The level on which questions are asked makes the items; higher headings are sections, lower ones the answer."""
    found = read_questions("notes.md", MARKDOWN.encode())
    assert found.shape == "headings"
    assert [i.text for i in found.items] == ["What is a B-tree?", "Explain a write-ahead log.", "Why TCP?"]
    assert (found.items[0].level, found.items[0].frequency) == ("senior", "common")
    assert "# What is this?" in found.items[0].answer
    assert found.items[1].answer == "Changes are logged first."
    assert found.items[2].answer.endswith("It retransmits.")


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("A: So.\nQ: Why?\nA: Thus.\n", 1, "an answer before any question"),
        ("Q: Why?\nA: So.\nQ:\nA: Thus.\n", 3, "a question without a text"),
    ],
)
def test_what_is_not_understood_is_named_with_its_line(text: str, line: int, what: str) -> None:
    """Half a pair is no pair."""
    with pytest.raises(Unreadable, match=what) as refused:
        read_questions("qa.txt", text.encode())
    assert refused.value.line == line
