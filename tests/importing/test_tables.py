"""CSV and JSON lines."""

from __future__ import annotations

import json

import pytest

from interviewer.importing import read_questions
from interviewer.importing.lines import Unreadable


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", 'question,answer,level,frequency\n"Why, oh why?","So.\nThus.",Senior,always\nHow?,,,\n'),
        ("a.csv", 'Вопрос;Ответ;Уровень;Частота\nWhy, oh why?;"So.\nThus.";старший;почти всегда\nHow?;;;\n'),
        ("a.tsv", '题目\t答案\t难度\t频率\nWhy, oh why?\t"So.\nThus."\t高级\t必问\nHow?\t\t\t\n'),
        (
            "a.jsonl",
            '{"question": "Why, oh why?", "answer": "So.\\nThus.", "level": "Senior", "frequency": "always"}\n'
            '{"вопрос": "How?", "id": 7, "level": null}\n',
        ),
    ],
)
def test_tables_in_three_languages(name: str, text: str) -> None:
    """Columns are found by their names, whatever separates them; lines are counted through quoted cells."""
    first, second = read_questions(name, text.encode()).items
    assert (first.text, first.answer, first.level, first.frequency) == (
        "Why, oh why?",
        "So.\nThus.",
        "senior",
        "very_common",
    )
    assert (second.text, second.answer, second.level) == ("How?", "", None)
    assert (first.line, second.line) == ((2, 4) if name != "a.jsonl" else (1, 2))


def test_a_language_column_decides() -> None:
    """Over what the script suggests."""
    (item,) = read_questions("a.csv", b"question,language\nHow?,zh\n").items
    assert item.language == "zh"


@pytest.mark.parametrize(
    ("name", "text", "line", "what"),
    [
        ("a.csv", "id,text of it\n1,Why?\n", 1, "no column holds the questions"),
        ("a.csv", "question,question\nWhy?,How?\n", 1, "two columns hold the question"),
        ("a.csv", "question,answer\nWhy?,So.,Thus.\n", 2, "3 cells, the header has 2"),
        ("a.csv", 'question\nWhy?\n"How?\nNever closed\n', 3, "no CSV from here on"),
        ("a.csv", "question,level\nWhy?,guru\n", 2, "no level 'guru'"),
        ("a.csv", "question,frequency\nWhy?,thrice\n", 2, "no frequency 'thrice'"),
        ("a.csv", "question,lang\nWhy?,de\n", 2, "no language 'de'"),
        ("a.csv", "question,answer\n,So.\n", 2, "a row without a question"),
        ("a.jsonl", '{"question": "Why?"}\n{"question": \n', 2, "not JSON"),
        ("a.jsonl", '{"question": "Why?"}\n["How?"]\n', 2, "no object"),
        ("a.jsonl", '{"question": 7}\n', 1, "not a string: 7"),
        ("a.jsonl", '{"answer": "So."}\n', 1, "no key holds the question"),
        ("a.jsonl", "[" * 100_000 + "\n", 1, "not JSON"),
        ("a.json", '[\n{"question": "Why?"}\n]\n', 1, "not JSON"),
    ],
)
def test_what_is_not_understood_is_named_with_its_line(name: str, text: str, line: int, what: str) -> None:
    """And with what to do."""
    with pytest.raises(Unreadable, match=what) as refused:
        read_questions(name, text.encode())
    assert refused.value.line == line
    assert refused.value.hint


def test_escaped_surrogates_become_replacement_marks() -> None:
    """JSON can spell characters that no text may hold."""
    (item,) = read_questions("a.jsonl", json.dumps({"question": "Why \ud800?"}).encode()).items
    assert item.text == "Why \ufffd?"
