"""Namespaces and mounts: a machine of its own for the fork server, and another for each child.

The fork server gets user (unless root), pid, mount, network, IPC, UTS and cgroup namespaces, and a new root made of
read-only bind mounts: the system's libraries, Python and its packages, five devices, and nothing else of the host. Each
child gets a further pid, mount, network and IPC namespace, a fresh /proc, and a small /tmp and /dev/shm in memory.

Stops: seeing or touching host files, processes, sockets and networks; leaving processes behind (a child is the first
process of its pid namespace: when it dies, all it started dies); filling a disk. Does not stop: kernel bugs, use of
processor and memory (rlimits do), reading what is bound in: no secret may lie in Python's own folders.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from . import system
from .limits import Limits

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_MOUNT_SETATTR = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_READ_ONLY, _NO_SUID, _NO_DEV = 1, 2, 4
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
_DETACH = 2

SYSTEM_FOLDERS = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin")
ETC_FILES = ("/etc/ld.so.cache", "/etc/alternatives")
DEVICES = ("null", "zero", "full", "random", "urandom")
GPU_FOLDERS = ("/sys/devices", "/sys/bus/pci")
"""What CUDA looks at of the machine, beside its driver's devices."""
SCRATCH = ("/tmp", "/dev/shm")
"""Folders that each child gets empty and writable."""
OLD = "/.old"
OWN_PACKAGES = ("interviewer", "evals")
"""What this project installs beside torch."""


def leave_host() -> None:
    """Make this process's namespaces; the pid namespace begins with its next child.

    Needs a single thread, hence before torch is imported.
    """
    kinds = (
        system.CLONE_NEWNS
        | system.CLONE_NEWPID
        | system.CLONE_NEWNET
        | system.CLONE_NEWIPC
        | system.CLONE_NEWUTS
        | system.CLONE_NEWCGROUP
    )
    uid, gid = os.geteuid(), os.getegid()
    if uid == 0:
        system.unshare(kinds)
    else:
        system.unshare(kinds | system.CLONE_NEWUSER)
        _map_ids(uid, gid)


def _map_ids(uid: int, gid: int) -> None:
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def new_root(devices: Iterable[str] = ()) -> None:
    """As the first process of the pid namespace: replace everything that can be seen of the host's files.

    `devices` are shown beside the harmless ones.
    """
    devices = tuple(devices)
    own = own_code()
    python = python_folders()
    system.mount("", "/", "", MS_REC | MS_PRIVATE)
    system.mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    os.mkdir("/tmp" + OLD)
    number = _PIVOT_ROOT[platform.machine()]
    system.syscall(number, ctypes.c_char_p(b"/tmp"), ctypes.c_char_p(f"/tmp{OLD}".encode()), what="pivot_root")
    os.chdir("/")
    for folder in ("/tmp", "/proc"):
        os.makedirs(folder, exist_ok=True)
    # Before Python is bound in: an environment may live below /tmp.
    system.mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=1777")
    for folder in SYSTEM_FOLDERS:
        if os.path.islink(OLD + folder):
            os.symlink(os.readlink(OLD + folder), folder)
        else:
            _bind(folder)
    _mask(own)
    for folder in python:
        _bind(folder)
    _mask(path for path in own if os.path.basename(path) in OWN_PACKAGES)
    for path in (*ETC_FILES, *(GPU_FOLDERS if devices else ("/sys/devices/system/cpu",))):
        _bind(path)
    _etc()
    _dev(devices)
    system.mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    system.checked(system.LIBC.umount2(OLD.encode(), _DETACH), "umount of the old root")
    os.rmdir(OLD)
    _set_read_only("/", _READ_ONLY | _NO_SUID, recursive=False)


def python_folders(paths: Iterable[str] | None = None) -> list[str]:
    """Where the interpreter and its packages (`paths`) are, parents before children. Never this project's checkout."""
    paths = sys.path if paths is None else paths
    checkout = str(Path(__file__).resolve().parent.parent.parent)
    if Path(checkout).name in ("site-packages", "dist-packages"):
        checkout = ""
    wanted = {os.path.realpath(sys.base_prefix), sys.prefix, *(p for p in paths if p and not p.endswith(".zip"))}
    wanted -= {checkout}
    inside = tuple(f"{folder}/" for folder in SYSTEM_FOLDERS)
    kept: list[str] = []
    for folder in sorted(wanted, key=len):
        if not f"{folder}/".startswith((*inside, *(f"{k}/" for k in kept))):
            kept.append(folder)
    return kept


