"""A session as a state machine: which event may follow which, and what the log adds up to.

Theory in one page. A session is a list of events and nothing else. `replay` folds it into a `State`; every screen,
report and re-scoring starts there. Two sides move: the candidate in the phases `asking` and `coding`, the engine in
the others. Because each engine step records one event, a process that dies between two events resumes by looking at
the phase alone:

    new ──started──> between ──asked──> asking ──answered──> judging ──judged──> deciding
                        ^                 ^  ^─────────probed──────────────────────┘ │ │
                        │                 │                                code_opened │ │ reacted
                      closed              └─(noted returns to coding)          v       │ v
                        └──────── closing <──reacted── coding <──check_failed── checking  closing
                                                         └────code_submitted────^  (code_checked returns to coding)

A pause wraps whatever the candidate was doing: while paused only `resumed` and `ended` are legal. After `ended` a
later, stronger judge may still append `judged`: scoring takes the last one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, get_args

from pydantic import Field

from interviewer.domain import Judgement, Model, SandboxResult, Slug, Thread, Turn
from interviewer.errors import IllegalMove
from interviewer.events import (
    Asked,
    CheckFailed,
    Closed,
    CodeChecked,
    CodeOpened,
    CodeRan,
    CodeSubmitted,
    Ended,
    Event,
    GaveUp,
    Judged,
    ModelFailed,
    Reacted,
    Recorded,
    Repeated,
    Settings,
    Skipped,
    SnippetRan,
    Started,
)

Phase = Literal["new", "between", "asking", "judging", "deciding", "coding", "checking", "closing", "ended"]

MOVES: Mapping[Phase, Mapping[str, Phase]] = {
    "new": {"started": "between"},
    "between": {"asked": "asking", "ended": "ended"},
    "asking": {
        "answered": "judging",
        "gave_up": "deciding",
        "skipped": "closing",
        "hinted": "asking",
        "repeated": "asking",
        "code_opened": "coding",
        "snippet_ran": "asking",
        "paused": "asking",
        "ended": "ended",
    },
    "judging": {"judged": "deciding", "ended": "ended"},
    "deciding": {
        "model_failed": "deciding",
        "probed": "asking",
        "noted": "coding",
        "code_opened": "coding",
        "reacted": "closing",
        "ended": "ended",
    },
    "coding": {
        "answered": "judging",
        "code_ran": "coding",
        "hinted": "coding",
        "snippet_ran": "coding",
        "code_submitted": "checking",
        "gave_up": "closing",
        "skipped": "closing",
        "repeated": "coding",
        "reacted": "closing",
        "model_failed": "coding",
        "paused": "coding",
        "ended": "ended",
    },
    "checking": {"code_checked": "coding", "check_failed": "coding", "ended": "ended"},
    "closing": {"model_failed": "closing", "reacted": "closing", "closed": "between", "ended": "ended"},
    "ended": {"judged": "ended"},
}
"""The table of legal moves: MOVES[phase][event type] is the phase that follows."""

assert set(MOVES) == set(get_args(Phase))


LADDER = ("exercise-1", "exercise-2", "exercise-3")
"""Targets of the hints to an exercise, in the order in which they are given: the last one tells almost everything."""


class QuestionState(Model):
    """All that the log says about one question."""

    question: Slug
    turns: tuple[Turn, ...] = ()
    judgement: Judgement | None = Field(default=None, description="The last complete judgement of the talk.")
    code: Judgement | None = Field(default=None, description="Verdicts of the last checked submission.")
    probes: tuple[Turn, ...] = ()
    hints: tuple[Turn, ...] = ()
    given_up: tuple[str, ...] = Field(default=(), description="Targets answered with I don't know; '' is the question.")
    code_open: bool = False
    source: str | None = Field(default=None, description="The candidate's last code, run or submitted.")
    run: SandboxResult | None = None
    checked: SandboxResult | None = None
    submissions: int = 0
    tried: tuple[SnippetRan, ...] = Field(default=(), description="Runs of the question's snippet, in order.")
    skipped: bool = False
    reacted: bool = False
    closed: bool = False

    @property
    def thread(self) -> Thread:
        return Thread(question=self.question, turns=self.turns)

    @property
    def steps(self) -> tuple[Turn, ...]:
        """The hints to the exercise that were taken."""
        return tuple(turn for turn in self.hints if turn.target in LADDER)

    @property
    def target(self) -> str:
        """What was asked last: a criterion or misconception id, or '' for the question itself."""
        asked = [t for t in self.turns if t.role == "interviewer" and t.kind in ("question", "probe")]
        return (asked[-1].target or "") if asked else ""


class State(Model):
    """A session after some of its events."""

    phase: Phase = "new"
    paused: bool = False
    seq: int = Field(default=0, description="The number the next event will get.")
    settings: Settings = Settings()
    plan: tuple[Slug, ...] = ()
    bank_hash: str = ""
    version: str = ""
    questions: tuple[QuestionState, ...] = Field(default=(), description="In the order in which they were asked.")
    model_failures: tuple[ModelFailed, ...] = ()
    ended: Literal["finished", "candidate"] | None = None

    @property
    def current(self) -> QuestionState | None:
        """The question on the table, if one is open."""
        return self.questions[-1] if self.questions and not self.questions[-1].closed else None

    @property
    def upcoming(self) -> tuple[Slug, ...]:
        """Planned questions that were not asked yet, in order."""
        asked = {q.question for q in self.questions}
        return tuple(question for question in self.plan if question not in asked)

    def question(self, question_id: str) -> QuestionState | None:
        return next((q for q in self.questions if q.question == question_id), None)


def legal(state: State, event: Event) -> bool:
    """Whether `event` may be recorded next."""
    if state.paused:
        return event.type in ("resumed", "ended")
    if event.type not in MOVES[state.phase]:
        return False
    if isinstance(event, Started | Ended | Asked) or event.type in ("paused", "resumed"):
        return True
    if isinstance(event, Judged) and state.phase == "ended":
        return state.question(event.question) is not None
    if isinstance(event, SnippetRan):
        return state.question(event.question) is not None
    return state.current is not None and getattr(event, "question", None) == state.current.question


def evolve(state: State, recorded: Recorded) -> State:
    """The state after one more event. Raises IllegalMove when the table does not allow it."""
    event = recorded.event
    if recorded.seq != state.seq or not legal(state, event):
        where = "paused" if state.paused else state.phase
        raise IllegalMove(f"event {recorded.seq} '{event.type}' is not legal in phase '{where}' (next is {state.seq})")
    changes: dict[str, object] = {"seq": state.seq + 1}
    if event.type == "paused":
        return state.model_copy(update=changes | {"paused": True})
    if event.type == "resumed":
        return state.model_copy(update=changes | {"paused": False})
    changes |= {"phase": MOVES[state.phase][event.type], "paused": False}
    match event:
        case Started():
            changes |= {
                "settings": event.settings,
                "plan": event.plan,
                "bank_hash": event.bank_hash,
                "version": event.version,
            }
        case Asked():
            turn = _turn(recorded, "interviewer", "question", event.text)
            changes["questions"] = (*state.questions, QuestionState(question=event.question, turns=(turn,)))
        case Ended():
            changes["ended"] = event.why
        case ModelFailed():
            changes["model_failures"] = (*state.model_failures, event)
        case _:
            changes["questions"] = tuple(
                _evolve_question(q, recorded) if q.question == getattr(event, "question", None) else q
                for q in state.questions
            )
    return state.model_copy(update=changes)


def replay(log: Iterable[Recorded]) -> State:
    """Fold a session's events, in order, into its state."""
    state = State()
    for recorded in log:
        state = evolve(state, recorded)
    return state


