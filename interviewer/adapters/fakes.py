"""Stand-ins that ship with Viva, for tests and demonstrations. They pass the contract tests of the real adapters."""

from __future__ import annotations

import re
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from interviewer.adapters.cleaning import plain, well_formed
from interviewer.adapters.event_json import from_json, to_json
from interviewer.domain import CheckResult, Exercise, Language, Passage, Profile, SandboxResult, Slug
from interviewer.errors import OperatorError
from interviewer.events import Event, Recorded
from interviewer.ports import Embedder, ModelError, SeqTaken, Ticket


class MemoryStore:
    """`ports.Store` in memory. Events pass through the same JSON as in a database, so they come back as from one."""

    def __init__(self) -> None:
        self._rows: dict[str, list[tuple[datetime, str]]] = {}
        self._lock = threading.Lock()

    def append(self, session_id: str, expected_seq: int, events: Sequence[Event], at: datetime) -> tuple[Recorded, ...]:
        """See `ports.Store.append`; ValueError for a gap or a time without a zone."""
        if at.tzinfo is None:
            raise ValueError(f"the time {at!r} has no zone: pass UTC")
        session_id, new = well_formed(session_id), [(at.astimezone(UTC), to_json(event)) for event in events]
        with self._lock:
            following = len(self._rows.get(session_id, ()))
            if expected_seq < following:
                raise SeqTaken(f"session {session_id}: event {expected_seq} is taken, the next is {following}")
            if expected_seq > following:
                raise ValueError(f"session {session_id}: event {expected_seq} would leave a gap")
            if new:
                self._rows.setdefault(session_id, []).extend(new)
        return _recorded(new, start=expected_seq)

    def load(self, session_id: str) -> tuple[Recorded, ...]:
        """See `ports.Store.load`."""
        with self._lock:
            rows = list(self._rows.get(well_formed(session_id), ()))
        return _recorded(rows, start=0)

    def sessions(self, limit: int = 200) -> tuple[tuple[str, datetime], ...]:
        """See `ports.Store.sessions`."""
        with self._lock:
            starts = [(session_id, rows[0][0]) for session_id, rows in self._rows.items()]
        newest_first = sorted(sorted(starts), key=lambda start: start[1], reverse=True)
        return tuple(newest_first[:limit])


def _recorded(rows: Sequence[tuple[datetime, str]], *, start: int) -> tuple[Recorded, ...]:
    return tuple(Recorded(seq=start + i, at=at, event=from_json(body)) for i, (at, body) in enumerate(rows))


class HashEmbedder:
    """`ports.Embedder` by hashing words and letter triples into buckets. Knows spelling, not meaning; no weights."""

    name = "hash-1"
    dimension = 256

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, 256) unit-length float32 rows; zeros for a blank text. The same in every process."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for i, text in enumerate(texts):
            cleaned = plain(text, limit=4000).lower()
            for feature in re.findall(r"\w+|[^\w\s]", cleaned) + [cleaned[j : j + 3] for j in range(len(cleaned) - 2)]:
                rows[i, zlib.crc32(feature.encode()) % self.dimension] += 1.0
            rows[i] /= np.linalg.norm(rows[i]) or 1.0
        return rows


class MemoryIndex:
    """`ports.Retriever` by comparing with every vector: exact, and quick up to some ten thousand passages."""

    def __init__(self, documents: Sequence[Passage], embedder: Embedder) -> None:
        self._documents = tuple(documents)
        self._embedder = embedder
        self._vectors = embedder.embed([document.text for document in self._documents])

    def search(
        self, query: str, *, k: int = 5, question: Slug | None = None, language: Language | None = None
    ) -> tuple[Passage, ...]:
        """See `ports.Retriever.search`. `score` is the cosine."""
        vector = self._embedder.embed([query])[0]
        if not vector.any():
            return ()
        cosines = self._vectors @ vector
        allowed = [
            i
            for i, document in enumerate(self._documents)
            if question in (None, document.question) and language in (None, document.language)
        ]
        best = sorted(allowed, key=lambda i: (-cosines[i], i))[:k]
        return tuple(self._documents[i].model_copy(update={"score": float(cosines[i])}) for i in best)