def own_code() -> list[str]:
    """Folders of this project, which hold checks and expected values: a checkout, and what is installed of it."""
    package = Path(__file__).resolve().parent.parent
    checkout = package.parent
    found = [str(checkout)] if (checkout / "pyproject.toml").exists() else []
    return found + [str(Path(entry, name)) for entry in (*sys.path, str(checkout)) if entry for name in OWN_PACKAGES]


def _bind(path: str) -> None:
    """Show a host path here, read-only."""
    if not os.path.exists(OLD + path):
        return
    if os.path.isdir(OLD + path):
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "x").close()
    system.mount(OLD + path, path, "", MS_BIND | MS_REC)
    _set_read_only(path)


def _set_read_only(path: str, attributes: int = _READ_ONLY | _NO_SUID | _NO_DEV, *, recursive: bool = True) -> None:
    request = ctypes.create_string_buffer(struct.pack("QQQQ", attributes, 0, 0, 0), 32)
    where = ctypes.c_char_p(path.encode())
    arguments = (_AT_FDCWD, where, _AT_RECURSIVE if recursive else 0, request, 32)
    system.syscall(_MOUNT_SETATTR, *arguments, what=f"read-only {path}")


def _mask(folders: Iterable[str]) -> None:
    """Put an empty folder over each that a bind mount brought in."""
    for folder in folders:
        if os.path.isdir(folder):
            system.mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, "size=64k,mode=755")


def _etc() -> None:
    os.makedirs("/etc", exist_ok=True)
    for name, text in etc_files():
        Path("/etc", name).write_text(text)


def etc_files() -> Iterator[tuple[str, str]]:
    """The files of /etc that programs ask for, by name: with nothing of the host's in them."""
    yield "passwd", "candidate:x:1000:1000::/tmp:/bin/sh\n"
    yield "group", "candidate:x:1000:\n"
    yield "hosts", "127.0.0.1 localhost\n::1 localhost\n"
    yield "nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"


def inside(device: str) -> str:
    """Where a device of the host's lies in the new root."""
    return f"/dev/{os.path.basename(device)}"


def _dev(devices: Iterable[str]) -> None:
    os.makedirs("/dev/shm")
    for path in (*(f"/dev/{name}" for name in DEVICES), *devices):
        open(inside(path), "x").close()
        system.mount(OLD + path, inside(path), "", MS_BIND)
    for name, target in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        os.symlink(f"/proc/self/fd{target}", f"/dev/{name}")


def fork_first_process(own: int) -> int:
    """Fork a child that is the first process of a new pid namespace. `own` is an fd of the caller's own."""
    system.unshare(system.CLONE_NEWPID)
    pid = os.fork()
    if pid:
        system.setns(own, system.CLONE_NEWPID)
    return pid


def enter_child(limits: Limits, *, loopback: bool) -> None:
    """A child's own mounts, network and IPC."""
    system.unshare(system.CLONE_NEWNS | system.CLONE_NEWNET | system.CLONE_NEWIPC)
    if loopback:
        _loopback_up()
    system.mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    room = f"size={limits.scratch},nr_inodes={limits.scratch_files},mode=1777"
    with _kept_in_sight(SCRATCH):
        for folder in SCRATCH:
            system.mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, room)
    os.chdir("/tmp")


@contextmanager
def _kept_in_sight(covered: Iterable[str]) -> Iterator[None]:
    """Show Python's folders again, as they were, where a mount of the block covers them."""
    below = tuple(f"{folder}/" for folder in covered)
    held = {folder: os.open(folder, os.O_PATH) for folder in python_folders() if folder.startswith(below)}
    yield
    for folder, descriptor in held.items():
        os.makedirs(folder)
        system.mount(f"/proc/self/fd/{descriptor}", folder, "", MS_BIND | MS_REC)
        os.close(descriptor)


def _loopback_up() -> None:
    import fcntl
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        request = struct.pack("16sH14x", b"lo", 1)
        fcntl.ioctl(sock, 0x8914, request)
