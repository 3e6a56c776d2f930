"""One run as the parent sees it: two children, their output, the judge's verdict, the deadline, the end."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from interviewer.domain import SandboxResult, SandboxVerdict
from interviewer.errors import OperatorError

from . import pictures
from .become import BROKEN
from .cgroups import Group
from .launch import Zygote
from .limits import Limits

if TYPE_CHECKING:
    from interviewer.domain import Profile

MAX_VERDICT = 4 << 20
GRACE = 0.5
"""Seconds a candidate's process gets to be collected once the judge saw it go, before it is killed."""
CUT = "\n[output cut here]\n"
TICK = 0.1
"""How often a run in progress is asked whether it should be stopped."""
STOPPED: dict[str, tuple[SandboxVerdict, str]] = {
    "cancelled": ("refused", "The run was cancelled."),
    "gpu_memory": ("memory", "The code used more memory of the GPU than it is given."),
}
"""Reason -> verdict and sentence, for runs that were ended from outside."""
Where = tuple[str, tuple[str, ...]]
Job = dict[str, Any]
"""What the judge is asked to do: mode, source, and what that mode needs."""


def unrunnable(verdict: SandboxVerdict, reason: str, message: str, *, where: Where) -> SandboxResult:
    """A result for what is not worth a process."""
    return SandboxResult(
        verdict=verdict, reason=reason, message=message, seconds=0.0, backend=where[0], layers=where[1]
    )


class Output:
    """What the candidate printed: read without end, kept to a cap, given up after a larger one."""

    def __init__(self, fd: int, limits: Limits) -> None:
        self.fd: int | None = fd
        os.set_blocking(fd, False)
        self.limits = limits
        self.kept = bytearray()
        self.total = 0

    def read(self) -> None:
        """Take what is there."""
        if self.fd is None:
            return
        try:
            part = os.read(self.fd, 1 << 16)
        except BlockingIOError:
            return
        self.total += len(part)
        self.kept += part[: self.limits.stdout_kept - len(self.kept)]
        if not part or self.total > self.limits.stdout_total:
            self.close()

    def drain(self) -> None:
        """Take all that is there, once nobody writes any more."""
        before = -1
        while self.fd is not None and before != self.total:
            before = self.total
            self.read()

    def text(self) -> str:
        text = self.kept.decode("utf-8", "replace").replace("\0", "\ufffd")
        return text + CUT if self.total > len(self.kept) else text

    def close(self) -> None:
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None


