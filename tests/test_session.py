"""The table of legal moves, walked exhaustively, and the fold."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.adapters.event_json import from_json, to_json
from interviewer.errors import IllegalMove
from interviewer.events import Event, Paused, Recorded, Resumed
from interviewer.session import MOVES, Phase, QuestionState, State, evolve, legal, replay
from tests.builders import NOON, recorded
from tests.walks import EVENTS, event, walk

PHASES: tuple[Phase, ...] = get_args(Phase)
OPEN = ("asking", "judging", "deciding", "coding", "checking", "closing", "ended")
"""Phases in which a question is on the table."""


def in_phase(phase: Phase, *, paused: bool = False) -> State:
    asked = (QuestionState(question="alpha"),) if phase in OPEN else ()
    return State(phase=phase, paused=paused, plan=("alpha", "beta"), questions=asked)


def log(*kinds: str) -> tuple[Recorded, ...]:
    return recorded(*(EVENTS[kind] for kind in kinds))


@pytest.mark.parametrize("kind", EVENTS)
@pytest.mark.parametrize("phase", PHASES)
def test_the_table_decides(phase: Phase, kind: str) -> None:
    """Every event in every phase: legal and leading where the table says, or IllegalMove."""
    state, happening = in_phase(phase), Recorded(seq=0, at=NOON, event=EVENTS[kind])
    if kind in MOVES[phase]:
        assert legal(state, happening.event)
        assert evolve(state, happening).phase == MOVES[phase][kind]
    else:
        assert not legal(state, happening.event)
        with pytest.raises(IllegalMove, match=f"'{kind}' is not legal in phase '{phase}'"):
            evolve(state, happening)


@pytest.mark.parametrize("kind", EVENTS)
@pytest.mark.parametrize("phase", ["asking", "coding"])
def test_while_paused_one_resumes_or_ends(phase: Phase, kind: str) -> None:
    """A pause wraps whatever the candidate was doing."""
    assert legal(in_phase(phase, paused=True), EVENTS[kind]) == (kind in ("resumed", "ended"))


@pytest.mark.parametrize("phase", ["asking", "coding"])
def test_a_pause_leads_back_to_where_it_began(phase: Phase) -> None:
    """Nothing but the numbering changes."""
    state = in_phase(phase)
    paused = evolve(state, Recorded(seq=0, at=NOON, event=Paused()))
    assert paused.paused
    assert evolve(paused, Recorded(seq=1, at=NOON, event=Resumed())) == state.model_copy(update={"seq": 2})


@pytest.mark.parametrize("kind", [k for k in EVENTS if hasattr(EVENTS[k], "question") and k != "asked"])
def test_an_event_about_another_question_is_illegal(kind: str) -> None:
    """What is not on the table cannot be answered, judged or closed."""
    for phase in PHASES:
        if kind in MOVES[phase]:
            assert not legal(in_phase(phase), event(kind, "beta"))


@pytest.mark.parametrize("seq", [0, 2])
def test_an_event_out_of_its_place_is_illegal(seq: int) -> None:
    """A log has no gaps and no repeats."""
    state = replay(log("started"))
    with pytest.raises(IllegalMove, match="next is 1"):
        evolve(state, Recorded(seq=seq, at=NOON, event=EVENTS["asked"]))


def test_an_empty_log_is_a_new_session() -> None:
    """Nothing has happened yet."""
    assert replay(()) == State()


@given(st.lists(st.integers(0, 50), max_size=60))
def test_a_walk_replays_to_the_same_state(choices: list[int]) -> None:
    """State is a function of the log: folding it again, or after JSON, gives the same."""
    happened, state = walk(choices)
    assert replay(happened) == state
    through_json = [r.model_copy(update={"event": from_json(to_json(r.event))}) for r in happened]
    assert replay(through_json) == state


@given(st.lists(st.integers(0, 50), max_size=60))
def test_every_state_of_a_walk_is_sound(choices: list[int]) -> None:
    """At most one question is open, none is asked twice, and turns stand in the order of events."""
    happened, _ = walk(choices)
    state = State()
    for one in happened:
        state = evolve(state, one)
        assert state.seq == one.seq + 1
        assert all(q.closed for q in state.questions[:-1])
        names = [q.question for q in state.questions]
        assert len(names) == len(set(names))
        turns = [t.seq for q in state.questions for t in q.turns]
        assert turns == sorted(set(turns))


@given(st.lists(st.integers(0, 50), min_size=5, max_size=40), st.integers(0, 20))
def test_an_event_cannot_be_recorded_twice(choices: list[int], index: int) -> None:
    """A log with one event repeated does not replay."""
    happened, _ = walk(choices)
    place = index % len(happened)
    with pytest.raises(IllegalMove):
        replay((*happened[: place + 1], happened[place], *happened[place + 1 :]))


def test_a_question_gathers_its_turns() -> None:
    """Who said what, of which kind, aimed at what."""
    state = replay(log("started", "asked", "answered", "judged", "probed", "hinted", "answered"))
    assert state.current is not None
    assert [(t.seq, t.role, t.kind, t.target) for t in state.current.turns] == [
        (1, "interviewer", "question", None),
        (2, "candidate", "answer", None),
        (4, "interviewer", "probe", "second"),
        (5, "interviewer", "hint", "second"),
        (6, "candidate", "answer", None),
    ]
    assert [t.seq for t in state.current.probes] == [4]
    assert [t.seq for t in state.current.hints] == [5]


def test_giving_up_is_about_what_was_asked_last() -> None:
    """The question itself is '', a follow-up its target."""
    to_the_question = replay(log("started", "asked", "gave_up"))
    to_the_probe = replay(log("started", "asked", "answered", "judged", "probed", "gave_up"))
    assert to_the_question.current is not None
    assert to_the_question.current.given_up == ("",)
    assert to_the_probe.current is not None
    assert to_the_probe.current.given_up == ("second",)


def test_code_is_kept_as_it_was_sent() -> None:
    """The last source, the number of submissions and the last result are at hand."""
    state = replay(log("started", "asked", "code_opened", "code_ran", "code_submitted", "code_checked"))
    assert state.current is not None
    assert (state.current.source, state.current.submissions) == ("x = 2", 1)
    assert state.current.run is not None
    assert state.current.checked is not None


def test_a_failed_check_is_no_submission() -> None:
    """The code is kept and none of the tries is used up."""
    state = replay(log("started", "asked", "code_opened", "code_submitted", "check_failed"))
    assert state.current is not None
    assert (state.current.source, state.current.submissions, state.current.checked) == ("x = 2", 0, None)


def test_a_later_judge_may_speak_after_the_end() -> None:
    """Scoring takes the last judgement."""
    state = replay(log("started", "asked", "answered", "judged", "ended", "judged"))
    assert state.phase == "ended"
    assert state.questions[0].judgement is not None


def test_what_is_upcoming_was_not_asked() -> None:
    """A question that the bank lost is passed over, and none comes twice."""
    asked_second = replay(recorded(EVENTS["started"], event("asked", "beta")))
    assert asked_second.upcoming == ("alpha",)


def test_model_failures_are_kept() -> None:
    """The page and the report can say that a model failed."""
    state = replay(log("started", "asked", "answered", "judged", "model_failed"))
    assert [failure.why for failure in state.model_failures] == ["slow"]
    assert state.phase == "deciding"


def test_an_ended_session_says_why() -> None:
    """Finished, or by the candidate's wish."""
    assert replay(log("started", "asked", "ended")).ended == "candidate"


def test_a_question_is_found_by_id() -> None:
    """None for one that was not asked."""
    state = replay(log("started", "asked"))
    found = state.question("alpha")
    assert found is not None
    assert found.question == "alpha"
    assert state.question("beta") is None


def test_sample_events_are_events() -> None:
    """Each sample is of the type it is filed under."""
    samples: dict[str, Event] = dict(EVENTS)
    assert all(kind == sample.type for kind, sample in samples.items())
