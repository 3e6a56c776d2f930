"""Puts the layers of one backend together, in the only order that works.

A layer either holds or the process ends: there is no step that is tried and forgotten.
"""

from __future__ import annotations

import os
import signal
import socket
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from . import bubblewrap, capabilities, guard, landlock, namespaces, seccomp, system
from .limits import Limits, apply_rlimits

BACKENDS = ("namespaces", "bubblewrap", "docker", "landlock", "process")
"""Strongest first."""

SHARED = ("bubblewrap", "docker")
"""Those in which the fork server is started inside walls that somebody else builds around all runs."""

LAYERS = {
    "namespaces": (
        "two processes",
        "namespaces",
        "read-only root",
        "rlimits",
        "no capabilities",
        "landlock",
        "seccomp",
    ),
    "bubblewrap": (
        "two processes",
        "bubblewrap",
        "read-only root",
        "rlimits",
        "no capabilities",
        "landlock",
        "seccomp",
    ),
    "docker": (
        "two processes",
        "container",
        "read-only root",
        "rlimits",
        "no capabilities",
        "landlock",
        "seccomp",
    ),
    "landlock": ("two processes", "rlimits", "no capabilities", "landlock", "seccomp"),
    "process": ("two processes", "rlimits", "no capabilities"),
}
"""What each backend applies to every run, in words. `process` is not a security boundary."""

ALLOWED = {
    "namespaces": ("base", "workers", "dist", "compile"),
    "bubblewrap": ("base",),
    "docker": ("base",),
    "landlock": ("base",),
    "process": ("base", "workers", "dist", "compile"),
}
"""Profiles by backend. Without a pid namespace nothing bounds forks; without a network of its own, loopback is real."""


@dataclass(frozen=True)
class Plan:
    """How the zygote and its children are to be confined. Sent to the zygote; holds no secret."""

    backend: str
    probe: bool = False
    """Only show that the layers hold: no torch."""
    folder: str = ""
    """A folder for the runs' working directories, where they have no private /tmp."""
    groups: tuple[int, ...] = ()
    """Folders of control groups, as descriptors, for the guard."""
    gpu: tuple[str, ...] = ()
    """Devices of the GPU's driver, on the host, that lie inside the walls for runs that may use them."""
    prefix: str = ""
    """What the names of the runs' control groups begin with."""

    @classmethod
    def parse(cls, data: dict[str, Any]) -> Self:
        return cls(**data)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def own_pids(self) -> bool:
        """Whether each child is the first process of a pid namespace, so that its end is the end of all it started."""
        return self.backend == "namespaces"

    @property
    def private_root(self) -> bool:
        """Whether no file of the host's is in sight that could be written to."""
        return self.backend in ("namespaces", *SHARED)

    @property
    def shared(self) -> bool:
        """Whether one set of walls stands around all runs, which then share scratch space and a user id."""
        return self.backend in SHARED


def enter(plan: Plan, control: int) -> None:
    """Confine the zygote itself, before torch is imported. Returns in another process, guarded by this one."""
    if plan.backend == "namespaces":
        namespaces.leave_host()
    guard.fork(control, plan.folder, plan.groups, plan.prefix)
    if plan.backend == "namespaces":
        namespaces.new_root(plan.gpu)
    if plan.backend == "docker":
        os.makedirs(plan.folder, exist_ok=True)
    system.prctl(system.PR_SET_CHILD_SUBREAPER, 1)
    system.prctl(system.PR_SET_DUMPABLE, 0)


def close_door(plan: Plan) -> None:
    """Confine the zygote further once it has imported what it needs; its children inherit this."""
    if plan.backend == "landlock":
        system.prctl(system.PR_SET_NO_NEW_PRIVS, 1)
        landlock.restrict(_readable(), scoped=False)


def _readable() -> Iterator[tuple[str, int]]:
    """What torch may still want to read: libraries and packages, but not this project's."""
    hidden = {"site-packages", *namespaces.OWN_PACKAGES}
    for folder in (*namespaces.SYSTEM_FOLDERS[1:4], "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"):
        yield folder, landlock.READ
    libraries = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    for library in libraries:
        for entry in Path(library).iterdir():
            if entry.name not in hidden:
                yield str(entry), landlock.READ
    yield from ((f"/dev/{name}", landlock.READ | landlock.WRITE_FILE) for name in namespaces.DEVICES)


