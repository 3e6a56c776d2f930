"""What the core needs from the world.

Every protocol has a real adapter and a shipped fake, and both pass the same contract tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from interviewer.domain import (
    Exercise,
    Judgement,
    Language,
    Passage,
    Profile,
    Question,
    Rubric,
    SandboxResult,
    Slug,
    Thread,
)
from interviewer.events import Event, Recorded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class SeqTaken(Exception):
    """Another writer recorded this (session, seq) first: reload the session and decide again."""


class Store(Protocol):
    """Append-only sessions. What `append` returned is on disk."""

    def append(self, session_id: str, expected_seq: int, events: Sequence[Event], at: datetime) -> tuple[Recorded, ...]:
        """Record `events` as expected_seq, expected_seq + 1, ... in one transaction; SeqTaken if one exists."""
        ...

    def load(self, session_id: str) -> tuple[Recorded, ...]:
        """All events in order; empty for an unknown session."""
        ...

    def sessions(self, limit: int = 200) -> tuple[tuple[str, datetime], ...]:
        """Session ids with their start, newest first."""
        ...


class Embedder(Protocol):
    """Sentence vectors of one multilingual space."""

    name: str
    dimension: int

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimension) unit-length rows; a blank text gives a zero row."""
        ...


class Retriever(Protocol):
    """Finds passages of the bank by meaning and words, across languages."""

    def search(
        self, query: str, *, k: int = 5, question: Slug | None = None, language: Language | None = None
    ) -> tuple[Passage, ...]:
        """The k best passages, best first; empty for a blank query."""
        ...


class Judge(Protocol):
    """Scores one question's thread against its rubric. Never talks to the candidate."""

    name: str
    version: str

    def judge(self, question: Question, rubric: Rubric, thread: Thread, language: Language) -> Judgement:
        """A verdict for every criterion decided by talk. A judge that cannot tell says `unsure`."""
        ...


class Ticket(Protocol):
    """One run's place in the queue. For one run only; safe to use from any thread."""

    @property
    def position(self) -> int:
        """How many run before it: 1 is next, 0 means that it is running, over or not yet handed in."""
        ...

    def cancel(self) -> None:
        """Take it out of the queue or end its run: the result is then `refused` and `cancelled`."""
        ...


class Sandbox(Protocol):
    """Runs a candidate's code. A failing candidate is a result; a failing machine raises OperatorError.

    A run without a ticket gets one of its own, which nobody can look at.
    """

    def ticket(self, owner: str = "") -> Ticket:
        """A place for one run. The runs of one `owner` share a fair part of the queue."""
        ...

    def check(self, exercise: Exercise, source: str, *, ticket: Ticket | None = None) -> SandboxResult:
        """Hidden checks. `passed` only when every check passed."""
        ...

    def run(
        self,
        source: str,
        *,
        examples: str = "",
        scaffold: str | None = None,
        profile: Profile = "base",
        ticket: Ticket | None = None,
    ) -> SandboxResult:
        """Visible run of the candidate's script, then the examples in the same namespace."""
        ...

    def predict(self, code: str, change: str = "", *, ticket: Ticket | None = None) -> SandboxResult:
        """Run a snippet with a candidate's change: `stdout`, the last line's `value`, or what it `raised`."""
        ...


class LLM(Protocol):
    """Streams a reply. Only phrasing uses it."""

    name: str

    def stream(self, system: str, user: str, *, timeout: float) -> Iterator[str]:
        """Pieces of the reply as they come; raises ModelError when it fails or exceeds `timeout` seconds."""
        ...


class ModelError(Exception):
    """A language model failed: `kind` is slow, error or empty."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.detail = detail
