"""What every language model promises, the one over HTTP and the fake alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from interviewer.adapters.chat_llm import ChatLLM
from interviewer.adapters.fakes import ScriptedLLM
from interviewer.ports import LLM, ModelError
from tests.scripted_server import ScriptedServer, fails, says

Make = Callable[..., LLM]


@pytest.fixture(params=["http", "fake"])
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    """make(reply) or make(reply, pause=seconds a word): a model that gives this reply; None is a failing one."""
    with ExitStack() as stack:

        def http(reply: str | None, *, pause: float = 0.0) -> LLM:
            words = [word + " " for word in (reply or "").split()] or [reply or ""]
            behaviour = fails(500) if reply is None else says(*words, pause=pause)
            server = stack.enter_context(ScriptedServer(behaviour).running())
            return ChatLLM(base_url=server.url, api_key="key", model="m", retries=0)

        def fake(reply: str | None, *, pause: float = 0.0) -> LLM:
            return ScriptedLLM([ModelError("error") if reply is None else reply], seconds_a_word=pause)

        yield http if request.param == "http" else fake


@pytest.mark.parametrize("reply", ["Why does it grow?", "А если вызвать дважды?", "那么 调用 两次 呢？ 😀"])
def test_pieces_join_to_the_reply(make: Make, reply: str) -> None:
    pieces = list(make(reply).stream("system", "user", timeout=10))
    assert "".join(pieces).strip() == reply
    assert len(pieces) > 1


def test_a_failing_model_is_an_error(make: Make) -> None:
    with pytest.raises(ModelError) as caught:
        list(make(None).stream("system", "user", timeout=10))
    assert caught.value.kind == "error"


@pytest.mark.parametrize("reply", ["", " \n"])
def test_a_blank_reply_is_empty_not_a_text(make: Make, reply: str) -> None:
    with pytest.raises(ModelError) as caught:
        list(make(reply).stream("system", "user", timeout=10))
    assert caught.value.kind == "empty"


def test_the_deadline_covers_the_whole_reply(make: Make) -> None:
    """Words that come one by one, each in time, still end in `slow` when together they take too long."""
    model = make("one two three four five six seven eight", pause=0.15)
    began = time.monotonic()
    with pytest.raises(ModelError) as caught:
        list(model.stream("system", "user", timeout=0.5))
    assert caught.value.kind == "slow"
    assert time.monotonic() - began < 0.9


def test_hostile_prompts_do_not_raise(make: Make) -> None:
    assert list(make("fine").stream("lone \ud800", "nul \0", timeout=10))


def test_a_model_may_be_left_in_the_middle(make: Make) -> None:
    """A candidate who leaves closes the stream; the next call works."""
    model = make("one two three")
    stream = model.stream("system", "user", timeout=10)
    next(iter(stream))
    stream.close()  # type: ignore[attr-defined]
    assert len(list(model.stream("system", "user", timeout=10))) == 3
