"""Sample events of every type, and random walks that the table of legal moves allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interviewer.events import EVENT, Event, Recorded
from interviewer.session import MOVES, State, evolve, legal
from tests.builders import NOON, heard, judgement, sandbox_result, settings, verdict

_JUDGEMENT = judgement(verdict("first"), verdict("second", "not_met"), beliefs=(heard("off-track"),))
_CHECKED = sandbox_result({"check_shape": "passed", "check_value": "failed"})
_SAID: Mapping[str, Mapping[str, object]] = {
    "asked": {"text": "Tell me about alpha?"},
    "answered": {"text": "first it is"},
    "judged": {"judgement": _JUDGEMENT},
    "probed": {"target": "second", "text": "And then?"},
    "hinted": {"target": "second", "text": "Think."},
    "repeated": {"text": "In other words?"},
    "code_opened": {"text": "Now code."},
    "noted": {"text": "Noted."},
    "code_ran": {"source": "x = 1", "result": _CHECKED},
    "snippet_ran": {"predicted": "1", "result": _CHECKED},
    "code_submitted": {"source": "x = 2"},
    "code_checked": {"result": _CHECKED, "judgement": judgement(verdict("works", "partial", checks=("check_shape",)))},
    "check_failed": {"what": "no sandbox"},
    "gave_up": {"text": "no idea"},
    "skipped": {},
    "reacted": {"text": "I see."},
    "closed": {},
    "model_failed": {"why": "slow"},
}


def event(kind: str, question: str = "alpha") -> Event:
    """An event of this type about this question."""
    if kind == "started":
        plan = ("alpha", "beta")
        return EVENT.validate_python(
            {"type": kind, "settings": settings(), "plan": plan, "bank_hash": "h", "version": "1"}
        )
    if kind == "ended":
        return EVENT.validate_python({"type": kind, "why": "candidate"})
    if kind in ("paused", "resumed"):
        return EVENT.validate_python({"type": kind})
    return EVENT.validate_python({"type": kind, "question": question, **_SAID[kind]})


EVENTS: Mapping[str, Event] = {kind: event(kind) for kind in ("started", "ended", "paused", "resumed", *_SAID)}


def walk(choices: Sequence[int]) -> tuple[tuple[Recorded, ...], State]:
    """A log in which each number chooses among the events that are legal next, and the state it leads to."""
    state, log = State(), []
    for choice in choices:
        options = [e for e in _options(state) if legal(state, e)]
        if not options:
            break
        recorded = Recorded(seq=state.seq, at=NOON, event=options[choice % len(options)])
        state = evolve(state, recorded)
        log.append(recorded)
    return tuple(log), state


def _options(state: State) -> list[Event]:
    """Sample events for the state; an ending only where nothing else is possible, so that walks are long."""
    question = state.current.question if state.current else next(iter(state.upcoming), "")
    kinds = ["resumed"] if state.paused else sorted(MOVES[state.phase])
    if not question and state.phase == "between":
        kinds = ["ended"]
    return [event(kind, question or "alpha") for kind in kinds if kind != "ended" or kinds == ["ended"]]
