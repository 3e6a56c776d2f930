"""How a fresh fork of the zygote becomes a candidate's or a judge's process: descriptors, walls, then its loop."""

from __future__ import annotations

import json
import mmap
import os
import random
import socket
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from .confine import Plan, confine_child
from .limits import Limits

if TYPE_CHECKING:
    from .channel import Channel

BROKEN = 70
"""Exit status of a child that could not be confined or set up: it has run nothing."""
CANDIDATE, JUDGE = "candidate", "judge"


@dataclass(frozen=True)
class Setup:
    """What a child needs to set itself up."""

    limits: Limits
    profile: str
    arena: mmap.mmap
    plan: Plan
    number: int
    folder: str


def become(role: str, rpc_fd: int, other_fd: int, setup: Setup) -> NoReturn:
    """Turn a fresh fork into a candidate's or a judge's process. Never returns, never raises."""
    try:
        _arrange_fds(role, rpc_fd, other_fd)
        confine_child(setup.plan, setup.limits, profile=setup.profile, number=setup.number, folder=setup.folder)
        from .channel import Channel

        channel = Channel(socket.socket(fileno=3), setup.arena)
        (_serve_calls if role == CANDIDATE else _judge)(channel)
        os._exit(0)
    except BaseException:
        os._exit(BROKEN)


def _serve_calls(channel: Channel) -> None:
    from .child import seed_everything, serve

    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    for name, fd in (("stdout", 1), ("stderr", 2)):
        stream = os.fdopen(fd, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)
        setattr(sys, name, stream)
    seed_everything(random.SystemRandom().getrandbits(62))
    serve(channel)


def _judge(channel: Channel) -> None:
    from .judge import clock, run_job

    private = socket.socket(fileno=4)
    job = json.loads(_receive_all(private))
    outcome = json.dumps(run_job(clock(job, channel), job)).encode()
    private.sendall(len(outcome).to_bytes(4, "big") + outcome)


def _receive_all(sock: socket.socket) -> bytes:
    """A message of the parent's: four bytes of length, then that many."""
    buffer = bytearray()
    while len(buffer) < 4 or len(buffer) < 4 + int.from_bytes(buffer[:4], "big"):
        part = sock.recv(1 << 20)
        if not part:
            raise EOFError("the parent hung up")
        buffer += part
    return bytes(buffer[4:])


def _arrange_fds(role: str, rpc_fd: int, other_fd: int) -> None:
    """Keep 0, 1, 2, the call socket at 3 and, in the judge, its private socket at 4. Close the rest."""
    import fcntl

    high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (rpc_fd, other_fd)]
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(high[0], 3, inheritable=False)
    for fd in (1, 2):
        os.dup2(null if role == JUDGE else high[1], fd)
    last = 3
    if role == JUDGE:
        os.dup2(high[1], 4, inheritable=False)
        last = 4
    os.closerange(last + 1, 1 << 16)
