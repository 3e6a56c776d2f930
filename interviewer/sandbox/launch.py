"""Starts the fork server and chooses the backend by trying."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from interviewer.errors import OperatorError

from . import bubblewrap, cgroups, docker
from .confine import BACKENDS, LAYERS, SHARED, Plan
from .limits import Limits
from .plots import SECONDS as PLOTS_SECONDS

HINT = "docs/writing-checks.md describes the backends; VIVA_MINIMUM_ISOLATION=process allows one without a wall"
BOOT_SECONDS = 120.0
PROBE_SECONDS = 20.0
ANSWER_SECONDS = 5.0
"""How long the fork server may take to fork two children before it is taken for stuck."""

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",
    "TMPDIR": "/tmp",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MPLBACKEND": "Agg",
    "PYTORCH_NVML_BASED_CUDA_CHECK": "1",
    "CUDA_VISIBLE_DEVICES": "",
}
"""All of the fork server's environment. Cleared at exec, because /proc/self/environ shows what exec was given."""

_BOOT = """
import importlib.util, sys
path = sys.argv[1]
spec = importlib.util.spec_from_file_location("viva_sandbox", path + "/__init__.py", submodule_search_locations=[path])
package = importlib.util.module_from_spec(spec)
sys.modules["viva_sandbox"] = package
spec.loader.exec_module(package)
"""
_SERVE = f"{_BOOT}from viva_sandbox import zygote\nzygote.main()\n"
_CALL = f"{_BOOT}from viva_sandbox import zygote\nzygote.call_back(sys.argv[2])\n"
_GUARD = f"{_BOOT}from viva_sandbox import guard\nguard.around(*sys.argv[2:])\n"


PYTHON = ("-I", "-B", "-X", "utf8")
FOLDERS = {"bubblewrap": bubblewrap.SCRATCH, "docker": docker.SCRATCH}
"""Backend -> where the runs' working folders lie inside its walls."""


class NotAnswering(Exception):
    """The fork server is dead or stuck."""


@dataclass(frozen=True)
class Choice:
    """A backend that a probe found to work, and its layers in words."""

    backend: str
    layers: tuple[str, ...]


class Zygote:
    """A running fork server. Raises NotAnswering when it does not come up."""

    _groups: cgroups.Groups | None = None
    _container: docker.Container | None = None

    def __init__(
        self,
        backend: str,
        *,
        probe: bool = False,
        container: docker.Wanted | None = None,
        devices: tuple[str, ...] = (),
    ) -> None:
        """`devices`: those of a GPU, for runs that may use it."""
        self._devices = devices
        self._lock = threading.Lock()
        self._folder = tempfile.mkdtemp(prefix="viva-sandbox-") if backend == "process" and not probe else ""
        try:
            if backend == "docker":
                self._start_container(container or docker.Wanted())
            else:
                self._start(backend, None if probe else cgroups.find())
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NotAnswering(str(error)) from None
        try:
            plan = Plan(backend, probe=probe, folder=FOLDERS.get(backend, self._folder), gpu=devices)
            if self._groups is not None and backend not in SHARED:
                plan = replace(plan, groups=tuple(self._groups.fds), prefix=self._groups.prefix)
            self._control.send(json.dumps(plan.to_json()).encode())
            self._control.settimeout(PROBE_SECONDS if probe else BOOT_SECONDS)
            answer = json.loads(self._control.recv(1 << 16) or b'{"failed": "it ended at once"}')
        except (OSError, ValueError) as error:
            self.close()
            raise NotAnswering(str(error) or type(error).__name__) from None
        if "failed" in answer:
            self.close()
            raise NotAnswering(answer["failed"])

    def _start(self, backend: str, place: cgroups.Place | None) -> None:
        self._groups = cgroups.Groups(place) if place is not None else None
        command = _command(backend, self._groups, self._devices)
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=ENVIRONMENT,
                cwd="/",
                start_new_session=True,
                pass_fds=self._groups.fds if self._groups else (),
            )

    def _start_container(self, wanted: docker.Wanted) -> None:
        """The engine bounds its memory and processes; no control groups of ours."""
        self._container = docker.Container(wanted, ENVIRONMENT, [*PYTHON, "-c", _CALL], PROBE_SECONDS)
        assert self._container.process is not None
        self._control, self.process = self._container.control, self._container.process

    def alive(self) -> bool:
        return self.process.poll() is None

    def spawn(
        self, limits: Limits, profile: str, fds: list[int], report: socket.socket, *, plots: bool = False
    ) -> list[int]:
        """Fork a run's two children; pidfds of the candidate and the judge. `report` is our end of fds[0]."""
        request = json.dumps({"limits": asdict(limits), "profile": profile, "plots": plots}).encode()
        patience = PLOTS_SECONDS if plots else ANSWER_SECONDS
        try:
            with self._lock:
                self._control.settimeout(ANSWER_SECONDS)
                socket.send_fds(self._control, [request], fds)
            if not select.select([report], [], [], patience)[0]:
                raise NotAnswering("it did not answer")
            message, pidfds, _, _ = socket.recv_fds(report, 1 << 12, 2)
        except OSError as error:
            raise NotAnswering(str(error)) from None
        if not message or len(pidfds) != 2:
            raise NotAnswering("it hung up")
        return pidfds

    def group(self, limits: Limits, pidfd: int) -> cgroups.Group | None:
        """A control group around a run's candidate; None where there are none (or the candidate is gone)."""
        return self._groups.make(limits, pidfd) if self._groups is not None else None

    def close(self) -> None:
        """End it and, with it, every run."""
        self._control.close()
        if self._container is not None:
            self._container.close()
        try:
            self.process.wait(0.5)
        except subprocess.TimeoutExpired:
            _kill_tree(self.process.pid)
            self.process.wait()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        if self._groups is not None:
            self._groups.close()


