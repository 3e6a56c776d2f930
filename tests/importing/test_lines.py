"""Hostile bytes: caps, encodings, controls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.errors import UsageError
from interviewer.importing import read_questions
from interviewer.importing.lines import MAX_ANSWER, MAX_BYTES, MAX_ITEMS, MAX_QUESTION, Unreadable


@pytest.mark.parametrize(
    ("raw", "line", "what"),
    [
        ("1. Зачем?\n".encode("cp1251"), 1, "not UTF-8"),
        (b"1. Why?\n2. How\xff?\n", 2, "not UTF-8"),
        (b"1. Why?\n\0", 2, "NUL"),
        (b"1. " + b"y" * (MAX_QUESTION + 1) + b"\n", 1, "characters"),
        (b"Q: Why?\nA: " + b"y" * (MAX_ANSWER + 1) + b"\n", 1, "characters"),
        (b"".join(b"%d. Why?\n" % n for n in range(1, MAX_ITEMS + 2)), MAX_ITEMS + 1, "more than"),
        (b"\n" * 60_000, 50_001, "more than 50000 lines"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_caps_and_encodings(raw: bytes, line: int, what: str) -> None:
    """Each refusal names the line."""
    with pytest.raises(Unreadable, match=what) as refused:
        read_questions("list.txt", raw)
    assert refused.value.line == line


def test_a_file_that_is_too_large_is_not_looked_at() -> None:
    """Two megabytes are enough for any list."""
    with pytest.raises(UsageError, match="at most"):
        read_questions("list.txt", b"x" * (MAX_BYTES + 1))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_marked_encodings_are_read(encoding: str) -> None:
    """As editors write them."""
    assert read_questions("list.txt", "1. Зачем?\r\n2. Как?\r\n".encode(encoding)).items[1].text == "Как?"


def test_controls_and_turned_text_are_made_visible() -> None:
    """Replaced one for one, in every shape."""
    text = "1. Why\x07 is \u202eevil\u202c <b>bold</b>?\n"
    (item,) = read_questions("list.txt", text.encode()).items
    assert item.text == "Why\ufffd is \ufffdevil\ufffd <b>bold</b>?"


@given(
    st.sampled_from(["a.txt", "a.md", "a.csv", "a.tsv", "a.jsonl"]),
    st.one_of(st.binary(max_size=200), st.text("1.2)#QAqa:答问 \n\t,;\"'?{}[]-一、Ⅰ*", max_size=120).map(str.encode)),
)
def test_no_file_does_more_than_be_refused(name: str, raw: bytes) -> None:
    """Whatever the bytes: items within the caps, or a UsageError."""
    try:
        found = read_questions(name, raw)
    except UsageError:
        return
    assert found.items
    assert all(item.text and 0 < len(item.text) <= MAX_QUESTION and item.language for item in found.items)
