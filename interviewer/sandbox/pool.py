"""Who runs when: bounded concurrency and a fair queue in front of it.

As many runs go on at once as the machine has processors and memory for. The rest wait in the order they came; each
submission that its owner already has waiting or running counts as four places, so that one person who submits ten times
delays the others little and is never shut out. Nobody overtakes the head of the queue, also when it needs more memory
than is free and somebody behind it does not.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

OWN_SUBMISSION = 4
"""Places that each of an owner's earlier submissions counts for."""
JUDGES_SHARE = 1 << 30
"""Memory set aside for a run besides what its code may use."""


class Refused(Exception):
    """A submission that was not run; `reason` is `busy` (the queue is full, or it waited too long) or `cancelled`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(eq=False)
class Ticket:
    """One submission's place. Make one to watch or cancel what you hand to `check` or `run`; not to be used twice.

    `owner` is whoever shares a fair part of the queue, such as a session's id; empty is a stranger each time.
    """

    owner: str = ""
    rank: int = 0
    memory: int = 0
    _pool: Pool | None = field(default=None, repr=False)
    _cancelled: threading.Event = field(default_factory=threading.Event, repr=False)

    @property
    def position(self) -> int:
        """How many run before it: 1 is next, 0 means that it is running, over or not yet handed in."""
        return self._pool.position(self) if self._pool is not None else 0

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Take it out of the queue, or end its run. Safe from any thread, also when it is over."""
        self._cancelled.set()
        if self._pool is not None:
            self._pool.wake()


class Pool:
    """At most `slots` at once and, more than one at a time, at most `memory` bytes together. For many threads."""

    def __init__(self, slots: int, memory: int, *, wait_seconds: float = 120.0, longest: int = 64) -> None:
        self.slots = slots
        self.memory = memory
        self.wait_seconds = wait_seconds
        self.longest = longest
        self._changed = threading.Condition()
        self._waiting: list[Ticket] = []
        self._running: list[Ticket] = []
        self._arrivals = 0

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def running(self) -> int:
        return len(self._running)

    def position(self, ticket: Ticket) -> int:
        with self._changed:
            return self._waiting.index(ticket) + 1 if ticket in self._waiting else 0

    def wake(self) -> None:
        """Have everybody in the queue look again."""
        with self._changed:
            self._changed.notify_all()

    @contextmanager
    def place(self, ticket: Ticket, memory: int) -> Iterator[float]:
        """Wait for a turn and hold it; gives the seconds waited. Raises Refused."""
        ticket.memory = memory
        waited = self._enter(ticket)
        try:
            yield waited
        finally:
            with self._changed:
                self._running.remove(ticket)
                self._changed.notify_all()

    def _enter(self, ticket: Ticket) -> float:
        started = time.monotonic()
        with self._changed:
            if len(self._waiting) >= self.longest:
                raise Refused("busy")
            self._join(ticket)
            try:
                while not self._may_go(ticket):
                    left = started + self.wait_seconds - time.monotonic()
                    if ticket.cancelled or left <= 0:
                        raise Refused("cancelled" if ticket.cancelled else "busy")
                    self._changed.wait(left)
                self._running.append(ticket)
            finally:
                self._waiting.remove(ticket)
                self._changed.notify_all()
        return time.monotonic() - started

    def _join(self, ticket: Ticket) -> None:
        self._arrivals += 1
        own = [t for t in (*self._waiting, *self._running) if t.owner and t.owner == ticket.owner]
        ticket.rank = self._arrivals + OWN_SUBMISSION * len(own)
        ticket._pool = self
        self._waiting.append(ticket)
        self._waiting.sort(key=lambda t: t.rank)  # stable: the earlier of two of a rank stays ahead

    def _may_go(self, ticket: Ticket) -> bool:
        if self._waiting[0] is not ticket or ticket.cancelled:
            return False
        if not self._running:
            return True
        fits = sum(t.memory for t in self._running) + ticket.memory <= self.memory
        return fits and len(self._running) < self.slots


def machine() -> tuple[int, int]:
    """(processors this process may use, four fifths of the machine's memory in bytes)."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        total = next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemTotal"))
    except (OSError, StopIteration):
        total = 8 << 30
    return usable or 1, total * 4 // 5