class ScriptedLLM:
    """`ports.LLM` that says what it was told to. A ModelError among the replies is raised; the last reply repeats.

    `calls` keeps the (system, user) pairs it was given.
    """

    name = "scripted"

    def __init__(self, replies: Sequence[str | ModelError], *, seconds_a_word: float = 0.0) -> None:
        self._replies = list(replies)
        self._seconds_a_word = seconds_a_word
        self.calls: list[tuple[str, str]] = []

    def stream(self, system: str, user: str, *, timeout: float) -> Iterator[str]:
        """Word by word; ModelError `slow` when the words take longer than `timeout`, `empty` for a blank reply."""
        self.calls.append((system, user))
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, ModelError):
            raise reply
        if not reply.strip():
            raise ModelError("empty")
        left = timeout
        for word in re.findall(r"\s*\S+\s*", reply):
            time.sleep(min(self._seconds_a_word, max(left, 0.0)))
            left -= self._seconds_a_word
            if left < 0:
                raise ModelError("slow", f"no full reply in {timeout:g} s")
            yield word


class FakeTicket:
    """`ports.Ticket` of a queue in which nobody waits."""

    def __init__(self) -> None:
        self.position = 0
        self.cancelled = False

    def cancel(self) -> None:
        """See `ports.Ticket.cancel`."""
        self.cancelled = True


class FakeSandbox:
    """`ports.Sandbox` that runs nothing: it knows an exercise's reference and wrong solutions by their text.

    The reference passes, a wrong solution fails the check that names its mistake, anything else fails every check.
    """

    def __init__(self, *, broken: bool = False, prints: Mapping[str, str] | None = None) -> None:
        """`broken`: raise OperatorError as a sandbox that cannot start. `prints`: source -> stdout of a visible run."""
        self._broken = broken
        self._prints = dict(prints or {})

    def ticket(self, owner: str = "") -> FakeTicket:
        """See `ports.Sandbox.ticket`."""
        return FakeTicket()

    def check(self, exercise: Exercise, source: str, *, ticket: Ticket | None = None) -> SandboxResult:
        """See `ports.Sandbox.check`."""
        self._refuse_if_broken()
        killed_by = {wrong.source.strip(): wrong.killed_by for wrong in exercise.wrong.values()}.get(source.strip())
        passes = source.strip() == exercise.reference.strip()
        failed = set() if passes else {killed_by} if killed_by else set(exercise.checks)
        checks = tuple(
            CheckResult(name=name, outcome="failed" if name in failed else "passed") for name in exercise.checks
        )
        return self._result("passed" if passes else "failed", checks=checks)

    def run(
        self,
        source: str,
        *,
        examples: str = "",
        scaffold: str | None = None,
        profile: Profile = "base",
        ticket: Ticket | None = None,
    ) -> SandboxResult:
        """See `ports.Sandbox.run`; prints what it was told to, or nothing."""
        self._refuse_if_broken()
        return self._result("passed", stdout=self._prints.get(source, ""))

    def predict(self, code: str, change: str = "", *, ticket: Ticket | None = None) -> SandboxResult:
        """See `ports.Sandbox.predict`; prints what it was told to for the snippet, and the change itself."""
        self._refuse_if_broken()
        return self._result("passed", stdout=self._prints.get(code, "") + change)

    def _refuse_if_broken(self) -> None:
        if self._broken:
            raise OperatorError("the sandbox cannot start", hint="this is a fake told to fail")

    @staticmethod
    def _result(verdict: str, *, checks: tuple[CheckResult, ...] = (), stdout: str = "") -> SandboxResult:
        return SandboxResult.model_validate(
            {"verdict": verdict, "checks": checks, "stdout": stdout, "seconds": 0.0, "backend": "fake", "layers": ()}
        )
