"""A small OpenAI-compatible server that behaves as badly as told, for tests over real HTTP."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Reply"], None]


class Reply:
    """What a behaviour may do with one request."""

    def __init__(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        self._handler = handler
        self.body = body

    def open_stream(self) -> None:
        """Start a server-sent event stream that ends when the connection closes."""
        self._handler.send_response(200)
        self._handler.send_header("Content-Type", "text/event-stream")
        self._handler.send_header("Connection", "close")
        self._handler.end_headers()

    def raw(self, text: str) -> None:
        """Send `text` as it is."""
        self._handler.wfile.write(text.encode())
        self._handler.wfile.flush()

    def piece(self, text: str, finish: str | None = None) -> None:
        """Send one chunk of the reply."""
        choice = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": finish}
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}
        self.raw(f"data: {json.dumps(chunk)}\n\n")

    def fail(self, status: int, message: str = "no") -> None:
        """Answer with an HTTP error."""
        payload = json.dumps({"error": {"message": message}}).encode()
        self._handler.send_response(status)
        self._handler.send_header("Content-Length", str(len(payload)))
        self._handler.end_headers()
        self._handler.wfile.write(payload)


class ScriptedServer:
    """Answers each request with the next behaviour; the last one repeats. `requests` and `headers` keep what came."""

    def __init__(self, *behaviours: Behaviour) -> None:
        self._behaviours = list(behaviours)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.disconnected = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True

    @property
    def url(self) -> str:
        """The base URL that a client is given."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @contextmanager
    def running(self) -> Iterator[ScriptedServer]:
        """Serve until the block ends."""
        thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._http.shutdown()
            self._http.server_close()
            thread.join()


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            server.headers.append({name.lower(): value for name, value in self.headers.items()})
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append(body)
            behaviours = server._behaviours
            behaviour = behaviours.pop(0) if len(behaviours) > 1 else behaviours[0]
            try:
                behaviour(Reply(self, body))
            except (BrokenPipeError, ConnectionResetError):
                server.disconnected.set()
            self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


def says(*pieces: str, finish: str | None = "stop", pause: float = 0.0) -> Behaviour:
    """A well-behaved stream, `pause` seconds before each piece. Without `finish` it breaks off."""

    def behave(reply: Reply) -> None:
        reply.open_stream()
        for piece in pieces:
            time.sleep(pause)
            reply.piece(piece)
        if finish:
            reply.piece("", finish)
            reply.raw("data: [DONE]\n\n")

    return behave


def fails(status: int, message: str = "no") -> Behaviour:
    """An HTTP error."""
    return lambda reply: reply.fail(status, message)


def streams_raw(text: str) -> Behaviour:
    """A stream with `text` in it as it is."""

    def behave(reply: Reply) -> None:
        reply.open_stream()
        reply.raw(text)

    return behave


def drips(text: str, *, pause: float, times: int = 1000) -> Behaviour:
    """The same raw crumb over and over."""

    def behave(reply: Reply) -> None:
        reply.open_stream()
        for _ in range(times):
            reply.raw(text)
            time.sleep(pause)

    return behave


def hangs(seconds: float) -> Behaviour:
    """No answer for a while."""
    return lambda _reply: time.sleep(seconds)