def _in_new_root() -> Iterator[tuple[str, int]]:
    yield "/", landlock.READ
    yield from ((folder, landlock.ALL) for folder in ("/tmp", "/dev/shm"))
    yield from ((f"/dev/{name}", landlock.READ | landlock.WRITE_FILE) for name in namespaces.DEVICES)


def _devices(plan: Plan, limits: Limits) -> Iterator[tuple[str, int]]:
    """The GPU's, for a run on it: without a rule they can be seen, but neither written to nor spoken to."""
    if limits.gpu and plan.gpu:
        rights = landlock.READ | landlock.WRITE_FILE | landlock.IOCTL_DEV
        yield from ((namespaces.inside(node), rights) for node in plan.gpu)
        yield from ((folder, landlock.READ) for folder in (*namespaces.GPU_FOLDERS, "/proc/driver"))


def confine_child(plan: Plan, limits: Limits, *, profile: str, number: int, folder: str) -> None:
    """Confine this process, a fresh fork, for good."""
    os.setsid()
    if plan.backend == "docker":
        _go_first()
    if plan.backend == "namespaces":
        namespaces.enter_child(limits, loopback=profile == "dist")
    if folder:
        os.chdir(folder)
        os.environ["TMPDIR"] = tempfile.tempdir = folder
    as_root = os.geteuid() == 0 and not plan.shared  # walls like those leave no power to drop
    if as_root or plan.own_pids:
        capabilities.drop_bounding_set()
    if plan.own_pids and as_root:
        capabilities.become_nobody(number)
    capabilities.drop_all()
    system.prctl(system.PR_SET_DUMPABLE, 0)  # with no capabilities: the two processes cannot trace each other
    apply_rlimits(limits, own_user=plan.private_root)
    system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)
    system.prctl(system.PR_SET_NO_NEW_PRIVS, 1)
    if plan.backend == "namespaces":
        landlock.restrict((*_in_new_root(), *_devices(plan, limits)), network=profile == "dist")
    elif plan.shared:
        landlock.restrict((*bubblewrap.rules(folder), *_devices(plan, limits)))
    elif plan.backend == "landlock":
        landlock.isolate()  # the file and network rules are the zygote's own, inherited
    if plan.backend != "process":
        only = None if plan.own_pids else os.getpid()
        seccomp.apply(profile, metadata=plan.private_root, only_self=only)


def _go_first() -> None:
    """When the memory that the container's processes have together runs out, end this one before the fork server."""
    system.prctl(system.PR_SET_DUMPABLE, 1)  # or /proc/self is root's; it is taken back below, before anything runs
    Path("/proc/self/oom_score_adj").write_text("1000")
    system.prctl(system.PR_SET_DUMPABLE, 0)


def try_promises(plan: Plan) -> str:
    """In a probe's child: confine, then try what must fail. "kept", or the first promise that does not hold."""
    try:
        confine_child(plan, Limits(), profile="base", number=1, folder=plan.folder)
        with open(os.__file__, "rb") as library:
            library.read(1)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if plan.backend == "process":
        return "kept"
    for what, attempt in _FORBIDDEN.items():
        try:
            attempt()
        except OSError:
            continue
        return f"{what} was possible"
    return "kept"


_FORBIDDEN: dict[str, Callable[[], object]] = {
    "reading the project's code": lambda: open(__file__, "rb").close(),
    "reading /etc/shadow": lambda: open("/etc/shadow", "rb").close(),
    "writing to /usr": lambda: open("/usr/viva-probe", "xb").close(),
    "opening a socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).close(),
    "opening a Unix socket": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).close(),
    "running a program": lambda: os.execv("/bin/true", ["true"]),
    "signalling another process": lambda: os.kill(os.getppid() or 2, 0),
    "leaving its namespaces": lambda: system.unshare(system.CLONE_NEWUTS),
}
