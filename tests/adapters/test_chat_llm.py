"""The model over real HTTP against servers that misbehave. What every model promises is in contracts/."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from interviewer.adapters.chat_llm import ChatLLM
from interviewer.ports import ModelError
from tests.scripted_server import Behaviour, ScriptedServer, drips, fails, hangs, says, streams_raw

Serve = Callable[..., ScriptedServer]

KEY = "sk-very-secret-key"


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as stack:
        yield lambda *behaviours: stack.enter_context(ScriptedServer(*behaviours).running())


def model(server: ScriptedServer, *, retries: int = 0, timeout: float = 5.0) -> ChatLLM:
    return ChatLLM(base_url=server.url, api_key=KEY, model="tiny", retries=retries, timeout=timeout)


def failure(llm: ChatLLM, *, timeout: float = 5.0) -> ModelError:
    with pytest.raises(ModelError) as caught:
        list(llm.stream("system", "user", timeout=timeout))
    return caught.value


def reading_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "viva-llm"}


def wait_until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert condition()


def test_it_asks_as_the_api_says(serve: Serve) -> None:
    """Model, both messages, streaming and the key travel; nothing else about the candidate does."""
    server = serve(says("fine"))
    assert list(model(server).stream("be kind", "ask", timeout=5)) == ["fine"]
    (body,) = server.requests
    assert body["model"] == "tiny"
    assert body["stream"] is True
    assert [(m["role"], m["content"]) for m in body["messages"]] == [("system", "be kind"), ("user", "ask")]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_pieces_arrive_before_the_reply_is_whole(serve: Serve) -> None:
    """The first word is there while the server still writes the others."""
    stream = model(serve(says("one ", "two ", "three", pause=0.3))).stream("s", "u", timeout=5)
    began = time.monotonic()
    assert next(stream) == "one "
    assert time.monotonic() - began < 0.8
    assert list(stream) == ["two ", "three"]


@pytest.mark.parametrize(
    ("behaviour", "kind", "said"),
    [
        (fails(500), "error", "HTTP 500"),
        (fails(429), "error", "HTTP 429"),
        (fails(401, f"bad key {KEY}"), "error", "HTTP 401"),
        (says("half of", finish=None), "error", "broke off"),
        (says("as long as it may be", finish="length"), "error", "length"),
        (streams_raw("data: {garbage\n\n"), "error", "JSON"),
        (streams_raw("<html>it works!</html>"), "error", "No generation"),
        (streams_raw('data: {"error": {"message": "overloaded"}}\n\n'), "error", "overloaded"),
        (streams_raw(""), "error", ""),
        (says(), "empty", ""),
        (hangs(1.0), "slow", "0.4 s"),
        (drips(": still thinking\n\n", pause=0.05), "slow", "0.4 s"),
    ],
    ids=["500", "429", "401", "cut", "length", "garbage", "page", "error-event", "nothing", "empty", "hangs", "drips"],
)
def test_every_misbehaviour_has_its_kind(serve: Serve, behaviour: Behaviour, kind: str, said: str) -> None:
    """And it comes before the deadline, without the key in its text."""
    began = time.monotonic()
    error = failure(model(serve(behaviour)), timeout=0.4 if kind == "slow" else 5.0)
    assert error.kind == kind
    assert said in error.detail
    assert KEY not in str(error)
    assert time.monotonic() - began < 2.0


def test_a_server_that_is_not_there_is_an_error() -> None:
    llm = ChatLLM(base_url="http://127.0.0.1:9/v1", api_key=KEY, model="tiny", retries=0)
    assert failure(llm).kind == "error"


def test_a_passing_failure_is_tried_again(serve: Serve) -> None:
    """Once by default, on 429 and 5xx, inside the caller's deadline."""
    server = serve(fails(503), says("fine"))
    assert list(model(server, retries=1).stream("s", "u", timeout=5)) == ["fine"]
    assert len(server.requests) == 2


def test_a_silent_read_is_slow_even_under_a_long_deadline(serve: Serve) -> None:
    assert failure(model(serve(hangs(1.5)), timeout=0.3)).kind == "slow"


def test_a_dripping_server_does_not_keep_a_thread(serve: Serve) -> None:
    """After the deadline the connection is closed and the reading thread ends, though the server would go on."""
    server = serve(drips(": still thinking\n\n", pause=0.02))
    others = reading_threads()  # of the tests before this one, which may still be on their way out
    failure(model(server), timeout=0.2)
    wait_until(lambda: reading_threads() <= others)
    assert server.disconnected.wait(20)


def test_a_candidate_who_leaves_frees_the_server(serve: Serve) -> None:
    """Closing the stream closes the connection, so a local model stops generating."""
    server = serve(says(*["word "] * 500, pause=0.02))
    others = reading_threads()
    stream = model(server).stream("s", "u", timeout=30)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert server.disconnected.wait(20)
    wait_until(lambda: reading_threads() <= others)


def test_neither_key_nor_texts_are_logged(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    """Also at the level where a newcomer looks for trouble."""
    with caplog.at_level(logging.INFO):
        list(model(serve(says("answer-text"))).stream("system-text", "user-text", timeout=5))
        failure(model(serve(fails(401, KEY))))
    assert KEY not in caplog.text
    assert "-text" not in caplog.text


def test_the_key_does_not_show_in_a_traceback(serve: Serve) -> None:
    assert KEY not in repr(model(serve(says("x")))._chat)


def test_nothing_is_traced_even_when_tracing_is_switched_on(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """LangSmith's switch in the environment does not send candidates' words to a third party."""
    collector = serve(fails(500))
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_API_KEY", "key")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", collector.url)
    list(model(serve(says("fine"))).stream("s", "u", timeout=5))
    time.sleep(0.5)
    assert collector.headers == []
