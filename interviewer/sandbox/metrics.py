"""What the sandbox has done so far, for whoever looks after the server."""

from __future__ import annotations

import threading
from collections import Counter, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interviewer.domain import SandboxResult

KEPT = 1000
"""Latest runs that the percentiles are of."""
KILLS = ("wall_clock", "cpu_time", "memory", "gpu_memory", "cancelled", "protocol")
"""Reasons for which a run was ended rather than left to end."""


@dataclass(frozen=True)
class Metrics:
    """Counts since the sandbox was made; seconds of the latest runs. None where nothing has run yet."""

    runs: int
    running: int
    waiting: int
    verdicts: dict[str, int]
    kills: dict[str, int]
    refused: dict[str, int]
    restarts: int
    p50_seconds: float | None
    p95_seconds: float | None
    waited_p50_seconds: float | None
    waited_p95_seconds: float | None


class Counts:
    """Collects. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._verdicts: Counter[str] = Counter()
        self._kills: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._seconds: deque[float] = deque(maxlen=KEPT)
        self._waited: deque[float] = deque(maxlen=KEPT)
        self._starts = 0

    def ran(self, result: SandboxResult, waited: float) -> None:
        with self._lock:
            self._verdicts[result.verdict] += 1
            if result.reason in KILLS:
                self._kills[result.reason] += 1
            self._seconds.append(result.seconds)
            self._waited.append(waited)

    def refused(self, reason: str) -> None:
        """Something was not run at all."""
        with self._lock:
            self._refused[reason] += 1

    def started(self) -> None:
        """The fork server was started, or started again."""
        with self._lock:
            self._starts += 1

    def metrics(self, *, running: int, waiting: int) -> Metrics:
        with self._lock:
            return Metrics(
                runs=self._verdicts.total(),
                running=running,
                waiting=waiting,
                verdicts=dict(self._verdicts),
                kills=dict(self._kills),
                refused=dict(self._refused),
                restarts=max(0, self._starts - 1),
                p50_seconds=percentile(self._seconds, 0.50),
                p95_seconds=percentile(self._seconds, 0.95),
                waited_p50_seconds=percentile(self._waited, 0.50),
                waited_p95_seconds=percentile(self._waited, 0.95),
            )


def percentile(seconds: deque[float], share: float) -> float | None:
    """The smallest value that `share` of them do not exceed."""
    ranked = sorted(seconds)
    return ranked[max(0, -int(-share * len(ranked) // 1) - 1)] if ranked else None
