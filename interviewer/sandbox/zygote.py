"""The fork server: a warm torch process that holds no secret and forks two children for each run.

It is started with a scrubbed environment, keeps one thread (a second torch thread before a fork hangs the child for
ever), imports and exercises torch once so that no child pays for lazy imports, and then only forks: it never reads a
byte that a candidate or a check wrote. Its frames and memory are visible to the candidate's process by inheritance, so
nothing worth having is kept in them.

It ends when its parent does: the control socket closes, and the kernel's parent-death signals take the rest.
"""

from __future__ import annotations

import contextlib
import gc
import json
import mmap
import os
import select
import shutil
import signal
import socket
from dataclasses import dataclass, field
from typing import Any, NoReturn

from . import bubblewrap, bundle, namespaces, plots
from .become import CANDIDATE, JUDGE, Setup, become
from .confine import Plan, close_door, enter, try_promises
from .limits import Limits

WATCH_MS = 100
"""How often scratch space that runs share is looked at while there are runs."""
CHILDREN_NEED = (
    "protocol", "values", "channel", "gradients", "findings", "pictures",
    "show", "ops", "devices", "child", "sut", "judge",
)  # fmt: skip


def main() -> NoReturn:
    """Entry of the fork server. File descriptor 0 is the control socket."""
    control = socket.socket(fileno=os.dup(0))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    try:
        plan = Plan.parse(json.loads(control.recv(1 << 16)))
        bundle.remember(CHILDREN_NEED)
        enter(plan, control.fileno())
        if not plan.probe:
            warm_up()
        server = Server(control, plan)
        close_door(plan)
        if plan.probe:
            probe(plan)
    except BaseException as error:
        control.send(json.dumps({"failed": f"{type(error).__name__}: {error}"[:2000]}).encode())
        os._exit(1)
    gc.collect()
    gc.freeze()
    control.send(b'{"ready": true}')
    server.serve()
    os._exit(0)


def call_back(path: str) -> NoReturn:
    """Entry of a fork server that was handed no descriptor: the control socket is at `path`, where a parent listens."""
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    control.connect(path)
    os.dup2(control.fileno(), 0)
    control.close()
    main()


def probe(plan: Plan) -> None:
    """Confine a child and have it try what must fail. Raises OSError with its complaint."""
    read, write = os.pipe()
    pid = fork_with(plan, pid_namespace_of(plan))
    if pid == 0:
        complaint = try_promises(plan)
        os.write(write, complaint.encode()[:2000])
        os._exit(0)
    os.close(write)
    os.waitpid(pid, 0)
    complaint = os.read(read, 4096).decode()
    os.close(read)
    if complaint != "kept":
        raise OSError(complaint or "the child died while it was being confined")


def pid_namespace_of(plan: Plan) -> int:
    """An fd of our own pid namespace, to return to after each fork; -1 where there is none."""
    return os.open("/proc/self/ns/pid", os.O_RDONLY) if plan.own_pids else -1


def fork_with(plan: Plan, own: int) -> int:
    """Fork, into a new pid namespace where the plan has them."""
    return namespaces.fork_first_process(own) if plan.own_pids else os.fork()


def warm_up() -> None:
    """Import torch and run one small program of each common kind, at one thread."""
    import torch

    from . import child, judge  # noqa: F401  what the children need, before the files are out of reach
    from .ops import Recorder

    torch.set_num_threads(1)
    torch.manual_seed(0)
    layers = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.LayerNorm(4), torch.nn.GELU(), torch.nn.Linear(4, 1))
    for make in (torch.optim.SGD, torch.optim.AdamW):
        optimizer = make(layers.parameters(), lr=0.1)
        torch.autograd.backward(torch.nn.functional.mse_loss(layers(torch.randn(3, 4)), torch.zeros(3, 1)))
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
    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        raise RuntimeError("the fork server has touched CUDA; no child could use it")
    torch.from_numpy(q.numpy())
    with Recorder((), "").watching():
        torch.softmax(torch.randn(2, 2, requires_grad=True), -1).sum()
    repr(out)
    for name in (
        "dataclasses",
        "functools",
        "itertools",
        "collections",
        "math",
        "typing",
        "copy",
        "inspect",
        "tokenize",
        "ast",
    ):
        __import__(name)


