"""The leak gate: what is still to be asked is not said."""

from __future__ import annotations

import pytest

from interviewer.bank import Bank
from interviewer.domain import LANGUAGES, Language, Question, Rubric
from interviewer.judging.embedded import EmbeddedJudge
from interviewer.judging.leak import LEAK, LeakGate
from tests.builders import ALPHA, ALPHA_RUBRIC, GATE, local, talk

OPEN = ("first", "second")


def test_an_open_criterion_is_not_named() -> None:
    """In rubric order."""
    assert GATE.leaks(ALPHA, ALPHA_RUBRIC, "second, then first", "en", OPEN) == OPEN


def test_a_closed_criterion_may_be_named() -> None:
    """It was shown already."""
    assert GATE.leaks(ALPHA, ALPHA_RUBRIC, "third", "en", OPEN) == ()


@pytest.mark.parametrize("text", ["", "  \n"])
def test_nothing_leaks_nothing(text: str) -> None:
    """Without asking the judge."""
    assert GATE.leaks(ALPHA, ALPHA_RUBRIC, text, "en", OPEN) == ()


def test_with_nothing_open_nothing_leaks() -> None:
    """All was shown."""
    assert GATE.leaks(ALPHA, ALPHA_RUBRIC, "first second third", "en", ()) == ()


@pytest.mark.parametrize(("odds", "leaks"), [(LEAK, True), (LEAK - 0.01, False)])
def test_the_threshold_belongs_to_the_leak(odds: float, leaks: bool) -> None:
    """From it on a text says it."""
    gate = LeakGate(lambda *material: {"first": odds})
    assert bool(gate.leaks(ALPHA, ALPHA_RUBRIC, "anything", "en", OPEN)) is leaks


@pytest.mark.parametrize(("text", "seen"), [("Do they add up?", "Do they add up."), ("会累加吗？", "会累加吗。")])
def test_a_question_is_read_as_a_statement(text: str, seen: str) -> None:
    """It can hide one."""
    asked: list[str] = []

    def says(question: Question, rubric: Rubric, text: str, language: Language) -> dict[str, float]:
        asked.append(text)
        return {}

    LeakGate(says).leaks(ALPHA, ALPHA_RUBRIC, text, "en", OPEN)
    assert asked == [seen]


def test_a_copy_of_the_criterion_leaks_whatever_the_judge_says() -> None:
    """Three quarters of its own words."""
    said = local("Gradients accumulate inside parameters.")
    rubric = ALPHA_RUBRIC.model_copy(
        update={"criteria": (talk("first", 4, says=said.model_dump()), *ALPHA_RUBRIC.criteria[1:])}
    )
    deaf = LeakGate(lambda *material: {})
    assert deaf.leaks(ALPHA, rubric, "So gradients really accumulate inside parameters", "en", OPEN) == ("first",)
    assert deaf.leaks(ALPHA, rubric, "What happens to gradients?", "en", OPEN) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_real_gate_refuses_the_answer(bank: Bank, judge: EmbeddedJudge, language: Language) -> None:
    """Said as a statement or hidden in a question."""
    question, rubric = bank.questions["zero-grad"], bank.rubrics["zero-grad"]
    gate, said = LeakGate(judge.says), rubric.criterion("accumulates").says[language]
    for text in (said, said.rstrip(".。") + "?"):
        assert "accumulates" in gate.leaks(question, rubric, text, language, {"accumulates"})


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_real_gate_lets_probes_through(bank: Bank, judge: EmbeddedJudge, language: Language) -> None:
    """Authored probes and hints ask without telling."""
    gate = LeakGate(judge.says)
    for name in ("zero-grad", "dropout", "attention"):
        rubric = bank.rubrics[name]
        for criterion in rubric.talk:
            assert criterion.probe is not None
            assert criterion.hint is not None
            for text in (criterion.probe[language], criterion.hint[language]):
                assert gate.leaks(bank.questions[name], rubric, text, language, {criterion.id}) == ()
