"""The parent's side: starts runs, keeps their deadlines, reads the verdict from the judge's private socket.

The candidate's process can reach none of it. The parent reads two things: the judge's verdict, and raw output text. It
never decodes a candidate's values.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from interviewer.errors import OperatorError

from . import change as changes
from . import docker, gpu, launch, plots, run
from .confine import ALLOWED, BACKENDS
from .limits import Limits
from .metrics import Counts, Metrics
from .pool import JUDGES_SHARE, Pool, Refused, Ticket, machine
from .run import Job
from .source import fault_in

if TYPE_CHECKING:
    from interviewer.domain import Exercise, Profile, SandboxResult
    from interviewer.ports import Ticket as AnyTicket

REFUSED = {
    "busy": "Too many submissions are waiting; try again in a moment.",
    "cancelled": "The run was cancelled.",
}
PROFILE = "This exercise needs the profile {profile}, which the sandbox {backend} cannot keep safe."


class TorchSandbox:
    """Runs candidates' code. Starts its fork server on first use; safe to share between threads.

    `backend` names one, or None for the strongest that a real probe finds. `minimum_isolation` refuses anything weaker;
    where neither is given that is `landlock`, so that `process` is never taken unless somebody named it.
    `concurrency` runs go on at once, or as many as the machine has processors and memory for; the rest wait in a fair
    queue for `queue_seconds` at most. `device` is where checks run besides the CPU.
    `docker_image` is what containers are made of; empty, the host's own Python is bound into one without any file.
    """

    def __init__(  # noqa: PLR0913 - each is a setting
        self,
        limits: Limits | None = None,
        *,
        minimum_isolation: str | None = None,
        backend: str | None = None,
        concurrency: int | None = None,
        queue_seconds: float = 120.0,
        device: gpu.Device = "cpu",
        docker_image: str = "",
    ) -> None:
        self.limits = limits or Limits()
        self._minimum = minimum_isolation
        self._asked = backend
        self._device: gpu.Device = device
        processors, memory = machine()
        self._pool = Pool(concurrency or processors, memory, wait_seconds=queue_seconds)
        self._container = docker.Wanted(docker_image, self.limits, self._pool.slots)
        self._counts = Counts()
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
                self._chosen = launch.choose(self._asked, self._minimum, self._container)
            return self._chosen.backend, self._chosen.layers

    def survey(self) -> dict[str, str | None]:
        """What a probe of every backend comes to here: None where it works, else why not. Takes some seconds."""
        return {name: launch.probe(name, self._container) for name in BACKENDS}

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

    def metrics(self) -> Metrics:
        """What has been run, ended and refused so far, and who is waiting."""
        return self._counts.metrics(running=self._pool.running, waiting=self._pool.waiting)

    def ticket(self, owner: str = "") -> Ticket:
        """A place for one run, to be watched or cancelled. The runs of one `owner` share a fair part of the queue."""
        return Ticket(owner)

    def check(self, exercise: Exercise, source: str, *, ticket: AnyTicket | None = None) -> SandboxResult:
        """Run the hidden checks. `passed` only when there are checks and all of them passed.

        With a GPU that was asked for, the checks are repeated on it; with `device="cuda"` they have to pass there too.
        """
        job: Job = {
            "mode": "check",
            "checks": exercise.checks_source,
            "scaffold": exercise.scaffold,
            "forbidden": list(exercise.forbidden),
        }
        found = gpu.find() if self._device != "cpu" else None
        device = gpu.choose(self._device, self.describe()[0], found)
        own = _own(ticket)
        result = self._do(job, source, exercise.profile, own)
        if found is None or device == "cpu" or result.verdict != "passed":
            return result
        on_gpu = self._on_gpu(found, {**job, "device": device}, source, exercise.profile, own)
        if self._device == "cuda":
            return on_gpu.model_copy(update={"device": device, "on_gpu": on_gpu.checks, "checks": result.checks})
        return result.model_copy(update={"on_gpu": on_gpu.checks})

    def run(
        self,
        source: str,
        *,
        examples: str = "",
        scaffold: str | None = None,
        profile: Profile = "base",
        ticket: AnyTicket | None = None,
    ) -> SandboxResult:
        """Run the candidate's script, then the examples in its namespace, and show what they printed.

        A last line that is an expression is printed with its value, a tensor with its shape, dtype and device. Figures
        left open, and PNG files written to the working folder, come back as `pictures`.
        """
        return self._do(
            {"mode": "run", "examples": examples, "scaffold": scaffold, "echo": True}, source, profile, _own(ticket)
        )

    def predict(
        self, code: str, change: str = "", *, profile: Profile = "base", ticket: AnyTicket | None = None
    ) -> SandboxResult:
        """Run a snippet with a candidate's change (see change.py): its `stdout`, the last line's `value`, or what it
        `raised`. `error` and `bad_change` where the change does not fit the snippet."""
        try:
            source = changes.apply(code, change)
        except changes.BadChange as error:
            message = f"The change does not fit the program: {error}."
            return run.unrunnable("error", "bad_change", message, where=self.describe())
        job: Job = {"mode": "run", "examples": "", "scaffold": None, "echo": False}
        return self._do(job, source, profile, _own(ticket))

    def _do(self, job: Job, source: str, profile: Profile, ticket: Ticket) -> SandboxResult:
        where = self.describe()
        fault = fault_in(source)
        if fault is not None:
            return run.unrunnable("error", *fault, where=where)
        if profile not in ALLOWED[where[0]]:
            return run.unrunnable("refused", "profile", PROFILE.format(profile=profile, backend=where[0]), where=where)
        return self._in_turn({"device": "cpu", **job, "source": source}, profile, ticket)

    def _on_gpu(self, found: gpu.Gpu, job: Job, source: str, profile: Profile, ticket: Ticket) -> SandboxResult:
        """The same checks with the candidate's tensors on the GPU, one run at a time."""
        again = Ticket(ticket.owner)
        try:
            with gpu.alone(self._pool.wait_seconds):
                look = gpu.watch(found.used, self.limits.gpu_memory)
                job = {**job, "source": source}
                return self._in_turn(job, profile, again, lambda: "cancelled" if ticket.cancelled else look())
        except TimeoutError:
            self._counts.refused("busy")
            return run.unrunnable("refused", "busy", REFUSED["busy"], where=self.describe())

    def _in_turn(
        self, job: Job, profile: Profile, ticket: Ticket, stop: Callable[[], str] | None = None
    ) -> SandboxResult:
        """Wait for a place and run. `stop` gives the reason to end the run; a cancelled ticket is one anyhow."""

        def asked() -> str:
            return "cancelled" if ticket.cancelled else stop() if stop is not None else ""

        try:
            with self._pool.place(ticket, self.limits.for_profile(profile).address_space + JUDGES_SHARE) as waited:
                result = self._perform(job, profile, asked)
        except Refused as refused:
            self._counts.refused(refused.reason)
            return run.unrunnable("refused", refused.reason, REFUSED[refused.reason], where=self.describe())
        self._counts.ran(result, waited)
        return result

    def _perform(self, job: Job, profile: Profile, stop: Callable[[], str]) -> SandboxResult:
        """Run a job now, on a new fork server where the old one is gone."""
        limits = self.limits.for_device(job["device"])
        job = {**job, "source": job["source"].removeprefix("\ufeff")}
        drawing = job["mode"] == "run" and plots.WORD in f"{job['source']}{job['examples']}"
        zygote = self._server(None)
        try:
            begun = run.Run(zygote, limits, profile, plots=drawing)
        except launch.NotAnswering:
            zygote = self._server(zygote)
            try:
                begun = run.Run(zygote, limits, profile, plots=drawing)
            except launch.NotAnswering as error:
                raise OperatorError(f"the sandbox does not answer: {error}", hint="try again") from None
        begun.stop = stop
        with begun:
            return begun.finish(job, where=self.describe())

    def _devices(self, backend: str) -> tuple[str, ...]:
        """The GPU's, where one is to be used."""
        wanted = self._device != "cpu" and backend in gpu.BACKENDS and gpu.find() is not None
        return gpu.nodes() if wanted else ()

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
                    zygote = launch.Zygote(backend, container=self._container, devices=self._devices(backend))
                except launch.NotAnswering as error:
                    raise OperatorError(f"the sandbox did not start: {error}", hint=launch.HINT) from None
                self._zygote = zygote
                self._counts.started()
            return zygote


def _own(ticket: AnyTicket | None) -> Ticket:
    """A ticket of this sandbox's; a new one where none was given."""
    if ticket is None:
        return Ticket()
    if not isinstance(ticket, Ticket):
        raise TypeError(f"not a ticket of this sandbox: {ticket!r}")
    return ticket
