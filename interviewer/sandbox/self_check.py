"""One probe for each promise of the sandbox, run on the backend that a machine really gets.

`viva doctor --sandbox` shows the rows. A promise that a backend does not make is listed as such, never as kept.
"""

from __future__ import annotations

import json
import os
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from interviewer.domain import Exercise, LocalText

from .launch import ENVIRONMENT

if TYPE_CHECKING:
    from interviewer.domain import SandboxResult

    from .runner import TorchSandbox

WALLED = ("namespaces", "bubblewrap", "docker", "landlock")
"""Backends that promise more than a verdict and an end."""
SECONDS = 2
"""Time given to code that never ends."""


@dataclass(frozen=True)
class Row:
    """One promise. `holds` is None where the backend does not make it."""

    promise: str
    holds: bool | None
    detail: str


WALLS = {
    "no file outside is read": "open(OUTSIDE).read()",
    "no file outside is written": "open(OUTSIDE + '.new', 'w').close()",
    "no password file of the host": "open('/etc/shadow').read()",
    "no code or checks of this project": "os.listdir(PROJECT)",
    "no writing to the system": "open('/usr/viva-probe', 'x').close()",
    "no network": "socket.create_connection(('127.0.0.1', PORT), 1)",
    "no datagrams": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "no sockets of the host": "socket.socket(socket.AF_UNIX).connect(OUTSIDE + '.socket')",
    "no new process": "fork()",
    "no other program": "os.execv('/bin/true', ['true'])",
    "no signal to other processes": "os.kill(os.getppid() or 2, 0)",
    "no namespace left or made": "libc('unshare', 0x10000000)",
    "no memory of other processes": "libc('process_vm_readv', os.getppid() or 2, 0, 0, 0, 0, 0)",
}
"""Promise -> what is tried; OSError is a promise kept."""

_TRY = """
import ctypes, json, os, socket
OUTSIDE, PROJECT, PORT = {outside!r}, {project!r}, {port!r}
def fork():
    if os.fork() == 0:
        os._exit(0)
def libc(name, *arguments):
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
for name, attempt in {walls!r}.items():
    try:
        exec(attempt)
        said = ""
    except OSError as error:
        said = str(error)
    print(json.dumps([name, said]), flush=True)
"""

ABUSES: dict[str, tuple[str, tuple[str, ...]]] = {
    "endless code is stopped": ("while True: pass", ("cpu_time", "wall_clock")),
    "sleeping code is stopped": ("import time\ntime.sleep(600)", ("wall_clock",)),
    "memory is bounded": ("import torch\ntorch.ones(1 << 33)", ("memory",)),
    "printing is bounded": ("while True: print('x' * 1000)", ("exception", "output_limit")),
    "a crash is contained": ("import ctypes\nctypes.string_at(0)", ("crashed",)),
}
"""Promise -> a script and the reasons that keep it."""

_NAMES = """
import json, os
names = set(os.environ)
try:
    with open("/proc/self/environ", "rb") as block:
        names |= {entry.split(b"=")[0].decode() for entry in block.read().split(b"\\0") if entry}
except OSError:
    pass
print(json.dumps(sorted(names)))
"""
FAKES = {
    "no pass by leaving": "import os\nos._exit(0)",
    "no pass by printing": "import json, os\n"
    "for fd in range(64):\n"
    "    try: os.write(fd, json.dumps({'verdict': 'passed', 'reason': '', 'checks': []}).encode())\n"
    "    except OSError: pass\n",
    "no pass by patching": "import torch\ntorch.testing.assert_close = torch.softmax = lambda *a, **k: None\n"
    "def softmax(x, dim): return x",
}
_CHECKS = """
import torch
from viva_check import assert_close

def check_values(sut):
    x = torch.randn(3, 5)
    assert_close(sut.softmax(x, -1), torch.softmax(x, -1))
"""
_HONEST = """
import torch

def softmax(x, dim):
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)
"""


def self_check(sandbox: TorchSandbox) -> list[Row]:
    """Try every promise once. Takes some seconds; other runs meanwhile get short limits."""
    with _short(sandbox):
        sandbox.run("pass")
        before = _processes()
        rows = [_honest(sandbox), *_walls(sandbox), _environment(sandbox)]
        rows += [_abuse(sandbox, *entry) for entry in ABUSES.items()]
        rows += [_fake(sandbox, *entry) for entry in FAKES.items()]
        rows.append(_left(before))
    return rows


