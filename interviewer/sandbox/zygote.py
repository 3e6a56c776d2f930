"""The fork server: a warm torch process that holds no secret and forks two children for each run.

It is started with a scrubbed environment, keeps one thread (a second torch thread before a fork hangs the child for
ever), imports and exercises torch once so that no child pays for lazy imports, and then only forks: it never reads a
byte that a candidate or a check wrote. Its frames and memory are visible to the candidate's process by inheritance, so
nothing worth having is kept in them.

It ends when its parent does: the control socket closes, and the kernel's parent-death signals take the rest.
"""

from __future__ import annotations

import gc
import json
import mmap
import os
import select
import shutil
import signal
import socket
import sys
from dataclasses import dataclass, field
from typing import Any, NoReturn

from .confine import Plan, confine_child, enter
from .limits import Limits

BROKEN = 70
"""Exit status of a child that could not be confined or set up: it has run nothing."""
CANDIDATE, JUDGE = "candidate", "judge"


def main() -> NoReturn:
    """Entry of the fork server. File descriptor 0 is the control socket."""
    control = socket.socket(fileno=os.dup(0))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    try:
        plan = Plan.parse(json.loads(control.recv(1 << 16)))
        enter(plan)
        if not plan.probe:
            warm_up()
        enter_last(plan)
    except BaseException as error:  # noqa: BLE001  told to the parent, which raises it
        control.send(json.dumps({"failed": f"{type(error).__name__}: {error}"[:2000]}).encode())
        os._exit(1)
    gc.collect()
    gc.freeze()
    control.send(json.dumps({"ready": True, "threads": len(os.listdir("/proc/self/task"))}).encode())
    Server(control, plan).serve()
    os._exit(0)


def enter_last(plan: Plan) -> None:
    """The part of the zygote's own confinement that must come after the imports."""
    from .confine import close_door

    close_door(plan)


def warm_up() -> None:
    """Import torch and run one small program of each common kind, at one thread."""
    import torch

    from . import child, judge  # noqa: F401  what the children need, before the files are out of reach

    torch.set_num_threads(1)
    torch.manual_seed(0)
    layers = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.LayerNorm(4), torch.nn.GELU(), torch.nn.Linear(4, 1))
    for make in (torch.optim.SGD, torch.optim.AdamW):
        optimizer = make(layers.parameters(), lr=0.1)
        torch.nn.functional.mse_loss(layers(torch.randn(3, 4)), torch.zeros(3, 1)).backward()
        optimizer.step()
        optimizer.zero_grad()
    x = torch.randn(2, 3, 8, 8, requires_grad=True)
    y = torch.nn.functional.conv2d(x, torch.randn(4, 3, 3, 3)).relu().mean()
    torch.autograd.grad(y, x, create_graph=True)
    q = torch.randn(1, 2, 4, 8)
    out = torch.softmax(q @ q.transpose(-1, -2), -1) @ q
    torch.testing.assert_close(out, torch.nn.functional.scaled_dot_product_attention(q, q, q, scale=1.0))
    torch.func.vmap(torch.sin)(q)
    torch.einsum("bhqd,bhkd->bhqk", q, q)
    torch.nn.MultiheadAttention(8, 2)(torch.randn(2, 3, 8), torch.randn(2, 3, 8), torch.randn(2, 3, 8))
    torch.from_numpy(q.numpy())
    repr(out)
    for name in ("dataclasses", "functools", "itertools", "collections", "math", "typing", "copy", "inspect", "tokenize"):
        __import__(name)


@dataclass
class Run:
    """A run in progress: its two children by pid, and where to report their ends."""

    report: int
    children: dict[int, str] = field(default_factory=dict)
    folder: str = ""


