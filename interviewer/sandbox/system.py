"""Linux calls that Python 3.11 has no name for, through ctypes."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

LIBC: Any = ctypes.CDLL(None, use_errno=True) if sys.platform != "win32" else None
"""Absent on Windows, where this package can be imported and says that it does not run."""

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47


def checked(result: int, what: str) -> int:
    """`result` of a C call, or OSError that says which call failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: Any, what: str) -> int:
    """A raw system call."""
    return checked(LIBC.syscall(ctypes.c_long(number), *(_c(a) for a in arguments)), what)


def prctl(option: int, *arguments: int) -> None:
    """prctl, with zeros for what is not given."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    checked(LIBC.prctl(option, *(ctypes.c_ulong(a) for a in padded)), f"prctl({option})")


def unshare(flags: int) -> None:
    checked(LIBC.unshare(ctypes.c_int(flags)), f"unshare({flags:#x})")


def setns(fd: int, kind: int) -> None:
    checked(LIBC.setns(ctypes.c_int(fd), ctypes.c_int(kind)), "setns")


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    arguments = [part.encode() or None for part in (source, target, kind)]
    checked(LIBC.mount(*arguments, ctypes.c_ulong(flags), data.encode() or None), f"mount {target}")


def _c(argument: Any) -> Any:
    return ctypes.c_long(argument) if isinstance(argument, int) else argument
