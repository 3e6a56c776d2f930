"""Nouns: an invalid value cannot exist."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from interviewer.domain import Evidence, Exercise, LocalTexts, Question, Rubric, Score, Verdict
from tests.builders import ALPHA, ALPHA_RUBRIC, BELIEFS, EXERCISE, TALK, belief, by_tests, local, question, talk, thread


def test_a_noun_is_frozen() -> None:
    """No field of a value can be changed."""
    with pytest.raises(ValidationError, match="frozen"):
        ALPHA.level = "senior"


def test_a_noun_knows_its_fields() -> None:
    """An unknown field is refused by name."""
    with pytest.raises(ValidationError, match="colour"):
        question("alpha", colour="red")


def test_a_text_is_looked_up_by_language() -> None:
    """Each language gives its own text."""
    text = local("word")
    assert (text["en"], text["ru"], text["zh"]) == ("word", "word по-русски", "word 中文")


@pytest.mark.parametrize("missing", ["en", "ru", "zh"])
def test_no_language_may_be_missing(missing: str) -> None:
    """A text without one of the languages is refused."""
    texts = {language: text for language, text in local("word").model_dump().items() if language != missing}
    with pytest.raises(ValidationError, match=missing):
        question("alpha", title=texts)


def test_parallel_texts_have_the_same_number_in_each_language() -> None:
    """Lists of different lengths are refused, with the counts."""
    with pytest.raises(ValidationError, match="'en': 2, 'ru': 1, 'zh': 1"):
        LocalTexts(en=("one", "two"), ru=("раз",), zh=("一",))


def test_a_blank_text_is_refused() -> None:
    """White space is no text."""
    with pytest.raises(ValidationError, match="at least 1 character"):
        question("alpha", title={"en": " \n", "ru": "да", "zh": "是"})


@pytest.mark.parametrize("name", ["", "Zero-Grad", "zero_grad", "-a", "a--b", "a" * 61, "../etc"])
def test_an_id_is_a_slug(name: str) -> None:
    """Ids become file names and links: lower case words joined by single hyphens."""
    with pytest.raises(ValidationError):
        question(name)


@pytest.mark.parametrize("weight", [0, -1, 11])
def test_a_weight_is_1_to_10(weight: int) -> None:
    """Nothing is worth nothing, and no criterion drowns the others."""
    with pytest.raises(ValidationError):
        talk("first", weight)


@pytest.mark.parametrize("part", ["meets", "lookalikes", "probe", "hint"])
def test_a_talk_criterion_is_complete(part: str) -> None:
    """Without phrasings, probe or hint the judge or the interviewer has nothing to go by."""
    with pytest.raises(ValidationError, match="a talk criterion needs"):
        talk("first", 1, **{part: None})


def test_a_talk_criterion_has_no_checks() -> None:
    """Talk and tests do not mix in one criterion."""
    with pytest.raises(ValidationError, match="a talk criterion needs"):
        talk("first", 1, checks=("check_it",))


def test_a_tests_criterion_needs_checks() -> None:
    """Code is decided by something."""
    with pytest.raises(ValidationError, match="a tests criterion needs checks"):
        by_tests("works", 1)


def test_a_tests_criterion_has_no_probe() -> None:
    """Nothing is asked in words about what the checks decide."""
    with pytest.raises(ValidationError, match="a tests criterion needs checks"):
        talk("works", 1, by="tests", checks=("check_it",))


def test_a_rubric_names_ids_used_twice() -> None:
    """Criteria and misconceptions share one space of ids."""
    with pytest.raises(ValidationError, match="ids used twice: first"):
        Rubric(question="alpha", criteria=ALPHA_RUBRIC.criteria, misconceptions=(*BELIEFS, belief("first", 1)))


def test_a_misconception_contradicts_known_criteria() -> None:
    """A reference to nowhere is refused by name."""
    with pytest.raises(ValidationError, match=r"contradicts unknown \['nowhere'\]"):
        Rubric(
            question="alpha", criteria=ALPHA_RUBRIC.criteria, misconceptions=(*BELIEFS, belief("other", 1, "nowhere"))
        )


@pytest.mark.parametrize("count", [3, 8])
def test_a_rubric_has_4_to_7_criteria(count: int) -> None:
    """Fewer say too little, more cannot be asked about."""
    with pytest.raises(ValidationError):
        Rubric(question="alpha", criteria=tuple(talk(f"c-{i}", 1) for i in range(count)), misconceptions=BELIEFS)


def test_a_rubric_has_two_misconceptions() -> None:
    """One is not enough."""
    with pytest.raises(ValidationError):
        Rubric(question="alpha", criteria=(*TALK, talk("fourth", 1)), misconceptions=BELIEFS[:1])


@pytest.mark.parametrize("source", ["R", "B1", "Z VI.1", "Z I", "r1", "R1 "])
def test_sources_are_seed_items(source: str) -> None:
    """Only R n, A n and Z section.n name an item."""
    with pytest.raises(ValidationError):
        question("alpha", sources=[source])


@pytest.mark.parametrize("outcome", ["met", "partial"])
def test_no_quote_no_credit(outcome: str) -> None:
    """Credit without a quote or a test result cannot be expressed."""
    with pytest.raises(ValidationError, match="without a quote or a test result"):
        Verdict.model_validate({"criterion": "first", "outcome": outcome, "confidence": 1.0})


@pytest.mark.parametrize("outcome", ["not_met", "unsure"])
def test_no_credit_needs_no_quote(outcome: str) -> None:
    """Nothing found is a verdict as well."""
    assert Verdict.model_validate({"criterion": "first", "outcome": outcome, "confidence": 0.0}).evidence is None


@pytest.mark.parametrize(
    "fields",
    [
        {"seq": -1, "start": 0, "end": 1, "quote": "x"},
        {"seq": 0, "start": -1, "end": 1, "quote": "x"},
        {"seq": 0, "start": 0, "end": 0, "quote": "x"},
        {"seq": 0, "start": 0, "end": 1, "quote": ""},
    ],
)
def test_evidence_has_a_place_and_words(fields: dict[str, Any]) -> None:
    """A quote of nothing or from nowhere is refused."""
    with pytest.raises(ValidationError):
        Evidence.model_validate(fields)


def test_the_share_of_nothing_is_none() -> None:
    """Nothing to score is None, never 0 and never NaN."""
    assert Score(earned=0, possible=0, coverage=0).share is None
    assert Score(earned=1, possible=4, coverage=1).share == 0.25


def test_a_thread_tells_answers_from_other_turns() -> None:
    """Only what the candidate said counts as an answer."""
    told = thread("one", "two")
    skip = told.turns[0].model_copy(update={"kind": "skip"})
    asked = told.turns[0].model_copy(update={"role": "interviewer"})
    assert told.model_copy(update={"turns": (*told.turns, skip, asked)}).answers == told.turns


def test_a_rubric_tells_talk_from_tests() -> None:
    """Each criterion is decided one way."""
    rubric = Rubric(question="alpha", criteria=(*TALK, by_tests("works", 1, "check_it")), misconceptions=BELIEFS)
    assert [c.id for c in rubric.talk] == ["first", "second", "third"]
    assert [c.id for c in rubric.tests] == ["works"]
    assert rubric.criterion("third").senior


def test_a_starter_speaks_the_candidates_language() -> None:
    """The placeholder becomes the docstring, further lines indented like the first."""
    exercise = EXERCISE.model_copy(update={"docstring": local("One.\nTwo.")})
    assert exercise.starter_in("en") == 'def double(x):\n    """One.\n    Two."""\n'
    assert "Two. по-русски" in exercise.starter_in("ru")


def test_a_wrong_solution_names_a_check() -> None:
    """`killed_by` looks like the name of a check."""
    data = EXERCISE.model_dump()
    data["wrong"]["copies.py"]["killed_by"] = "nothing"
    with pytest.raises(ValidationError, match="killed_by"):
        Exercise.model_validate(data)


def test_a_question_survives_json() -> None:
    """What was written is what is read."""
    assert Question.model_validate_json(ALPHA.model_dump_json()) == ALPHA