class Run:
    """A started run. Use as a context manager: leaving it kills what is left."""

    def __init__(self, zygote: Zygote, limits: Limits, profile: Profile, *, plots: bool = False) -> None:
        self.stopped = ""
        self.stop: Callable[[], str] = str
        """Asked all along; a reason in STOPPED ends the run."""
        self.limits = limits = limits.for_profile(profile)
        self.started = time.monotonic()
        self.report, report = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.private, private = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        read, write = os.pipe()
        self.output = Output(read, limits)
        self.pidfds: list[int] = []
        self.group: Group | None = None
        self.ends: dict[str, dict[str, Any]] = {}
        self.verdict = bytearray()
        try:
            self.pidfds = zygote.spawn(
                limits, profile, [report.fileno(), private.fileno(), write], self.report, plots=plots
            )
            if plots:
                self.started = time.monotonic()  # the import was not the code's doing
        except BaseException:
            self._close()
            raise
        else:
            self.group = zygote.group(limits, self.pidfds[0])
        finally:
            report.close()
            private.close()
            os.close(write)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._kill()
        self._close()

    def finish(self, job: Job, *, where: Where) -> SandboxResult:
        """Give the judge its job, wait for the verdict or the deadline, end both processes, say what happened."""
        deadline = self.started + self.limits.wall_seconds
        body = {**job, "call_seconds": self.limits.call_seconds, "wall_seconds": self.limits.wall_seconds}
        self._tell(json.dumps(body).encode(), deadline)
        outcome = self._await_verdict(deadline)
        if outcome is not None and outcome["reason"] == "gone":
            self._pump(lambda: "candidate" in self.ends, time.monotonic() + GRACE)
        late = time.monotonic() >= deadline
        before = dict(self.ends)
        self._kill()
        self.output.drain()  # all of it is there: the candidate's process flushes before it answers
        final = self._stopped() if outcome is None and self.stopped else self._explain(outcome, before, late)
        return SandboxResult(
            verdict=final["verdict"],
            reason=final["reason"],
            message=final["message"],
            checks=tuple(final["checks"]),
            traceback=final["traceback"],
            stdout=self.output.text(),
            seconds=time.monotonic() - self.started,
            backend=where[0],
            layers=where[1],
            findings=tuple(final.get("findings", ())),
            pictures=pictures.decoded(final.get("pictures")),
            value=final.get("value", ""),
            raised=final.get("raised", ""),
            device=job.get("device", "cpu"),
        )

    def _stopped(self) -> dict[str, Any]:
        verdict, message = STOPPED[self.stopped]
        return {"verdict": verdict, "reason": self.stopped, "message": message, "checks": [], "traceback": ""}

    def _tell(self, job: bytes, deadline: float) -> None:
        self.private.settimeout(max(0.1, deadline - time.monotonic()))
        try:
            self.private.sendall(len(job).to_bytes(4, "big") + job)
        except OSError:
            return  # the judge is gone, which the wait for its verdict will find out

    def _await_verdict(self, deadline: float) -> dict[str, Any] | None:
        """The judge's words, or None when it ended or ran out of time without any."""
        self.private.setblocking(False)
        self._pump(self._has_verdict, deadline)
        size = int.from_bytes(self.verdict[:4], "big")
        if len(self.verdict) < 4 or size > MAX_VERDICT or len(self.verdict) != 4 + size:
            return None
        outcome: dict[str, Any] = json.loads(self.verdict[4:])
        return outcome

    def _has_verdict(self) -> bool:
        whole = len(self.verdict) >= 4 and len(self.verdict) >= 4 + int.from_bytes(self.verdict[:4], "big")
        return whole or "judge" in self.ends

    def _pump(self, done: Any, deadline: float) -> None:
        """Read output, verdict and exit reports as they come until `done()` or the deadline."""
        while not done():
            left = deadline - time.monotonic()
            self.stopped = self.stopped or self.stop()
            if left <= 0 or self.stopped:
                return
            poll = select.poll()
            for fd in (self.report.fileno(), self.private.fileno(), self.output.fd):
                if fd is not None and fd >= 0:
                    poll.register(fd, select.POLLIN)
            for fd, _ in poll.poll(min(left, TICK) * 1000):
                self._take(fd)

    def _take(self, fd: int) -> None:
        if fd == self.output.fd:
            self.output.read()
        elif fd == self.private.fileno():
            part = _read(self.private)
            self.verdict += part
            if not part:
                self.private.close()
        else:
            part = _read(self.report)
            if part:
                end = json.loads(part)
                self.ends[end["role"]] = end
            else:
                self.report.close()
                self.ends.setdefault("candidate", {"code": None, "cpu": 0.0})
                self.ends.setdefault("judge", {"code": None, "cpu": 0.0})

    def _explain(self, outcome: dict[str, Any] | None, before: dict[str, Any], late: bool) -> dict[str, Any]:
        """The judge's outcome, or what the ends of the two processes say where it has none."""
        judge_broke = outcome is None and before.get("judge", {}).get("code") == BROKEN
        if judge_broke or (outcome is not None and outcome["reason"] == "not_ready"):
            raise OperatorError("the sandbox could not confine a process", hint="run `viva doctor`")
        empty = {"checks": [], "traceback": ""}
        if outcome is None:
            if late:
                said = {"verdict": "timeout", "reason": "wall_clock", "message": "The code did not finish in time."}
                return empty | said
            if before.get("judge", {}).get("code") is None:
                raise OperatorError("the sandbox's fork server ended during a run", hint="run it again")
            said = {"verdict": "error", "reason": "crashed", "message": "The judge's process ended without a verdict."}
            return empty | said
        if outcome["reason"] == "gone":
            return _with_end(outcome, self._end_of(before.get("candidate")))
        return outcome

    def _end_of(self, end: dict[str, Any] | None) -> dict[str, Any]:
        """Why the candidate's process is no longer there."""
        if end is None:
            return {"reason": "protocol", "message": "The code closed the connection it is called through."}
        code, cpu = end["code"], end["cpu"]
        if code is None or code >= 0:
            return {"reason": "exited", "message": "The code ended its own process."}
        if -code in (signal.SIGXCPU, signal.SIGKILL) and cpu >= self.limits.cpu_seconds - 0.5:
            used = f"The code used more than {self.limits.cpu_seconds} s of processor time."
            return {"verdict": "timeout", "reason": "cpu_time", "message": used}
        full = -code == signal.SIGKILL and end.get("max_rss", 0) >= self.limits.memory
        if full or (self.group is not None and self.group.out_of_memory()):
            return {"verdict": "memory", "reason": "memory", "message": "The code ran out of memory."}
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return {"reason": "crashed", "message": f"The code's process crashed ({name})."}

    def _kill(self) -> None:
        for pidfd in self.pidfds:
            try:
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            except ProcessLookupError:
                continue
            except PermissionError:  # a container's user id is not ours: its fork server does it when we hang up
                self.report.close()

    def _close(self) -> None:
        if self.group is not None:
            self.group.remove()
        for pidfd in self.pidfds:
            os.close(pidfd)
        self.pidfds = []
        self.output.close()
        self.report.close()
        self.private.close()


def _with_end(outcome: dict[str, Any], end: dict[str, Any]) -> dict[str, Any]:
    """The judge's outcome, with the end that it could only see from one side explained, also in the check it hit."""
    checks = [{**c, "message": end["message"]} if c["message"] == outcome["message"] else c for c in outcome["checks"]]
    return outcome | end | {"checks": checks}


def _read(sock: socket.socket) -> bytes:
    try:
        return sock.recv(1 << 16)
    except OSError:
        return b""
