"""Control groups: a bound on the memory a run really occupies and on its processes, where this process may make them.

rlimits bound address space, which is reserved long before it is used, each process by itself, and not memory in /tmp.
Stops: a run's processes together occupying more than their share, its /tmp and /dev/shm included; more processes than
allowed, also as root and without a namespace. Does not stop: anything else, and nothing where groups are not delegated
(the layer is then missing from the list of layers).

Version 2 is used where `memory` is delegated to this process's group or to the one above (systemd: Delegate=yes, or
systemd-run --user --scope); version 1 where its folders can be written to. Found by trying.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .limits import Limits

NEEDED = ("memory.max", "memory.limit_in_bytes")
REMOVE_SECONDS = 1.0
"""How long the kernel gets to let go of a group whose processes have ended."""
_SERIAL = itertools.count()


@dataclass(frozen=True)
class Place:
    """Where groups can be made: one folder, or in version 1 one for memory and one for processes."""

    version: int
    folders: tuple[str, ...]

    @property
    def layer(self) -> str:
        return f"cgroup v{self.version}"


class Group:
    """The group of a run's candidate. Made empty; removed when its processes have ended."""

    def __init__(self, place: Place, name: str, limits: Limits) -> None:
        self.paths = [Path(folder, name) for folder in place.folders]
        try:
            for path in self.paths:
                path.mkdir()
            for file, value in _settings(limits)[place.version].items():
                self._write(file, value)
        except OSError:
            self.remove()
            raise

    def add(self, pid: int) -> None:
        """Put a process in, before it has run anything. What it forks follows it."""
        for path in self.paths:
            (path / "cgroup.procs").write_text(str(pid))

    def out_of_memory(self) -> bool:
        """Whether the kernel has ended a process of the group for its memory."""
        for path in self.paths:
            for file in ("memory.events", "memory.oom_control"):
                with contextlib.suppress(OSError):
                    words = (path / file).read_text().split()
                    return dict(zip(words[::2], words[1::2], strict=False)).get("oom_kill", "0") != "0"
        return False

    def remove(self) -> None:
        """End what is left in it and remove it."""
        ends = time.monotonic() + REMOVE_SECONDS
        for path in self.paths:
            while path.exists() and not _gone(path) and time.monotonic() < ends:
                _end_all(path)
                time.sleep(0.001)

    def _write(self, file: str, value: int) -> None:
        """Into whichever of the folders has that setting. The memory's must be there, others need not."""
        paths = [path / file for path in self.paths if (path / file).exists()]
        if not paths and file in NEEDED:
            raise FileNotFoundError(f"no setting {file}")
        for path in paths:
            path.write_text(str(value))


class Groups:
    """The groups of one fork server's runs. `fds` let its guard remove them when this process is killed."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.prefix = f"viva-{os.getpid()}-{next(_SERIAL)}-"
        self.fds = [os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) for folder in place.folders]
        for folder in place.folders:
            _remove_stale(Path(folder))

    def make(self, limits: Limits, pidfd: int) -> Group | None:
        """A group around the process that `pidfd` is of; None when it is gone already."""
        group = Group(self.place, f"{self.prefix}{next(_SERIAL)}", limits)
        try:
            group.add(_pid_of(pidfd))
        except (OSError, ProcessLookupError):
            group.remove()
            return None
        return group

    def close(self) -> None:
        for fd in self.fds:
            os.close(fd)
        self.fds = []


def _remove_stale(folder: Path) -> None:
    """Groups of a process that is no more and whose guard was killed with it. One in use cannot be removed."""
    for path in folder.glob("viva-*-*"):
        if not Path("/proc", path.name.split("-")[1]).exists():
            _gone(path)


def sweep(fds: Sequence[int], prefix: str) -> None:
    """Remove all groups of that name. For the guard, which knows the folders only as descriptors."""
    ends = time.monotonic() + 5 * REMOVE_SECONDS
    while left := [(fd, name) for fd in fds for name in os.listdir(fd) if name.startswith(prefix)]:
        for fd, name in left:
            with contextlib.suppress(OSError):
                os.rmdir(name, dir_fd=fd)
        if time.monotonic() > ends:
            return
        time.sleep(0.005)


@functools.cache
def find() -> Place | None:
    """Where groups can be made, tried once with a process that does nothing."""
    try:
        for place in candidates(Path("/proc/self/cgroup").read_text(), Path("/proc/self/mounts").read_text()):
            if _works(place):
                return place
    except OSError:
        return None
    return None


def candidates(own: str, mounts: str) -> Iterator[Place]:
    """Where it may work, best first, by the texts of /proc/self/cgroup and /proc/self/mounts."""
    paths = dict(line.split(":", 2)[1:] for line in own.splitlines())
    folders: dict[str, str] = {}
    for _, where, kind, options, *_ in map(str.split, mounts.splitlines()):
        if kind == "cgroup2":
            mine = Path(where, paths.get("", "/").lstrip("/"))
            yield Place(2, (str(mine),))
            if str(mine) != where:
                yield Place(2, (str(mine.parent),))
        elif kind == "cgroup":
            for names, path in paths.items():
                for name in {"memory", "pids"} & set(names.split(",")) & set(options.split(",")):
                    folders[name] = str(Path(where, path.lstrip("/")))
    if "memory" in folders:
        yield Place(1, tuple(dict.fromkeys((folders["memory"], folders.get("pids", folders["memory"])))))


def _works(place: Place) -> bool:
    if not all(os.access(folder, os.W_OK) for folder in place.folders):
        return False
    if place.version == 2:
        with contextlib.suppress(OSError):
            Path(place.folders[0], "cgroup.subtree_control").write_text("+memory +pids")
    try:
        group = Group(place, f"viva-{os.getpid()}-probe-{next(_SERIAL)}", Limits())
    except OSError:
        return False
    try:
        with subprocess.Popen(["/bin/sleep", "5"], stdin=subprocess.DEVNULL) as process:
            try:
                group.add(process.pid)
            finally:
                process.kill()
    except OSError:
        return False
    finally:
        group.remove()
    return True


def _settings(limits: Limits) -> dict[int, dict[str, int]]:
    """Version -> file -> value, in the order in which they have to be written."""
    return {
        1: {
            "memory.limit_in_bytes": limits.memory,
            "memory.memsw.limit_in_bytes": limits.memory,
            "pids.max": limits.processes,
        },
        2: {"memory.max": limits.memory, "memory.swap.max": 0, "pids.max": limits.processes},
    }


def _end_all(path: Path) -> None:
    with contextlib.suppress(OSError):
        if (path / "cgroup.kill").exists():
            (path / "cgroup.kill").write_text("1")
            return
        for pid in (path / "cgroup.procs").read_text().split():
            os.kill(int(pid), signal.SIGKILL)


def _gone(path: Path) -> bool:
    try:
        path.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _pid_of(pidfd: int) -> int:
    """The process's number here. ProcessLookupError once it has been collected."""
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines():
        if line.startswith("Pid:") and int(line.split()[1]) > 0:
            return int(line.split()[1])
    raise ProcessLookupError(pidfd)
