"""One click: something shows at once, and whatever goes wrong nothing is lost."""

from __future__ import annotations

import threading
import time

import pytest

from interviewer.adapters.fakes import FakeSandbox, FakeTicket, ScriptedLLM
from interviewer.bank import Bank
from interviewer.domain import Exercise, SandboxResult
from interviewer.errors import OperatorError
from interviewer.events import Settings
from interviewer.interview import Interviewer
from interviewer.ports import Ticket
from interviewer.ui.moves import NOWHERE, Move, Place, Step, as_place, find, play, settle
from interviewer.ui.texts import texts
from interviewer.wiring import Viva
from tests.ui.installation import make_viva


@pytest.fixture
def viva(bank: Bank) -> Viva:
    return make_viva(bank)


def place_of(viva: Viva) -> Place:
    session = viva.interviewer.start(Settings(questions=("zero-grad", "dropout")))
    return {"session": session, "seq": viva.interviewer.state(session).seq, "desk": ""}


def steps(viva: Viva, place: Place, move: Move) -> list[Step]:
    return list(play(viva.interviewer, place, move, "en"))


def test_an_answer_shows_itself_before_it_is_judged(viva: Viva) -> None:
    """First the words and the quiet line, then the outcome."""
    first, last = steps(viva, place_of(viva), Move("answer", "it adds"))
    assert first.pending is not None and first.pending.said == "it adds"
    assert first.pending.doing == texts("en").judging
    assert last.done and last.taken and not last.notice and last.state.phase == "asking"


def test_a_phrased_follow_up_is_shown_as_it_comes(bank: Bank) -> None:
    """Sentence by sentence."""
    llm = ScriptedLLM(["I see what you mean so far. And what happens after that step?"])
    viva = make_viva(bank, llm=llm)
    shown = [s.pending.reply for s in steps(viva, place_of(viva), Move("answer", "it adds")) if s.pending]
    assert shown[0] == "" and shown[1] == "I see what you mean so far." and len(shown) >= 2


def test_the_same_answer_twice_is_taken_once_and_silently(viva: Viva) -> None:
    """A double click is no other window."""
    place = place_of(viva)
    steps(viva, place, Move("answer", "it adds"))
    again = steps(viva, place, Move("answer", "it adds"))[-1]
    assert again.taken and not again.notice
    answers = [t for q in again.state.questions for t in q.turns if t.kind == "answer"]
    assert len(answers) == 1


def test_an_answer_to_an_old_screen_is_not_taken(viva: Viva) -> None:
    """Another window has moved on: the words come back with a notice."""
    place = place_of(viva)
    steps(viva, place, Move("answer", "it adds"))
    late = steps(viva, place, Move("answer", "something else"))[-1]
    assert not late.taken and late.notice == texts("en").stale


def test_what_is_not_possible_now_is_said_calmly(viva: Viva) -> None:
    """A button of an old screen, in words of the interface."""
    assert steps(viva, place_of(viva), Move("act", "resume"))[-1].notice == texts("en").not_now


def test_a_sandbox_that_cannot_start_is_named(bank: Bank) -> None:
    """What and the hint; the interview goes on."""
    viva = make_viva(bank, sandbox=FakeSandbox(broken=True))
    place = place_of(viva)
    last = steps(viva, place, Move("run", "x = 1"))[-1]
    viva.interviewer.act(place["session"], "skip")
    place["seq"] = viva.interviewer.state(place["session"]).seq
    last = steps(viva, place, Move("run", "x = 1"))[-1]
    assert "the sandbox cannot start" in last.notice and "told to fail" in last.notice


