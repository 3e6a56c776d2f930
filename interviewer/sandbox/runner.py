"""The parent's side: starts runs, keeps their deadlines, reads the verdict from the judge's private socket.

The candidate's process can reach none of it. The parent reads two things: the judge's verdict, and raw output text. It
never decodes a candidate's values.
"""

from __future__ import annotations

import threading
from types import TracebackType
from typing import TYPE_CHECKING, Self

from interviewer.errors import OperatorError

from . import launch, run
from .confine import ALLOWED
from .limits import Limits
from .source import fault_in

if TYPE_CHECKING:
    from interviewer.domain import Exercise, Profile, SandboxResult

PROFILE = "This exercise needs the profile {profile}, which the sandbox {backend} cannot keep safe."


class TorchSandbox:
    """Runs candidates' code. Starts its fork server on first use; safe to share between threads.

    `backend` names one, or None for the strongest that a real probe finds. `minimum_isolation` refuses anything weaker;
    where neither is given that is `landlock`, so that `process` is never taken unless somebody named it.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        minimum_isolation: str | None = None,
        backend: str | None = None,
        concurrency: int = 2,
    ) -> None:
        self.limits = limits or Limits()
        self._minimum = minimum_isolation
        self._asked = backend
        self._slots = threading.BoundedSemaphore(concurrency)
        self._lock = threading.Lock()
        self._zygote: launch.Zygote | None = None
        self._chosen: launch.Choice | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def describe(self) -> tuple[str, tuple[str, ...]]:
        """(backend, layers) that every run gets. Probes once; OperatorError when what was asked cannot be had."""
        with self._lock:
            if self._chosen is None:
                self._chosen = launch.choose(self._asked, self._minimum)
            return self._chosen.backend, self._chosen.layers

    @property
    def pid(self) -> int | None:
        """Process id of the fork server's guard, for supervision; None while there is none."""
        zygote = self._zygote
        return zygote.process.pid if zygote is not None else None

    def warm(self) -> None:
        """Start the fork server now rather than at the first run."""
        self._server(None)

    def close(self) -> None:
        """End the fork server and everything under it."""
        with self._lock:
            zygote, self._zygote = self._zygote, None
        if zygote is not None:
            zygote.close()

    def check(self, exercise: Exercise, source: str) -> SandboxResult:
        """Run the hidden checks. `passed` only when there are checks and all of them passed."""
        job = {"mode": "check", "checks": exercise.checks_source, "scaffold": exercise.scaffold}
        return self._do(job, source, exercise.profile)

    def run(
        self, source: str, *, examples: str = "", scaffold: str | None = None, profile: Profile = "base"
    ) -> SandboxResult:
        """Run the candidate's script, then the examples in its namespace, and show what they printed."""
        return self._do({"mode": "run", "examples": examples, "scaffold": scaffold}, source, profile)

    def _do(self, job: dict[str, str | None], source: str, profile: Profile) -> SandboxResult:
        where = self.describe()
        fault = fault_in(source)
        if fault is not None:
            return run.unrunnable("error", *fault, where=where)
        if profile not in ALLOWED[where[0]]:
            return run.unrunnable("refused", "profile", PROFILE.format(profile=profile, backend=where[0]), where=where)
        text = source.removeprefix("\ufeff")
        with self._slots:
            zygote = self._server(None)
            try:
                begun = run.Run(zygote, self.limits, profile)
            except launch.NotAnswering:
                zygote = self._server(zygote)
                try:
                    begun = run.Run(zygote, self.limits, profile)
                except launch.NotAnswering as error:
                    raise OperatorError(f"the sandbox does not answer: {error}", hint="try again") from None
            with begun:
                return begun.finish({**job, "source": text}, where=where)

    def _server(self, bad: launch.Zygote | None) -> launch.Zygote:
        """The fork server, started or replaced if it is missing, dead, or `bad`."""
        backend, _ = self.describe()
        with self._lock:
            zygote = self._zygote
            if zygote is not None and (zygote is bad or not zygote.alive()):
                zygote.close()
                zygote = None
            if zygote is None:
                try:
                    zygote = launch.Zygote(backend)
                except launch.NotAnswering as error:
                    raise OperatorError(f"the sandbox did not start: {error}", hint=launch.HINT) from None
                self._zygote = zygote
            return zygote
