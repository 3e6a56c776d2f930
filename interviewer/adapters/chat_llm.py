"""A language model behind any OpenAI-compatible address, through LangChain.

The deadline covers the whole reply. A read timeout alone would not: a server that sends a crumb now and then never
trips it. So the reply is read in a thread, and the caller waits for it no longer than it said.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx2
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from langsmith.run_helpers import tracing_context
from openai import APIStatusError, APITimeoutError, DefaultHttpxClient
from pydantic import SecretStr

from interviewer.adapters.cleaning import well_formed
from interviewer.ports import ModelError

CONNECT_SECONDS = 5.0
MAX_TOKENS = 500
TEMPERATURE = 0.3


@dataclass
class _Call:
    """One reply on its way from the reading thread to the caller."""

    pieces: queue.SimpleQueue[str | ModelError | None] = field(default_factory=queue.SimpleQueue)
    given_up: threading.Event = field(default_factory=threading.Event)
    response: httpx2.Response | None = None

    def give_up(self) -> None:
        """Closing the connection ends a thread that a dripping server would keep for ever."""
        self.given_up.set()
        if self.response is not None:
            self.response.close()


class ChatLLM:
    """`ports.LLM` over HTTP. Threads may share it. Neither the key nor any text is logged or traced."""

    def __init__(self, *, base_url: str, api_key: str, model: str, timeout: float = 60.0, retries: int = 1) -> None:
        """`timeout`: seconds a single read may take, whatever the caller's deadline. `retries`: after 429 and 5xx."""
        self.name = model
        self._key = api_key
        self._here = threading.local()
        self._chat = ChatOpenAI(
            base_url=base_url,
            api_key=SecretStr(api_key or "none"),
            model=model,
            timeout=httpx2.Timeout(timeout, connect=min(CONNECT_SECONDS, timeout)),
            max_retries=retries,
            temperature=TEMPERATURE,
            max_completion_tokens=MAX_TOKENS,
            http_client=DefaultHttpxClient(event_hooks={"response": [self._opened]}),
        )

    def stream(self, system: str, user: str, *, timeout: float) -> Iterator[str]:
        """Pieces of the reply as they come.

        Raises ModelError: `slow` after `timeout` seconds, `empty` for a reply with nothing to see, `error` otherwise,
        also for a reply that was cut short. Closing the iterator closes the connection.
        """
        call = _Call()
        messages = [SystemMessage(well_formed(system)), HumanMessage(well_formed(user))]
        threading.Thread(target=self._read, args=(call, messages), name="viva-llm", daemon=True).start()
        deadline, visible = time.monotonic() + timeout, False
        try:
            while (piece := _next(call, deadline, timeout)) is not None:
                visible = visible or bool(piece.strip())
                yield piece
        finally:
            call.give_up()
        if not visible:
            raise ModelError("empty")

    def _read(self, call: _Call, messages: list[SystemMessage | HumanMessage]) -> None:
        self._here.call = call
        try:
            end = None
            with tracing_context(enabled=False):
                for chunk in self._chat.stream(messages):
                    if call.given_up.is_set():
                        return
                    end = chunk.response_metadata.get("finish_reason") or end
                    if chunk.text:
                        call.pieces.put(chunk.text)
            if end != "stop":
                raise ModelError("error", f"the reply was cut short ({end or 'the stream broke off'})")
            call.pieces.put(None)
        except ModelError as error:
            call.pieces.put(error)
        except Exception as error:  # whatever the server sent: the interview goes on without the model
            call.pieces.put(self._explained(error))

    def _explained(self, error: Exception) -> ModelError:
        if isinstance(error, APITimeoutError | httpx2.TimeoutException):
            return ModelError("slow", "the server did not answer")
        if isinstance(error, APIStatusError):
            return ModelError("error", f"HTTP {error.status_code}")
        said = f"{type(error).__name__}: {error}"
        return ModelError("error", (said.replace(self._key, "***") if self._key else said)[:200])

    def _opened(self, response: httpx2.Response) -> None:
        """Runs in the reading thread when a response begins."""
        call: _Call = self._here.call
        call.response = response
        if call.given_up.is_set():
            response.close()


def _next(call: _Call, deadline: float, timeout: float) -> str | None:
    """The next piece, None at the end of the reply."""
    try:
        piece = call.pieces.get(timeout=max(deadline - time.monotonic(), 0.001))
    except queue.Empty:
        raise ModelError("slow", f"no full reply in {timeout:g} s") from None
    if isinstance(piece, ModelError):
        raise piece
    if piece is not None and time.monotonic() > deadline:
        raise ModelError("slow", f"no full reply in {timeout:g} s")
    return piece
