"""What runs beside the interview: snippets, and code that takes its time while the session goes on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from interviewer.adapters.fakes import FakeSandbox, FakeTicket
from interviewer.domain import Exercise, SandboxResult, Snippet
from interviewer.errors import UsageError
from interviewer.interview import Interviewer, Stale
from interviewer.ports import Ticket
from interviewer.report import make_report
from interviewer.scoring import score_question
from tests.builders import (
    ALPHA,
    ALPHA_RUBRIC,
    BETA,
    BETA_RUBRIC,
    REFERENCE,
    WRONG,
    bank_of,
    interviewer,
    local,
    mini_bank,
    sandbox_result,
    settings,
)

SNIPPET = Snippet(prompt=local("What does it print?"), code="print(6 * 7)", output="42\n")
GAMMA = ALPHA.model_copy(update={"kind": "predict", "snippet": SNIPPET})


def predicting(sandbox: FakeSandbox | None = None) -> tuple[Interviewer, str]:
    """An interview whose first question has a snippet."""
    bank = bank_of((GAMMA, ALPHA_RUBRIC), (BETA, BETA_RUBRIC), exercises=mini_bank().exercises.values())
    conductor = interviewer(bank=bank, sandbox=sandbox or FakeSandbox(prints={"print(6 * 7)": "42\n"}))
    return conductor, conductor.start(settings())


def test_a_snippet_is_run_once_it_was_answered_and_predicted() -> None:
    """Not before the first answer, not without a prediction; then also with a change."""
    conductor, session = predicting()
    with pytest.raises(UsageError, match="no snippet"):
        conductor.run_snippet(session, "42")
    conductor.answer(session, "half-first")
    with pytest.raises(UsageError, match="say first"):
        conductor.run_snippet(session)
    state = conductor.run_snippet(session, "41")
    (ran,) = state.questions[0].tried
    assert (ran.predicted, ran.result.stdout, state.phase) == ("41", "42\n", "asking")
    state = conductor.run_snippet(session, change="print(1)")
    assert [run.change for run in state.questions[0].tried] == ["", "print(1)"]
    assert make_report(session, state, conductor.bank).questions[0].tried[1].result.stdout == "42\nprint(1)"


def test_a_snippet_can_still_be_run_when_its_question_is_closed() -> None:
    """A full answer closes it; the next question is on the table by then. After that one, no more."""
    conductor, session = predicting()
    state = conductor.answer(session, "first second third fourth")
    assert (state.questions[0].closed, state.phase) == (True, "asking")
    state = conductor.run_snippet(session, "42")
    assert state.questions[0].tried and state.current is not None and state.current.question == "beta"
    conductor.act(session, "end")
    with pytest.raises(UsageError):
        conductor.run_snippet(session, "42")


def test_running_a_snippet_scores_nothing() -> None:
    """Points and follow-ups are as they were."""
    conductor, session = predicting()
    before = conductor.answer(session, "half-first").questions[0]
    after = conductor.run_snippet(session, "42").questions[0]
    assert score_question(ALPHA_RUBRIC, after) == score_question(ALPHA_RUBRIC, before)
    assert after.turns == before.turns


class SlowSandbox(FakeSandbox):
    """Runs until it is told to go on, or its ticket is cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self.started, self.go_on = threading.Event(), threading.Event()
        self.ticket_ = FakeTicket()

    def ticket(self, owner: str = "") -> FakeTicket:
        self.ticket_ = FakeTicket()
        self.ticket_.position = 3
        return self.ticket_

    def _wait(self) -> SandboxResult | None:
        self.started.set()
        while not self.go_on.wait(0.01):
            if self.ticket_.cancelled:
                return sandbox_result({}, "refused", reason="cancelled")
        return None

    def check(self, exercise: Exercise, source: str, *, ticket: Ticket | None = None) -> SandboxResult:
        return self._wait() or super().check(exercise, source)

    def run(self, source: str, **options: Any) -> SandboxResult:
        return self._wait() or super().run(source)


@pytest.fixture
def slow() -> Iterator[tuple[SlowSandbox, Interviewer, str]]:
    """beta's exercise on the desk, and a sandbox that takes its time."""
    sandbox = SlowSandbox()
    conductor = interviewer(sandbox=sandbox)
    session = conductor.start(settings("beta"))
    conductor.act(session, "dont_know")
    yield sandbox, conductor, session
    sandbox.go_on.set()


@pytest.mark.parametrize("move", ["run_code", "submit_code"])
def test_a_session_can_be_read_while_its_code_runs(slow: tuple[SlowSandbox, Interviewer, str], move: str) -> None:
    """Its state, what `advance` gives a page that is opened, its place in the queue."""
    sandbox, conductor, session = slow
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(getattr(conductor, move), session, REFERENCE)
        assert sandbox.started.wait(5)
        assert conductor.state(session).phase == conductor.advance(session).phase
        assert conductor.queue_position(session) == 3
        sandbox.go_on.set()
        state = running.result(5)
    assert conductor.queue_position(session) == 0
    assert (state.phase == "ended") == (move == "submit_code")


@pytest.mark.parametrize("move", ["run_code", "submit_code"])
def test_a_run_can_be_cancelled(slow: tuple[SlowSandbox, Interviewer, str], move: str) -> None:
    """The candidate goes on; a submission that was cancelled was no try and takes no verdict back."""
    sandbox, conductor, session = slow
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(getattr(conductor, move), session, WRONG)
        assert sandbox.started.wait(5)
        conductor.cancel(session)
        state = running.result(5)
    assert (state.phase, state.questions[0].submissions) == ("coding", 0)
    result = state.questions[0].run if move == "run_code" else state.questions[0].checked
    assert result is not None and result.reason == "cancelled"
    sandbox.go_on.set()
    assert conductor.submit_code(session, REFERENCE).phase == "ended"


def test_a_cancelled_submission_takes_no_verdict_back(slow: tuple[SlowSandbox, Interviewer, str]) -> None:
    """The one before it counts."""
    sandbox, conductor, session = slow
    sandbox.go_on.set()
    conductor.submit_code(session, WRONG)
    sandbox.go_on.clear()
    sandbox.started.clear()
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(conductor.submit_code, session, REFERENCE)
        assert sandbox.started.wait(5)
        conductor.cancel(session)
        asked = running.result(5).questions[0]
    assert asked.code is not None and asked.code.verdicts[0].outcome == "partial"
    assert asked.submissions == 1


def test_an_interview_can_be_ended_while_code_is_checked(slow: tuple[SlowSandbox, Interviewer, str]) -> None:
    """The run is cancelled, and what came of it is not recorded any more."""
    sandbox, conductor, session = slow
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(conductor.submit_code, session, REFERENCE)
        assert sandbox.started.wait(5)
        with pytest.raises(UsageError, match="being checked"):
            conductor.answer(session, "a word meanwhile")
        assert conductor.act(session, "end").phase == "ended"
        assert running.result(5).phase == "ended"
    assert conductor.state(session).questions[0].checked is None


def test_what_ran_while_the_question_was_left_is_dropped(slow: tuple[SlowSandbox, Interviewer, str]) -> None:
    """Stale, as anything that comes too late."""
    sandbox, conductor, session = slow
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(conductor.run_code, session, REFERENCE)
        assert sandbox.started.wait(5)
        conductor.act(session, "skip")
        sandbox.go_on.set()
        with pytest.raises(Stale):
            running.result(5)