@contextmanager
def _short(sandbox: TorchSandbox) -> Iterator[None]:
    kept = sandbox.limits
    sandbox.limits = replace(kept, wall_seconds=SECONDS * 4, call_seconds=SECONDS, cpu_seconds=SECONDS * 2)
    try:
        yield
    finally:
        sandbox.limits = kept


def _walls(sandbox: TorchSandbox) -> list[Row]:
    backend, _ = sandbox.describe()
    if backend not in WALLED:
        return [Row(promise, None, f"{backend} does not promise it") for promise in WALLS]
    with tempfile.TemporaryDirectory(prefix="viva-check-") as folder:
        Path(folder).chmod(0o755)
        outside = Path(folder, "outside.txt")
        outside.write_text("outside")
        project = str(Path(__file__).resolve().parent.parent)
        with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
            unix.bind(f"{outside}.socket")
            unix.listen()
            port = tcp.getsockname()[1]
            result = sandbox.run(_TRY.format(outside=str(outside), project=project, port=port, walls=WALLS))
        changed = sorted(path.name for path in Path(folder).iterdir()) != ["outside.txt", "outside.txt.socket"]
    said = dict(json.loads(line) for line in result.stdout.splitlines() if line.startswith('["'))
    rows = []
    for promise in WALLS:
        detail = said.get(promise, f"the probe did not get there: {result.reason} {result.message}")
        rows.append(Row(promise, bool(said.get(promise)) and not changed, detail or "it was possible"))
    return rows


def _environment(sandbox: TorchSandbox) -> Row:
    result = sandbox.run(_NAMES)
    promise = "no environment of the host's"
    try:
        inside: list[str] = json.loads(result.stdout)
    except ValueError:
        return Row(promise, False, f"{result.reason} {result.message}")
    own = {*ENVIRONMENT, "PWD", "LC_CTYPE"}
    strange = sorted(n for n in set(inside) - own if not n.startswith(("TORCH", "PYTORCH", "KMP", "OMP", "MPL")))
    return Row(promise, not strange, f"seen: {', '.join(strange)}" if strange else f"{len(inside)} names, all given")


def _abuse(sandbox: TorchSandbox, promise: str, case: tuple[str, tuple[str, ...]]) -> Row:
    source, reasons = case
    result = sandbox.run(source)
    after = sandbox.run("print(6 * 7)")
    well = after.stdout == "42\n"
    said = f"{result.reason or result.verdict} after {result.seconds:.1f} s"
    return Row(promise, result.reason in reasons and well, said if well else f"{said}; the next run failed")


def _fake(sandbox: TorchSandbox, promise: str, source: str) -> Row:
    result = sandbox.check(_exercise(), source)
    return Row(promise, result.verdict != "passed", _said(result))


def _honest(sandbox: TorchSandbox) -> Row:
    result = sandbox.check(_exercise(), _HONEST)
    return Row("honest code passes", result.verdict == "passed", _said(result))


def _said(result: SandboxResult) -> str:
    return f"{result.verdict} {result.reason}".strip() + f" after {result.seconds:.2f} s"


def _left(before: set[int]) -> Row:
    """Whether all processes of the runs are gone, some time being given to the kernel."""
    ends = time.monotonic() + 3.0
    while (left := _processes() - before) and time.monotonic() < ends:
        time.sleep(0.05)
    return Row("no process is left", not left, f"{len(left)} left" if left else f"{len(before)} as before")


def _processes() -> set[int]:
    """All that descend from this process."""
    found: set[int] = set()
    todo = [os.getpid()]
    while todo:
        for listing in Path(f"/proc/{todo.pop()}/task").glob("*/children"):
            try:
                children = {int(pid) for pid in listing.read_text().split()}
            except OSError:
                continue
            found |= children
            todo += children
    return found


def _exercise() -> Exercise:
    none = LocalText(en="-", ru="-", zh="-")
    return Exercise(
        id="self-check",
        statement=none,
        docstring=none,
        checks={},
        wrong={},
        starter="",
        reference=_HONEST,
        checks_source=_CHECKS,
        examples="",
    )
