"""What only shows when content runs: probes that tell, exercises that let mistakes pass, snippets that lie."""

from __future__ import annotations

from interviewer.adapters.fakes import FakeSandbox
from interviewer.bank import Bank
from interviewer.bank_check import exercise_faults, leak_faults, snippet_faults, summary
from interviewer.domain import Exercise, SandboxResult, WrongSolution
from tests.builders import (
    ALPHA_RUBRIC,
    BETA,
    BETA_RUBRIC,
    EXERCISE,
    GATE,
    bank_of,
    local,
    mini_bank,
    question,
    sandbox_result,
    talk,
)


def with_wrong(source: str) -> Bank:
    """The mini bank whose exercise has one wrong solution with this source."""
    wrong = WrongSolution(mistake=local("A mistake."), killed_by="check_value", source=source)
    exercise: Exercise = EXERCISE.model_copy(update={"wrong": {"odd.py": wrong}})
    return bank_of((BETA, BETA_RUBRIC), exercises=[exercise])


class StrictSandbox(FakeSandbox):
    """Fails every check of everything, the reference included."""

    def check(self, exercise: Exercise, source: str) -> SandboxResult:
        return sandbox_result({"check_shape": "failed", "check_value": "failed"})


def test_a_sound_exercise_has_no_faults() -> None:
    """Its reference passes, its wrong solution is killed by the check that names it."""
    assert exercise_faults(mini_bank(), FakeSandbox()) == (1, ())


def test_a_wrong_solution_that_passes_is_a_fault() -> None:
    """The checks are too weak."""
    killed, faults = exercise_faults(with_wrong(EXERCISE.reference), FakeSandbox())
    assert (killed, faults) == (0, ("beta/wrong/odd.py: passes all checks",))


def test_a_mistake_killed_by_another_check_is_a_fault() -> None:
    """It stands for something else than its author thinks."""
    killed, faults = exercise_faults(mini_bank(), StrictSandbox())
    assert killed == 0
    assert faults[1] == "beta/wrong/copies.py: killed by check_shape, not by check_value"


def test_a_failing_reference_is_a_fault() -> None:
    """The checks ask for something else."""
    _, faults = exercise_faults(mini_bank(), StrictSandbox())
    assert faults[0].startswith("beta/reference.py: fails check_shape")


def test_progress_is_told() -> None:
    """Each solution once, in order."""
    told: list[tuple[str, int, int]] = []
    exercise_faults(mini_bank(), FakeSandbox(), lambda *step: told.append(step))
    assert told == [("solutions", 1, 2), ("solutions", 2, 2)]


def test_the_first_failure_decides() -> None:
    """Or the reason, when the run ended before any check."""
    assert sandbox_result({"a": "passed", "b": "error", "c": "not_run"}).first_failure == "b"
    assert sandbox_result({"a": "not_run"}, "timeout", reason="wall_clock").first_failure == "(wall_clock)"
    assert sandbox_result({"a": "passed"}, "passed").first_failure == ""


def test_sound_probes_tell_nothing() -> None:
    """Neither do hints and questions."""
    assert list(leak_faults(mini_bank(), GATE)) == []


def test_a_probe_that_tells_is_named() -> None:
    """Question, criterion, language, and the text."""
    told = talk("first", 4, probe={"en": "Is it first?", "ru": "Что?", "zh": "什么？"})
    rubric = ALPHA_RUBRIC.model_copy(update={"criteria": (told, *ALPHA_RUBRIC.criteria[1:])})
    (fault,) = leak_faults(bank_of((question("alpha"), rubric)), GATE)
    assert fault == "alpha: first.probe.en: gives criterion 'first' away: 'Is it first?'"


def test_a_question_that_tells_is_named() -> None:
    """In each language in which it does."""
    asked = question("alpha", text=local("Why is second so?").model_dump())
    faults = list(leak_faults(bank_of((asked, ALPHA_RUBRIC)), GATE))
    assert [fault.split(": ")[1] for fault in faults] == ["text.en", "text.ru", "text.zh"]


def test_a_snippet_prints_what_its_author_says() -> None:
    """Or the fault says what it prints."""
    snippet = {"prompt": local("What?").model_dump(), "code": "print(1)", "output": "1"}
    bank = bank_of((question("alpha", kind="predict", snippet=snippet), ALPHA_RUBRIC))
    assert list(snippet_faults(bank, FakeSandbox(prints={"print(1)": "1\n"}))) == []
    (fault,) = snippet_faults(bank, FakeSandbox(prints={"print(1)": "2\n"}))
    assert fault == "questions/alpha.yaml: snippet.output: it prints '2'"


def test_the_summary_counts() -> None:
    """The contract of `viva bank check --json`."""
    assert summary(mini_bank(), 1, ("a fault",)) == {
        "questions": 2,
        "languages": {"en": 2, "ru": 2, "zh": 2},
        "sources": {"000": [1, 41], "003": [0, 27], "004": [0, 10]},
        "rubrics": 2,
        "criteria": 8,
        "exercises": 1,
        "wrong_solutions": 1,
        "killed": 1,
        "faults": ["a fault"],
    }
