"""Content words of three languages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from interviewer.judging.words import overlap, tokens


def test_function_words_are_left_out() -> None:
    """In both alphabets."""
    assert tokens("the is of and") == tokens("и в на что это") == frozenset()


def test_inflected_words_meet() -> None:
    """Six letters are stem enough."""
    assert tokens("accumulate") == tokens("accumulation")
    assert tokens("градиенты") == tokens("градиентов")
    assert tokens("ещё") == tokens("еще")


def test_chinese_is_cut_into_pairs() -> None:
    """There are no spaces to cut at."""
    assert tokens("梯度累加") == {"梯度", "度累", "累加"}
    assert tokens("梯") == {"梯"}


def test_dotted_names_give_their_parts() -> None:
    """So that optimizer.zero_grad() meets zero_grad()."""
    assert "zero_grad" in tokens("optimizer.zero_grad()")


def test_overlap_is_a_share_of_the_other() -> None:
    """Of its content words, not of one's own."""
    assert overlap("gradients add up every time", "gradients add") == 1
    assert overlap("gradients", "gradients add") == 0.5
    assert overlap("anything", "") == overlap("anything", "the") == 0


@given(st.text(st.characters()), st.text(st.characters()))
def test_overlap_is_between_0_and_1(text: str, other: str) -> None:
    """For any texts."""
    assert 0 <= overlap(text, other) <= 1
