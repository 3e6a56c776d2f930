"""Spans: slices of the candidate's own words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interviewer.judging.spans import MAX_CHARS, MAX_SPANS, spans, words
from tests.builders import answer

TALK = st.lists(
    st.sampled_from(
        ["gradients add up", "потому что", "梯度会累加", ".", "。", ", ", "！", "\n", " but ", "?", "，", " "]
    )
).map("".join)


def texts(text: str) -> list[str]:
    return [span.text for span in spans(answer(text))]


@given(st.one_of(st.text(st.characters(), max_size=400), TALK))
def test_a_span_is_a_verbatim_slice(text: str) -> None:
    """For any text: the quote stands where the offsets say, and is trimmed."""
    for span in spans(answer(text)):
        assert text[span.start : span.end] == span.text == span.text.strip()
        assert (span.seq, span.evidence().quote) == (2, span.text)


@given(TALK)
def test_no_span_comes_twice(text: str) -> None:
    """Each stretch is looked at once."""
    places = [(span.start, span.end) for span in spans(answer(text))]
    assert len(places) == len(set(places))


@given(st.text(st.characters(), max_size=400))
def test_every_span_says_something(text: str) -> None:
    """Punctuation alone is no evidence."""
    assert all(any(c.isalnum() for c in span) or not span.isascii() for span in texts(text))


def test_sentences_are_spans() -> None:
    """And so are neighbouring pairs, since a point is often made in two."""
    assert texts("It adds. Then it grows. Done.") == [
        "It adds.",
        "It adds. Then it grows.",
        "Then it grows.",
        "Then it grows. Done.",
        "Done.",
    ]


def test_clauses_are_spans() -> None:
    """Of three words or more."""
    assert "so you must clear them" in texts("Yes, gradients add up there, so you must clear them")
    assert "Yes" not in texts("Yes, gradients add up there, so you must clear them")


def test_russian_clauses_are_spans() -> None:
    """Cut at conjunctions."""
    assert "потому что backward их складывает" in texts(
        "градиенты растут с каждым шагом потому что backward их складывает"
    )


def test_chinese_is_cut_without_spaces() -> None:
    """At full stops and at conjunctions."""
    found = texts("梯度会累加到里面。所以每次更新都要清零，否则方向就不对了。")
    assert "梯度会累加到里面。" in found
    assert any(span.startswith("否则") for span in found)


def test_blank_answers_have_no_spans() -> None:
    """Nor have dots and dashes."""
    assert [texts(text) for text in ("", "  \n ", "...", "—", "？！")] == [[]] * 5


def test_a_long_answer_is_bounded() -> None:
    """In what is read of it, and in how many spans."""
    found = spans(answer("One thing here. " * 20_000))
    assert len(found) <= MAX_SPANS
    assert max(span.end for span in found) <= MAX_CHARS


def test_one_endless_word_is_one_span() -> None:
    """200 kB without a space does no harm."""
    (span,) = spans(answer("x" * 200_000))
    assert span.end == MAX_CHARS


def test_words_are_counted_in_three_languages() -> None:
    """Two Chinese characters are about a word."""
    assert [words(text) for text in ("", "one two", "раз два три", "梯度会累加", "torch 梯度")] == [0, 2, 3, 3, 2]