SPOKEN: Mapping[str, tuple[Literal["interviewer", "candidate"], str]] = {
    "answered": ("candidate", "answer"),
    "gave_up": ("candidate", "dont_know"),
    "skipped": ("candidate", "skip"),
    "code_submitted": ("candidate", "code"),
    "probed": ("interviewer", "probe"),
    "hinted": ("interviewer", "hint"),
    "repeated": ("interviewer", "repeat"),
    "noted": ("interviewer", "note"),
    "check_failed": ("interviewer", "note"),
    "reacted": ("interviewer", "reaction"),
    "code_opened": ("interviewer", "exercise"),
}
"""Events that are utterances: who speaks, and the kind of turn."""


def _turn(
    recorded: Recorded, role: Literal["interviewer", "candidate"], kind: str, text: str, target: str | None = None
) -> Turn:
    return Turn(seq=recorded.seq, role=role, kind=kind, text=text, target=target)


def _evolve_question(q: QuestionState, recorded: Recorded) -> QuestionState:  # noqa: PLR0912 - a case an event
    event = recorded.event
    changes: dict[str, object] = {}
    if event.type in SPOKEN:
        role, kind = SPOKEN[event.type]
        text = str(getattr(event, "text", None) or getattr(event, "source", ""))
        said = _turn(recorded, role, kind, text, getattr(event, "target", None))
        typed = event.said if isinstance(event, Repeated) else ""
        asked = (_turn(recorded, "candidate", "ask", typed),) if typed else ()
        changes["turns"] = (*q.turns, *asked, said)
        if kind in ("probe", "hint"):
            changes[f"{kind}s"] = (*getattr(q, f"{kind}s"), said)
    match event:
        case Judged():
            changes["judgement"] = event.judgement
        case Reacted():
            changes["reacted"] = True
        case GaveUp():
            changes["given_up"] = (*q.given_up, q.target)
        case Skipped():
            changes["skipped"] = True
        case CodeOpened():
            changes["code_open"] = True
        case CodeRan():
            changes |= {"source": event.source, "run": event.result}
        case SnippetRan():
            changes["tried"] = (*q.tried, event)
        case CodeSubmitted():
            changes |= {"source": event.source, "submissions": q.submissions + 1}
        case CheckFailed():  # the machine's failure, not a try of the candidate's
            changes["submissions"] = q.submissions - 1
        case CodeChecked():
            changes["checked"] = event.result
            if event.result.verdict != "refused" or q.code is None:  # what was cancelled takes nothing back
                changes["code"] = event.judgement
            if event.result.verdict in ("error", "refused"):  # no check could run: nothing was tried
                changes["submissions"] = q.submissions - 1
        case Closed():
            changes["closed"] = True
        case _:
            pass
    return q.model_copy(update=changes)