@dataclass
class Run:
    """A run in progress: its two children by pid, and where to report their ends."""

    report: int
    children: dict[int, str] = field(default_factory=dict)
    folder: str = ""
    files: int = 0
    """How many its folder may hold."""


class Server:
    """Forks on request and reports how each child ended."""

    def __init__(self, control: socket.socket, plan: Plan) -> None:
        self.control = control
        self.plan = plan
        self.runs: dict[int, Run] = {}
        self.pidfds: dict[int, int] = {}
        self.count = 0
        self.own = pid_namespace_of(plan)
        self.listing = os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY)
        self.shared = plan.shared
        self.reports: dict[int, Run] = {}
        threads = os.listdir("/proc/self/task")
        if len(threads) != 1:
            raise RuntimeError(f"{len(threads)} threads before the first fork; children would hang")

    def serve(self) -> None:
        """Until the parent closes the control socket."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        while True:
            for fd, _ in poll.poll(WATCH_MS if self.shared and self.runs else None):
                if fd in self.reports:
                    self.abandon(self.reports.pop(fd))
                    poll.unregister(fd)
                elif fd in self.pidfds:
                    self.reap(fd, poll)
                    poll.unregister(fd)
                    os.close(fd)
                elif fd == self.control.fileno() and not self.accept(poll):
                    self.close()
                    return
            self.sweep()
            self.watch()

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
        if request.get("plots"):
            plots.warm()
        rpc = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        ours, theirs = rpc[0].detach(), rpc[1].detach()
        arena = mmap.mmap(-1, limits.arena)
        run = Run(report, folder=self._folder(), files=limits.scratch_files)
        for role, rpc_fd in ((CANDIDATE, theirs), (JUDGE, ours)):
            self.count += 1
            folder = "" if role == JUDGE and self.plan.private_root else run.folder
            setup = Setup(limits, request["profile"], arena, self.plan, self.count, folder)
            pid = fork_with(self.plan, self.own)
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
        self.reports[report] = run
        poll.register(report, 0)  # tells when the other end is closed

    def abandon(self, run: Run) -> None:
        """End a run that nobody waits for any more. The parent mostly has by then; it may have no right to."""
        for pid in run.children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def reap(self, pidfd: int, poll: select.poll) -> None:
        """Report one child's end."""
        pid = self.pidfds.pop(pidfd)
        run = self.runs.pop(pid)
        _, status, usage = os.wait4(pid, 0)
        if not self.plan.own_pids:
            _kill_group(pid)
        end = {
            "role": run.children.pop(pid),
            "code": os.waitstatus_to_exitcode(status),
            "cpu": usage.ru_utime + usage.ru_stime,
            "max_rss": usage.ru_maxrss << 10,
        }
        _send(run.report, end, [])
        if not run.children:
            if self.reports.pop(run.report, None) is not None:
                poll.unregister(run.report)
            os.close(run.report)
            if run.folder:
                shutil.rmtree(run.folder, ignore_errors=True)

    def sweep(self) -> None:
        """Kill and collect descendants that outlived their run (only where runs have no pid namespace of their own)."""
        if self.plan.own_pids:
            return
        for pid in self._children() - set(self.runs):
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError):
                continue

    def watch(self) -> None:
        """End a run that fills the scratch space with files (only where runs share one)."""
        if not self.shared or not bubblewrap.crowded(self.plan.folder):
            return
        for pid, run in self.runs.items():
            if run.children.get(pid) == CANDIDATE and bubblewrap.holds_more_than(run.files, run.folder):
                _kill_group(pid)

    def close(self) -> None:
        for pid in self.runs:
            _kill_group(pid)
        if self.plan.folder:
            shutil.rmtree(self.plan.folder, ignore_errors=True)

    def _children(self) -> set[int]:
        return {int(pid) for pid in os.pread(self.listing, 1 << 16, 0).split()}

    def _folder(self) -> str:
        if not self.plan.folder:
            return ""
        path = os.path.join(self.plan.folder, str(self.count))
        os.mkdir(path, 0o700)
        return path


def _send(report: int, message: dict[str, Any], fds: list[int]) -> None:
    sock = socket.socket(fileno=report)
    try:
        socket.send_fds(sock, [json.dumps(message).encode()], fds)
    except OSError:
        pass  # the parent gave up on this run
    finally:
        sock.detach()


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
