"""The page as a server: what it publishes, what it refuses, and that its API takes anything."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from interviewer.bank import Bank
from interviewer.config import Config, is_own_machine
from interviewer.errors import OperatorError
from interviewer.ui.launch import QUIET, look, refuse_taken, refuse_weak_isolation
from interviewer.ui.page import build_page
from interviewer.ui.theme import css, head
from interviewer.wiring import Viva
from tests.ui.installation import everything, make_viva
from tests.ui.test_markup import HOSTILE

DEFAULTS: dict[str, list[Any]] = {
    "start": ["en", "", [], [], 5, 0, True, "practice"],
    "answer": ["", "", -1],
    "act": ["", "", -1],
    "run": ["", "", -1],
    "submit": ["", "", -1],
    "predict": ["", "", "", -1],
    "queue": [""],
    "cancel": [""],
    "state": [""],
    "report": [""],
}
API = {f"/{name}" for name in DEFAULTS}

Call = Callable[..., Any]


@pytest.fixture(scope="module")
def viva(bank: Bank) -> Viva:
    return make_viva(bank)


@pytest.fixture(scope="module")
def client(viva: Viva) -> Iterator[TestClient]:
    from gradio.routes import App

    demo = build_page(viva)
    demo.queue(default_concurrency_limit=16)
    with TestClient(App.create_app(demo)) as found:
        yield found


@pytest.fixture
def call(client: TestClient) -> Call:
    """call(name, *arguments): the function's result, or the error's text."""

    def ask(name: str, *arguments: Any) -> Any:
        rest = DEFAULTS[name][len(arguments) :]
        body = json.dumps({"data": [*arguments, *rest]}).encode("utf-8", "surrogatepass")
        reply = client.post(f"/gradio_api/run/{name}", content=body, headers={"content-type": "application/json"})
        content = reply.json()
        return content["data"][0] if reply.status_code == 200 else content["error"]

    return ask


def test_only_the_named_functions_are_public(client: TestClient) -> None:
    """No event of the page and no callable value became an endpoint."""
    info = client.get("/gradio_api/info").json()
    assert set(info["named_endpoints"]) == API
    assert not info["unnamed_endpoints"]


def test_no_event_waits_for_another(viva: Viva) -> None:
    """Gradio counts what runs together by function: each event has its own, and room for many."""
    bound = [event for event in build_page(viva).fns.values() if event.fn is not None]
    assert len({id(event.fn) for event in bound}) == len(bound) > 20
    assert all(event.concurrency_limit >= 8 for event in bound)


def test_an_interview_through_the_api(call: Call, bank: Bank) -> None:
    """Start, answer, hint, code, end, report; all of it JSON."""
    screen = call("start", "ru", "", [], ["zero-grad", "dropout"], 5, 0, True, "practice")
    session = screen["session_id"]
    assert screen["language"] == "ru" and screen["dots"] == ["now", "to_come"]
    screen = call("act", session, "hint", screen["seq"])
    screen = call("answer", session, everything(bank, "zero-grad"), screen["seq"])
    assert screen["feedback"][0]["id"] == "zero-grad"
    screen = call("act", session, "dont_know", screen["seq"])
    assert screen["desk"]["exercise"] == "dropout"
    screen = call("run", session, bank.exercises["dropout"].reference, screen["seq"])
    screen = call("submit", session, bank.exercises["dropout"].reference, screen["seq"])
    assert screen["phase"] == "ended"
    report = call("report", session)
    assert [q["id"] for q in report["questions"]] == ["zero-grad", "dropout"]
    assert call("state", session) == screen


def test_an_old_screen_is_refused(call: Call) -> None:
    """The second of two tabs hears so."""
    screen = call("start", "en", "", [], ["zero-grad"], 5, 0, False, "exam")
    call("answer", screen["session_id"], "x", screen["seq"])
    assert "moved on" in call("answer", screen["session_id"], "y", screen["seq"])


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("state", ["nope"], "no session 'nope'"),
        ("start", ["xx"], "language"),
        ("start", ["en", "guru"], "level"),
        ("start", ["en", "", ["nope"]], "no topic"),
        ("start", ["en", "", [], ["nope"]], "nope"),
        ("act", ["nope", "skip"], "no session"),
        ("report", ["nope"], "no session"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(call: Call, name: str, arguments: list[Any], says: str) -> None:
    """The message names the value."""
    assert says in call(name, *arguments)


@pytest.mark.parametrize("text", [*HOSTILE, "x" * 200_000, "\u202eשלום", "\ud800", "a\x00b", ""])
def test_any_text_is_taken_and_kept(call: Call, text: str) -> None:
    """No exception, and what can be shown comes back as it was."""
    screen = call("start", "en", "", [], ["zero-grad"], 5, 0, False, "practice")
    after = call("answer", screen["session_id"], text, screen["seq"])
    assert isinstance(after, dict), after
    said = next(m["text"] for m in after["messages"] if m["role"] == "candidate")
    assert len(said) == len(text)


def test_the_report_waits_for_the_end(call: Call) -> None:
    """Nobody reads the rubric in the middle."""
    screen = call("start", "en", "", [], ["zero-grad"], 5, 0, False, "practice")
    assert "still open" in call("report", screen["session_id"])


def test_a_taken_port_is_named_before_anything_is_built() -> None:
    """What, where and what to do."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(OperatorError, match=str(port)) as caught:
            refuse_taken("127.0.0.1", port)
    assert "--port" in caught.value.hint
    refuse_taken("127.0.0.1", 0)


@pytest.mark.parametrize("weak", [{"backend": "process"}, {"minimum_isolation": "process"}])
def test_strangers_code_needs_a_wall(weak: dict[str, Any]) -> None:
    """A server that others can reach refuses a sandbox below landlock; one's own machine may have it."""
    with pytest.raises(OperatorError, match="without a wall") as caught:
        refuse_weak_isolation(Config(host="0.0.0.0", **weak))
    assert "landlock" in caught.value.hint
    refuse_weak_isolation(Config(host="127.0.0.1", **weak))
    refuse_weak_isolation(Config(host="0.0.0.0"))


@pytest.mark.parametrize(
    ("host", "own"), [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("10.1.2.3", False)]
)
def test_only_a_loopback_address_is_the_users_own(host: str, own: bool) -> None:
    """The list of interviews is shown only there."""
    assert is_own_machine(host) is own


def test_nothing_is_fetched_from_elsewhere() -> None:
    """No address in what the page loads; nothing reports to anybody."""
    assert "http" not in css() and "http" not in head() and "@import" not in css()
    assert look()["run_history"] is False and look()["footer_links"] == []
    assert QUIET["GRADIO_ANALYTICS_ENABLED"] == "False" and QUIET["LANGSMITH_TRACING"] == "false"


def test_a_snippet_can_be_run_over_the_api(call: Call) -> None:
    """Said, run, changed; its place in the queue can be asked for and given up."""
    screen = call("start", "en", "", [], ["zero-grad"])
    session = screen["session_id"]
    assert screen["snippet"] is None
    screen = call("answer", session, "it adds")
    assert screen["snippet"]["tried"] == []
    assert "say first" in str(call("predict", session, ""))
    screen = call("predict", session, "3")
    assert [run["predicted"] for run in screen["snippet"]["tried"]] == ["3"]
    assert call("queue", session) == {"position": 0}
    assert call("cancel", session) == {"position": 0}
