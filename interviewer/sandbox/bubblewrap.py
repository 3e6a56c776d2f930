"""The walls of /usr/bin/bwrap around the fork server, for machines where only that program may make a user namespace.

Some distributions refuse user namespaces to ordinary programs and allow them to bubblewrap, which gives no powers to
what it runs. So the fork server and all runs share one set of namespaces; each child then adds Landlock and seccomp.

Stops: seeing host files, processes, sockets and networks; writing anywhere but the run's own scratch folder; seeing
other runs. Does not stop: a kernel bug, or a run that fills the scratch space which runs share (its size is bounded,
and the fork server ends a run with too many files).
"""

# fixed places inside the new root
from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

from . import landlock, namespaces

PROGRAM = "/usr/bin/bwrap"
"""The distribution's own: a profile that allows it user namespaces names this path."""
CODE = "/sandbox"
"""Where this package lies inside, for the fork server alone: no rule lets a child read it."""
SCRATCH = "/tmp/runs"
SCRATCH_BYTES = 256 << 20
"""For all runs together."""
SCRATCH_FILES = 1000
"""For all runs together; over it, each run's files are counted against its limit."""
USER = "1000"
OF_PROC = ("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/kernel")
"""What a child may read of /proc: with no namespace of its own, the list of processes would be everyone's."""
_KINDS = ("user", "pid", "net", "ipc", "uts", "cgroup-try")


def command(program: list[str], environment: dict[str, str], package: Path, devices: Sequence[str] = ()) -> list[str]:
    """`program` inside the walls, with `devices` of the host's. `package` is this package's folder.

    Raises OSError where there is no bwrap.
    """
    if not os.access(PROGRAM, os.X_OK):
        raise OSError(f"there is no {PROGRAM}")
    walls = [PROGRAM, *(f"--unshare-{kind}" for kind in _KINDS), "--uid", USER, "--gid", USER]
    walls += ["--new-session", "--cap-drop", "ALL", "--clearenv"]
    for name, value in environment.items():
        walls += ["--setenv", name, value]
    return [*walls, *_root(package, devices), "--chdir", "/tmp", "--", *program]


def _root(package: Path, devices: Sequence[str]) -> Iterator[str]:
    own = namespaces.own_code()
    for folder in namespaces.SYSTEM_FOLDERS:
        if os.path.islink(folder):
            yield from ("--symlink", os.readlink(folder), folder)
        elif os.path.isdir(folder):
            yield from ("--ro-bind", folder, folder)
    yield from _masks(path for path in own if path.startswith(namespaces.SYSTEM_FOLDERS))
    yield from ("--size", str(SCRATCH_BYTES), "--perms", "1777", "--tmpfs", "/tmp", "--dir", SCRATCH)
    folders = python_folders()
    for path in (*folders, *namespaces.ETC_FILES, "/sys/devices/system/cpu"):
        yield from ("--ro-bind-try", path, path)
    inside = tuple(f"{folder}/" for folder in folders)
    yield from _masks(path for path in own if path.startswith(inside) and Path(path).name in namespaces.OWN_PACKAGES)
    yield from ("--ro-bind", str(package), CODE)
    yield from ("--proc", "/proc", "--dev", "/dev", "--size", str(1 << 20), "--tmpfs", "/dev/shm")
    for device in devices:
        yield from ("--dev-bind", device, namespaces.inside(device))
    for folder in namespaces.GPU_FOLDERS if devices else ():
        yield from ("--ro-bind-try", folder, folder)
    yield from ("--remount-ro", "/")


def _masks(paths: Iterator[str]) -> Iterator[str]:
    for path in paths:
        if os.path.isdir(path):
            yield from ("--size", "65536", "--tmpfs", path, "--remount-ro", path)


def python_folders() -> list[str]:
    """The interpreter's and the packages' folders, of whatever else this process has on its path none."""
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    packages = {path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")}
    return namespaces.python_folders([*(sysconfig.get_path(kind) for kind in kinds), *sorted(packages)])


def rules(folder: str) -> Iterator[tuple[str, int]]:
    """What a child may open: libraries to read, and `folder`, the run's own, to write."""
    for path in (*namespaces.SYSTEM_FOLDERS, *python_folders(), "/etc", "/sys", *OF_PROC):
        yield path, landlock.READ
    yield from ((f"/dev/{name}", landlock.READ | landlock.WRITE_FILE) for name in namespaces.DEVICES)
    yield folder, landlock.ALL


def crowded(folder: str) -> bool:
    """Whether the scratch space holds so many files that it is worth looking whose they are."""
    room = os.statvfs(folder)
    return room.f_files - room.f_ffree > SCRATCH_FILES


def holds_more_than(limit: int, folder: str) -> bool:
    """Whether there are more than `limit` files and folders beneath `folder`. Counts no further."""
    count = 0
    for _, folders, files in os.walk(folder):
        count += len(folders) + len(files)
        if count > limit:
            return True
    return False
