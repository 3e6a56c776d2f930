"""The HTTP API: plain functions of JSON values, named and typed, for gradio_client or any HTTP client.

    from gradio_client import Client
    viva = Client("http://127.0.0.1:7860/")
    screen = viva.predict("en", questions=["zero-grad"], api_name="/start")
    screen = viva.predict(screen["session_id"], "It adds up.", screen["seq"], api_name="/answer")

Without a client library, and quicker: POST {"data": [every argument]} to /gradio_api/call/answer gives an event id, GET
/gradio_api/call/answer/<id> the result. All functions are described at /gradio_api/info.

Every function but `report`, `queue` and `cancel` returns the screen: what the candidate sees, as described by
`interviewer.view.Screen`.
Whoever has a session's id may act in it; the ids cannot be guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import gradio as gr

from interviewer.errors import UsageError, VivaError
from interviewer.events import read_settings
from interviewer.report import make_report
from interviewer.report_formats import to_dict
from interviewer.view import make_screen

if TYPE_CHECKING:
    from interviewer.session import State
    from interviewer.wiring import Viva

AT_ONCE = 32
"""Calls of one function that may run together."""


def publish(viva: Viva) -> None:
    """Add the API to the page being built."""
    for make in (_start, _state, _answer, _act, _run, _predict, _submit, _queue, _cancel, _report):
        function = make(viva)
        gr.events.api(function, api_name=function.__name__, concurrency_limit=AT_ONCE)


def screen_dict(session_id: str, state: State, viva: Viva) -> dict[str, Any]:
    """The screen as JSON values; the sets in it sorted, so that equal screens are equal."""
    screen = make_screen(session_id, state, viva.bank).model_dump(mode="json")
    screen["actions"] = sorted(screen["actions"])
    return screen


@contextmanager
def _said_plainly() -> Iterator[None]:
    """What the caller did wrong, or what the machine lacks, as the error's text."""
    try:
        yield
    except VivaError as error:
        raise gr.Error(str(error), print_exception=False) from error


def _start(viva: Viva) -> Callable[..., dict[str, Any]]:
    def start(  # noqa: PLR0913 - each is a setting of the interview
        language: str = "en",
        level: str = "",
        topics: list[str] = [],  # noqa: B006 - gr.api reads the default from here
        questions: list[str] = [],  # noqa: B006
        count: int = 5,
        seed: int = 0,
        code: bool = True,
        mode: str = "practice",
    ) -> dict[str, Any]:
        """Start an interview. language: en, ru, zh. level: junior, middle, senior or empty. mode: practice or exam."""
        with _said_plainly():
            chosen: dict[str, Any] = {
                "language": language,
                "level": level or None,
                "topics": topics,
                "questions": questions,
                "count": count,
                "seed": seed,
                "code": code,
                "mode": mode,
            }
            session_id = viva.interviewer.start(read_settings(chosen, hint="see /gradio_api/info"))
            return screen_dict(session_id, viva.interviewer.state(session_id), viva)

    return start


def _state(viva: Viva) -> Callable[..., dict[str, Any]]:
    def state(session_id: str) -> dict[str, Any]:
        """The screen as it stands; finishes first what a crash left undone."""
        with _said_plainly():
            return screen_dict(session_id, viva.interviewer.advance(session_id), viva)

    return state


def _answer(viva: Viva) -> Callable[..., dict[str, Any]]:
    def answer(session_id: str, text: str, seen: int = -1) -> dict[str, Any]:
        """Say something. `seen`: the `seq` of the screen that is being answered; -1 does not check."""
        with _said_plainly():
            return screen_dict(session_id, viva.interviewer.answer(session_id, text, seen=_seen(seen)), viva)

    return answer


def _act(viva: Viva) -> Callable[..., dict[str, Any]]:
    def act(session_id: str, action: str, seen: int = -1) -> dict[str, Any]:
        """hint, skip, dont_know, repeat, pause, resume or end; `actions` of the screen says which are possible."""
        with _said_plainly():
            return screen_dict(session_id, viva.interviewer.act(session_id, action, seen=_seen(seen)), viva)

    return act


def _run(viva: Viva) -> Callable[..., dict[str, Any]]:
    def run(session_id: str, source: str, seen: int = -1) -> dict[str, Any]:
        """Run code with the visible examples; see `desk.run` of the screen. Nothing is scored."""
        with _said_plainly():
            return screen_dict(session_id, viva.interviewer.run_code(session_id, source, seen=_seen(seen)), viva)

    return run


def _predict(viva: Viva) -> Callable[..., dict[str, Any]]:
    def predict(session_id: str, predicted: str, change: str = "", seen: int = -1) -> dict[str, Any]:
        """Run the snippet on show (`snippet` of the screen), changed or not; the first time say what it prints."""
        with _said_plainly():
            state = viva.interviewer.run_snippet(session_id, predicted, change, seen=_seen(seen))
            return screen_dict(session_id, state, viva)

    return predict


def _queue(viva: Viva) -> Callable[..., dict[str, Any]]:
    def queue(session_id: str) -> dict[str, Any]:
        """How many runs come before this session's; 0 while it runs, and when nothing of it waits."""
        return {"position": viva.interviewer.queue_position(session_id)}

    return queue


def _cancel(viva: Viva) -> Callable[..., dict[str, Any]]:
    def cancel(session_id: str) -> dict[str, Any]:
        """Take the session's runs out of the queue, or end them: their own calls return with reason `cancelled`."""
        viva.interviewer.cancel(session_id)
        return {"position": 0}

    return cancel


def _submit(viva: Viva) -> Callable[..., dict[str, Any]]:
    def submit(session_id: str, source: str, seen: int = -1) -> dict[str, Any]:
        """Send code to the hidden checks; see `desk.checked` and `desk.rows`, `feedback` once the question closed."""
        with _said_plainly():
            return screen_dict(session_id, viva.interviewer.submit_code(session_id, source, seen=_seen(seen)), viva)

    return submit


def _report(viva: Viva) -> Callable[..., dict[str, Any]]:
    def report(session_id: str) -> dict[str, Any]:
        """The report of a finished interview, in the shape of `viva export --format json`."""
        with _said_plainly():
            state = viva.interviewer.state(session_id)
            if state.phase != "ended":
                raise UsageError("the interview is still open", hint="end it first: action 'end'")
            return to_dict(make_report(session_id, state, viva.bank))

    return report


def _seen(seen: int) -> int | None:
    return None if seen < 0 else seen
