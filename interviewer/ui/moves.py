"""What a click does: make the move, show at once what is happening, then the new screen; say calmly what went wrong.

A handler gets the place (session id, the seq that was on the screen, the exercise in the editor) and yields updates.
The candidate's text leaves the composer only once it is recorded.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypedDict

from interviewer.cleaning import clean
from interviewer.domain import Language
from interviewer.errors import OperatorError, UsageError, VivaError
from interviewer.interview import Interviewer, NoHint, Stale
from interviewer.phrasing import OnText
from interviewer.session import State
from interviewer.ui.fragments import Pending
from interviewer.ui.texts import texts

log = logging.getLogger("viva.ui")

Kind = Literal["answer", "act", "run", "submit", "predict"]


RUNS = ("run", "submit", "predict")
"""Moves that run code, and may wait for a place."""

LOOK_SECONDS = 0.3
"""How often the place in the queue is looked at."""

SETTLE_SECONDS = 180.0
"""How long a page that was opened in the middle of a run waits for its end."""


STANDING: Mapping[str, Callable[[State], bool]] = {
    "pause": lambda state: state.paused,
    "resume": lambda state: not state.paused,
    "end": lambda state: state.phase == "ended",
}
"""Actions that leave no turn in the conversation, and how a state shows that they were done."""


class Place(TypedDict):
    """Where a page is: kept by the browser, sent with every move."""

    session: str
    seq: int
    desk: str


NOWHERE: Place = {"session": "", "seq": -1, "desk": ""}


@dataclass(frozen=True)
class Move:
    """One thing a candidate does. `value`: the answer, the action's name, the source, or what a snippet prints."""

    kind: Kind
    value: str
    change: str = ""
    """To the snippet."""


@dataclass(frozen=True)
class Step:
    """What to show next: the state with something pending, or the state after the move with a notice if it failed."""

    state: State
    pending: Pending | None = None
    notice: str = ""
    done: bool = False
    taken: bool = True


def as_place(value: object) -> Place:
    """A place as the browser sent it; anything else is nowhere."""
    if isinstance(value, dict) and isinstance(value.get("session"), str) and value["session"]:
        seq = value.get("seq")
        return {
            "session": value["session"],
            "seq": seq if isinstance(seq, int) else -1,
            "desk": str(value.get("desk", "")),
        }
    return NOWHERE


def find(interviewer: Interviewer, session_id: str) -> State | None:
    """The session, unfinished engine work done as far as that is possible; None when it is not there or unreadable."""
    for look in (interviewer.advance, interviewer.state):
        try:
            return look(session_id)
        except UsageError:
            return None
        except VivaError as error:
            log.warning("%s", error)
    return None


def play(viva_interviewer: Interviewer, place: Place, move: Move, language: Language) -> Iterator[Step]:
    """Make a move: a pending step at once, one more for each piece of a phrased reply, then the outcome."""
    try:
        before = viva_interviewer.state(place["session"])
    except VivaError as error:
        log.info("no such session: %s", error)
        return
    said = move.value if move.kind == "answer" else ""
    doing = _doing(move, language)
    yield Step(before, Pending(doing, said, kind=move.kind))
    feed: queue.Queue[str | Step] = queue.Queue()
    worker = threading.Thread(
        target=lambda: feed.put(_outcome(viva_interviewer, place, move, language, feed.put, before)), daemon=True
    )
    worker.start()
    position = 0
    while True:
        try:
            news = feed.get(timeout=LOOK_SECONDS if move.kind in RUNS else None)
        except queue.Empty:
            if position != (position := viva_interviewer.queue_position(place["session"])):
                yield Step(before, Pending(doing, said, kind=move.kind, position=position))
            continue
        if isinstance(news, Step):
            yield news
            return
        yield Step(before, Pending(doing, said, news, kind=move.kind))


def settle(viva_interviewer: Interviewer, place: Place) -> State | None:
    """Wait for a submission that is being checked for another page; None when there is none."""
    state = find(viva_interviewer, place["session"]) if place["session"] else None
    if state is None or state.phase != "checking":
        return None
    ends = time.monotonic() + SETTLE_SECONDS
    while state is not None and state.phase == "checking" and time.monotonic() < ends:
        time.sleep(LOOK_SECONDS)
        state = find(viva_interviewer, place["session"])
    return state


def _outcome(
    interviewer: Interviewer, place: Place, move: Move, language: Language, on_text: OnText, before: State
) -> Step:
    """The step after the move. Never raises: what fails becomes a notice, and the state is what can be read."""
    ui = texts(language)
    try:
        return Step(_make(interviewer, place, move, on_text), done=True)
    except Stale:
        state = _recorded(interviewer, place, before)
        twice = _already_taken(state, place, move)
        return Step(state, notice="" if twice else ui.stale, done=True, taken=twice)
    except NoHint as none:
        notice = none.what
    except UsageError:
        notice = ui.not_now
    except OperatorError as error:
        log.warning("%s", error)
        notice = ui.trouble.format(what=f"{error.what}. {error.hint}" if error.hint else error.what)
    except Exception:
        log.exception("a move failed")
        notice = ui.failed
    return Step(_recorded(interviewer, place, before), notice=notice, done=True, taken=False)


def _recorded(interviewer: Interviewer, place: Place, before: State) -> State:
    """The state as recorded; the one before where the store cannot be read: the page waits for an answer."""
    try:
        return interviewer.state(place["session"])
    except VivaError as error:
        log.warning("%s", error)
        return before


def _make(interviewer: Interviewer, place: Place, move: Move, on_text: OnText) -> State:
    session, seen = place["session"], place["seq"]
    match move.kind:
        case "answer":
            return interviewer.answer(session, move.value, seen=seen, on_text=on_text)
        case "act":
            return interviewer.act(session, move.value, seen=seen, on_text=on_text)
        case "run":
            return interviewer.run_code(session, move.value, seen=seen)
        case "predict":
            return interviewer.run_snippet(session, move.value, move.change, seen=seen)
        case "submit":
            return interviewer.submit_code(session, move.value, seen=seen, on_text=on_text)


def _already_taken(state: State, place: Place, move: Move) -> bool:
    """Whether the very same words, code or action arrived just before: a double click, not another window."""
    if move.kind == "act" and move.value in STANDING:
        return STANDING[move.value](state)
    if move.kind not in ("answer", "submit", "act"):
        return False
    kinds = {"submit": ("code",), "answer": ("answer", "dont_know", "ask"), "act": (move.value,)}[move.kind]
    text = None if move.kind == "act" else clean(move.value)
    later = (t for q in state.questions for t in q.turns if t.kind in kinds and t.seq >= place["seq"])
    return any(text is None or t.text == text for t in later)


def _doing(move: Move, language: Language) -> str:
    ui = texts(language)
    names = {"answer": ui.judging, "act": ui.thinking, "run": ui.running, "submit": ui.checking}
    return (names | {"predict": ui.running_snippet})[move.kind]
