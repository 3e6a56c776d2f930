"""A small process between the parent and the fork server, so that neither outlives the other.

The fork server alone would notice its parent's end only while it runs: one that was stopped would stay. And the
kernel's parent-death signal follows a thread, not a process: set on the parent, it would end the fork server with the
worker thread that happened to start it. The guard has one thread, does nothing else, and cannot be reached by a run.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
from collections.abc import Sequence
from typing import NoReturn

from . import cgroups, system

GRACE_MS = 1000
"""What the fork server gets to end by itself once its parent is gone."""


def fork(control: int, folder: str, groups: Sequence[int] = (), prefix: str = "") -> None:
    """Return in a new process, whose life this one then guards: until it ends, or `control`'s other end is closed.

    What is left of `folder`, and the control groups of that `prefix` in the open folders `groups`, is then removed.
    """
    pid = os.fork()
    if pid:
        _stand(pid, control, folder, groups, prefix)
    for fd in groups:
        os.close(fd)
    system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)


def around(prefix: str, groups: str, *command: str) -> NoReturn:
    """Guard a program from outside its walls, which leave it no right to a host's control groups. `groups`: "3,4"."""
    fork(0, "", [int(fd) for fd in groups.split(",") if fd], prefix)
    os.execv(command[0], command)


def _stand(pid: int, control: int, folder: str, groups: Sequence[int], prefix: str) -> None:
    pidfd = os.pidfd_open(pid)
    kept = sorted((control, pidfd, *groups))
    _close_all_but(kept)
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    poll.register(control, 0)
    ready = [fd for fd, _ in poll.poll()]
    if pidfd not in ready:
        poll.unregister(control)
        if not poll.poll(GRACE_MS):
            os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    cgroups.sweep(groups, prefix)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _close_all_but(kept: list[int]) -> None:
    start = 0
    for fd in kept:
        if fd > start:  # os.closerange(0, 0) would close everything
            os.closerange(start, fd)
        start = fd + 1
    os.closerange(start, 1 << 16)
