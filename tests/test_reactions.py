"""The short reaction: names what was good, never what is still open."""

from __future__ import annotations

import pytest

from interviewer.domain import LANGUAGES, Language, Turn
from interviewer.reactions import newly_met, react, react_to_code
from interviewer.session import QuestionState
from interviewer.speech import speech
from tests.builders import ALPHA_RUBRIC, answer, judgement, sandbox_result, verdict


def state(*met: str, seq: int = 2, last: str = "answer") -> QuestionState:
    """alpha with the answer of event 2 and these criteria met by a quote from event `seq`."""
    turns: tuple[Turn, ...] = (answer("words"),)
    if last != "answer":
        turns = (*turns, Turn(seq=6, role="candidate", kind=last, text=""))
    return QuestionState(question="alpha", turns=turns, judgement=judgement(*(verdict(c, seq=seq) for c in met)))


def never(text: str) -> bool:
    return False


def test_one_point_is_named() -> None:
    """By its nod."""
    assert react(ALPHA_RUBRIC, state("second"), "en", 0, never) == "Right: that 3-point fact."


def test_two_points_are_named_heaviest_first() -> None:
    """Not more than two."""
    said = react(ALPHA_RUBRIC, state("third", "fourth", "first"), "en", 0, never)
    assert said == "Right: that 4-point fact; and that 2-point fact."


def test_what_was_met_before_is_not_praised_again() -> None:
    """The quote is from an earlier answer."""
    assert newly_met(ALPHA_RUBRIC, state("first", seq=0)) == ()
    assert react(ALPHA_RUBRIC, state("first", seq=0), "en", 0, never) in speech("en").plain


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", range(5))
def test_an_answer_without_points_is_taken_in_plainly(language: Language, number: int) -> None:
    """No praise."""
    assert react(ALPHA_RUBRIC, state(), language, number, never) in speech(language).plain


def test_before_a_judgement_there_is_nothing_to_name() -> None:
    """A reaction never waits."""
    assert newly_met(ALPHA_RUBRIC, QuestionState(question="alpha", turns=(answer("words"),))) == ()


def test_a_sentence_that_leaks_is_replaced() -> None:
    """By a smaller one, and by a plain one when that leaks as well."""
    both = react(ALPHA_RUBRIC, state("first", "second"), "en", 0, lambda text: "4-point" in text)
    assert both == "Right: that 3-point fact."
    assert react(ALPHA_RUBRIC, state("first", "second"), "en", 0, lambda text: True) in speech("en").plain


@pytest.mark.parametrize("language", LANGUAGES)
def test_not_knowing_is_accepted(language: Language) -> None:
    """Calmly, whatever was met before."""
    said = react(ALPHA_RUBRIC, state("first", last="dont_know"), language, 1, never)
    assert said in speech(language).dont_know


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_skip_is_accepted(language: Language) -> None:
    """Calmly too."""
    assert react(ALPHA_RUBRIC, state("first", last="skip"), language, 1, never) in speech(language).skipped


def test_the_number_chooses_the_variant() -> None:
    """A replay says the same, a long interview does not repeat itself."""
    said = [react(ALPHA_RUBRIC, state("first"), "en", number, never) for number in range(8)]
    assert said[:4] == said[4:]
    assert len(set(said)) == 4


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", range(3))
def test_code_gets_its_count(language: Language, number: int) -> None:
    """Passed and total, and nothing is left unfilled."""
    result = sandbox_result({"check_shape": "passed", "check_value": "failed"})
    checked = QuestionState(question="beta", checked=result)
    said = react_to_code(checked, 2, language, number)
    assert "1" in said
    assert "2" in said
    assert "{" not in said


def test_code_that_passed_is_told_so() -> None:
    """All checks."""
    result = sandbox_result({"check_shape": "passed", "check_value": "passed"}, "passed")
    assert react_to_code(QuestionState(question="beta", checked=result), 2, "en", 0) == "All 2 checks pass."


def test_code_that_was_never_checked_is_left() -> None:
    """Nothing to count."""
    assert react_to_code(QuestionState(question="beta"), 2, "en", 0) in speech("en").skipped