def test_an_unforeseen_failure_is_one_calm_sentence(viva: Viva, monkeypatch: pytest.MonkeyPatch) -> None:
    """Logged for us, not shown to them."""

    def fall(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    place = place_of(viva)
    monkeypatch.setattr(Interviewer, "answer", fall)
    last = steps(viva, place, Move("answer", "x"))[-1]
    assert last.notice == texts("en").failed and not last.taken


def test_a_store_that_fails_does_not_keep_the_page_waiting(viva: Viva, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last step comes all the same: what was on the screen, a notice, and the words back."""

    def fall(*_: object, **__: object) -> None:
        raise OperatorError("cannot read the session store", hint="look at the disk")

    place = place_of(viva)
    making = play(viva.interviewer, place, Move("answer", "x"), "en")
    first = next(making)
    for name in ("answer", "state"):
        monkeypatch.setattr(Interviewer, name, fall)
    (last,) = making
    assert "cannot read" in last.notice and not last.taken and last.state == first.state


def test_a_session_whose_engine_is_stuck_can_still_be_seen(viva: Viva, monkeypatch: pytest.MonkeyPatch) -> None:
    """And so be ended."""

    def stuck(*_: object) -> None:
        raise OperatorError("the question is no longer in the bank")

    place = place_of(viva)
    monkeypatch.setattr(Interviewer, "advance", stuck)
    found = find(viva.interviewer, place["session"])
    assert found is not None and found.phase == "asking"


def test_i_dont_know_twice_is_taken_once(viva: Viva) -> None:
    """A double click on words that are more than an answer."""
    place = place_of(viva)
    steps(viva, place, Move("answer", "I don't know"))
    again = steps(viva, place, Move("answer", "I don't know"))[-1]
    assert again.taken and not again.notice


@pytest.mark.parametrize("action", ["hint", "skip", "dont_know", "repeat", "pause", "end"])
def test_an_action_twice_is_taken_once_and_silently(viva: Viva, action: str) -> None:
    """A double click on a button is no other window either."""
    place = place_of(viva)
    once = steps(viva, place, Move("act", action))[-1]
    again = steps(viva, place, Move("act", action))[-1]
    assert again.taken and not again.notice
    assert again.state.seq == once.state.seq


def test_an_action_on_an_old_screen_is_not_taken(viva: Viva) -> None:
    """What another window did was something else: the notice says so."""
    place = place_of(viva)
    steps(viva, place, Move("act", "hint"))
    late = steps(viva, place, Move("act", "skip"))[-1]
    assert not late.taken and late.notice == texts("en").stale


def test_a_session_that_is_not_there_gives_nothing(viva: Viva) -> None:
    """The page then says that it lost touch."""
    assert steps(viva, {"session": "nope", "seq": 1, "desk": ""}, Move("answer", "x")) == []
    assert find(viva.interviewer, "nope") is None


@pytest.mark.parametrize("value", [None, 7, "x", {}, {"session": 3}, {"session": ""}])
def test_a_strange_place_is_nowhere(value: object) -> None:
    """The browser's word is not trusted."""
    assert as_place(value) == NOWHERE


class Waiting(FakeSandbox):
    """Every run waits behind two others until it is cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self.last = FakeTicket()

    def ticket(self, owner: str = "") -> FakeTicket:
        self.last = FakeTicket()
        self.last.position = 2
        return self.last

    def predict(self, code: str, change: str = "", *, ticket: Ticket | None = None) -> SandboxResult:
        ends = time.monotonic() + 10
        while not self.last.cancelled and time.monotonic() < ends:
            time.sleep(0.01)
        return self._result("refused").model_copy(update={"reason": "cancelled"})


def test_a_run_that_waits_shows_its_place_and_can_be_cancelled(bank: Bank) -> None:
    """The place as it changes; after cancelling, the screen with what came of it."""
    viva = make_viva(bank, sandbox=Waiting())
    place = place_of(viva)
    viva.interviewer.answer(place["session"], "it adds")
    place["seq"] = viva.interviewer.state(place["session"]).seq
    positions = []
    for step in play(viva.interviewer, place, Move("predict", "3"), "en"):
        if step.pending is not None:
            positions.append(step.pending.position)
            assert (step.pending.kind, step.pending.doing) == ("predict", texts("en").running_snippet)
            if step.pending.position:
                viva.interviewer.cancel(place["session"])
    assert positions == [0, 2]
    assert step.done and step.state.questions[0].tried[0].result.reason == "cancelled"


def test_a_page_opened_during_a_check_waits_for_its_end(viva: Viva) -> None:
    """Nothing to wait for: None, at once; otherwise the state after it."""
    place = place_of(viva)
    assert settle(viva.interviewer, place) is None
    assert settle(viva.interviewer, NOWHERE) is None


def test_a_page_opened_during_a_check_shows_what_came_of_it(bank: Bank) -> None:
    """Read while another thread has the checks run."""
    go_on = threading.Event()

    class Slow(FakeSandbox):
        def check(self, exercise: Exercise, source: str, *, ticket: Ticket | None = None) -> SandboxResult:
            go_on.wait(10)
            return super().check(exercise, source)

    viva = make_viva(bank, sandbox=Slow())
    session = viva.interviewer.start(Settings(questions=("dropout",)))
    viva.interviewer.act(session, "dont_know")
    worker = threading.Thread(target=viva.interviewer.submit_code, args=(session, bank.exercises["dropout"].reference))
    worker.start()
    while viva.interviewer.state(session).phase != "checking":
        time.sleep(0.01)
    threading.Timer(0.2, go_on.set).start()
    state = settle(viva.interviewer, {"session": session, "seq": -1, "desk": ""})
    worker.join()
    assert state is not None and state.phase == "ended"