def _command(backend: str, groups: cgroups.Groups | None, devices: tuple[str, ...]) -> list[str]:
    """What starts the fork server."""
    python = [sys.executable, *PYTHON, "-c"]
    package = Path(__file__).parent
    if backend != "bubblewrap":
        return [*python, _SERVE, str(package)]
    walled = bubblewrap.command([*python, _SERVE, bubblewrap.CODE], ENVIRONMENT, package, devices)
    prefix, fds = (groups.prefix, ",".join(map(str, groups.fds))) if groups else ("", "")
    return [*python, _GUARD, str(package), prefix, fds, *walled]


def _kill_tree(pid: int) -> None:
    """SIGKILL the fork server and its descendants, stopped ones too."""
    try:
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        children = []
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    for child in children:
        _kill_tree(child)


def elsewhere(platform: str) -> OperatorError:
    """What is honest to say where this package has no walls to build."""
    what, hint = {
        "darwin": (
            "the sandbox does not run on macOS: it has neither namespaces nor Landlock nor seccomp, and to fork a"
            " process that has used Accelerate is unsafe there",
            "run Viva in a Linux container or virtual machine, or leave code out with --no-code",
        ),
        "win32": (
            "the sandbox does not run on Windows: a job object would bound resources but hide no file",
            "run Viva in WSL2, which is Linux with everything the sandbox needs, or leave code out with --no-code",
        ),
    }.get(
        platform,
        (f"the sandbox does not run on {platform}", "use Linux, WSL2 or a Linux container, or --no-code"),
    )
    return OperatorError(what, hint=hint)


def choose(asked: str | None, minimum: str | None, container: docker.Wanted | None = None) -> Choice:
    """`asked`, or the strongest backend that works and is not below `minimum`. Never `process` unless it is named."""
    for name in (asked, minimum):
        if name is not None and name not in BACKENDS:
            raise OperatorError(f"there is no sandbox backend {name!r}", hint=f"one of {', '.join(BACKENDS)}")
    if not sys.platform.startswith("linux"):
        raise elsewhere(sys.platform)
    minimum = minimum or asked or "landlock"
    allowed = BACKENDS[: BACKENDS.index(minimum) + 1]
    if asked is not None and asked not in allowed:
        raise OperatorError(f"backend {asked!r} is weaker than the minimum isolation {minimum!r}", hint=HINT)
    candidates = (asked,) if asked is not None else allowed
    faults = []
    for backend in candidates:
        fault = probe(backend, container)
        if fault is None:
            place = cgroups.find() if backend != "docker" else None
            return Choice(backend, (*LAYERS[backend], *((place.layer,) if place else ())))
        faults.append(f"{backend}: {fault}")
    raise OperatorError("no sandbox backend works here: " + "; ".join(faults), hint=HINT)


_PROBED: dict[str, str | None] = {}


def probe(backend: str, container: docker.Wanted | None = None) -> str | None:
    """None when the backend's layers hold on this machine, else why not. Tried once; a success is remembered."""
    image = container.image if container is not None and backend == "docker" else ""
    key = f"{backend} {image}".strip()
    if key not in _PROBED:
        try:
            Zygote(backend, probe=True, container=container).close()
        except NotAnswering as error:  # perhaps the machine was only busy: the next run may try again
            return str(error)
        _PROBED[key] = None
    return _PROBED[key]