class Server:
    """Forks on request and reports how each child ended."""

    def __init__(self, control: socket.socket, plan: Plan) -> None:
        self.control = control
        self.plan = plan
        self.runs: dict[int, Run] = {}
        self.pidfds: dict[int, int] = {}
        self.count = 0

    def serve(self) -> None:
        """Until the parent closes the control socket."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        while True:
            for fd, _ in poll.poll():
                if fd != self.control.fileno():
                    self.reap(fd)
                    poll.unregister(fd)
                    os.close(fd)
                elif not self.accept(poll):
                    self.close()
                    return
            self.sweep()

    def accept(self, poll: select.poll) -> bool:
        """Take one request. False when the parent is gone."""
        message, fds, _, _ = socket.recv_fds(self.control, 1 << 16, 3)
        if not message:
            return False
        request = json.loads(message)
        if len(fds) == 3:
            self.start(request, fds, poll)
        return True

    def start(self, request: dict[str, Any], fds: list[int], poll: select.poll) -> None:
        """Fork the two children and hand their pidfds to the parent."""
        report, job, stdout = fds
        limits = Limits(**request["limits"])
        rpc = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        ours, theirs = rpc[0].detach(), rpc[1].detach()
        arena = mmap.mmap(-1, limits.arena)
        run = Run(report, folder=self._folder())
        self.count += 1
        setup = Setup(limits, request["profile"], arena, self.plan, self.count, run.folder)
        for role, rpc_fd in ((CANDIDATE, theirs), (JUDGE, ours)):
            pid = self.plan.fork()
            if pid == 0:
                self.control.detach()
                become(role, rpc_fd, job if role == JUDGE else stdout, setup)
            run.children[pid] = role
            self.runs[pid] = run
        arena.close()
        for fd in (ours, theirs, job, stdout):
            os.close(fd)
        pidfds = [os.pidfd_open(pid) for pid in run.children]
        _send(report, {"started": True}, pidfds)
        for pid, fd in zip(run.children, pidfds, strict=True):
            self.pidfds[fd] = pid
            poll.register(fd, select.POLLIN)

    def reap(self, pidfd: int) -> None:
        """Report one child's end."""
        pid = self.pidfds.pop(pidfd)
        run = self.runs.pop(pid)
        _, status, usage = os.wait4(pid, 0)
        if self.plan.own_pids is False:
            _kill_group(pid)
        end = {
            "role": run.children.pop(pid),
            "code": os.waitstatus_to_exitcode(status),
            "cpu": usage.ru_utime + usage.ru_stime,
            "max_rss": usage.ru_maxrss << 10,
        }
        _send(run.report, end, [])
        if not run.children:
            os.close(run.report)
            if run.folder:
                shutil.rmtree(run.folder, ignore_errors=True)

    def sweep(self) -> None:
        """Kill and collect descendants that outlived their run (only where runs have no pid namespace of their own)."""
        if self.plan.own_pids:
            return
        for pid in _children() - set(self.runs):
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError):
                continue

    def close(self) -> None:
        for pid in self.runs:
            _kill_group(pid)
        if self.plan.folder:
            shutil.rmtree(self.plan.folder, ignore_errors=True)

    def _folder(self) -> str:
        if not self.plan.folder:
            return ""
        path = os.path.join(self.plan.folder, str(self.count))
        os.mkdir(path, 0o700)
        return path


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
        confine_child(setup.plan, setup.limits, profile=setup.profile, number=setup.number, role=role, folder=setup.folder)
        from .channel import Channel

        channel = Channel(socket.socket(fileno=3), setup.arena)
        _serve(role, channel)
        os._exit(0)
    except BaseException as error:  # noqa: BLE001
        if os.environ.get("VIVA_DEBUG"):
            os.write(2, f"{role}: {type(error).__name__}: {error}\n".encode())
        os._exit(BROKEN)


def _serve(role: str, channel: Any) -> None:
    if role == CANDIDATE:
        import random

        from .child import seed_everything, serve

        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
        seed_everything(random.SystemRandom().getrandbits(62))
        serve(channel)
        return
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
    high = [os.dup(fd) for fd in (rpc_fd, other_fd)]
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


def _send(report: int, message: dict[str, Any], fds: list[int]) -> None:
    sock = socket.socket(fileno=report)
    try:
        socket.send_fds(sock, [json.dumps(message).encode()], fds)
    except OSError:
        pass  # the parent gave up on this run
    finally:
        sock.detach()


def _children() -> set[int]:
    with open("/proc/self/task/%d/children" % os.getpid()) as listing:
        return {int(pid) for pid in listing.read().split()}


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
