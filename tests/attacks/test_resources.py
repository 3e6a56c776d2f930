"""Code that takes too much: each ends soon, with the right reason, and the next run is as good as before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from interviewer.sandbox import TorchSandbox
from interviewer.sandbox.confine import BACKENDS
from tests.attacks import target

Sandboxes = Callable[[str], TorchSandbox]


@dataclass(frozen=True)
class Abuse:
    """A script, and the reasons its end may have. `backends`: where it is tried."""

    name: str
    source: str
    reasons: tuple[str, ...]
    backends: tuple[str, ...] = BACKENDS


WALLED = ("namespaces", "bubblewrap", "docker", "landlock")

DEAF = """
import signal
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    pass
"""
FILL = """
import itertools
for n in itertools.count():
    with open(f"{folder}/f{n}", "wb") as file:
        file.write(bytes(16 << 20))
"""
THREADS = """
import threading, time
n = 0
for n in range(5000):
    try:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    except RuntimeError:
        print(n, flush=True)
        raise
"""
STOP = "import os, signal, time\nos.kill(os.getpid(), signal.SIGSTOP)\ntime.sleep(60)"
RECURSION = "import sys\nsys.setrecursionlimit(10**9)\ndef f(n): return [g for g in map(f, [n])]\nf(0)"
BIG_FILE = "with open('big', 'wb') as f:\n    for _ in range(4096): f.write(bytes(1 << 20))"
MANY_FILES = "import itertools\nfor n in itertools.count(): open(f'f{n}', 'w').close()"
TIME = ("cpu_time", "wall_clock")
ABUSES = (
    Abuse("loop", "while True: pass", TIME, WALLED),
    Abuse("sleep", "import time\ntime.sleep(3600)", ("wall_clock",), ("namespaces", "bubblewrap", "docker")),
    Abuse("loop_inside_c", "sum(range(10**13))", TIME, ("landlock",)),
    Abuse("deaf_to_signals", DEAF, TIME, ("namespaces",)),
    Abuse("stop_itself", STOP, ("wall_clock",), ("process",)),
    Abuse("huge_tensor", "import torch\ntorch.ones(1 << 33)", ("memory",)),
    Abuse("huge_bytes", "x = bytearray(1 << 33)", ("memory",)),
    Abuse("many_tensors", "import torch\nkeep = []\nwhile True: keep.append(torch.empty(1 << 26))", ("memory",)),
    Abuse("crash", "import ctypes\nctypes.string_at(0)", ("crashed",)),
    Abuse("abort", "import os\nos.abort()", ("crashed",)),
    Abuse("deep_recursion", "def f(n): return f(n + 1)\nf(0)", ("exception",)),
    Abuse("recursion_without_limit", RECURSION, ("crashed", "memory", "exception")),
    Abuse("exit", "import os\nos._exit(0)", ("exited",)),
    Abuse("endless_print", "while True: print('x' * 1000)", ("output_limit",)),
    Abuse("many_files_open", "import os\nkeep = [open(os.devnull) for _ in range(5000)]", ("exception",)),
    Abuse("big_file", BIG_FILE, ("exception",)),
    Abuse("full_disk", FILL.replace("{folder}", "."), ("exception",), WALLED),
    Abuse("many_files", MANY_FILES, ("exception",), ("namespaces", "landlock")),
    Abuse("many_files_watched", MANY_FILES, ("crashed",), ("bubblewrap", "docker")),
    Abuse("full_shared_memory", FILL.replace("{folder}", "/dev/shm"), ("exception",), WALLED),
    Abuse("threads", THREADS, ("exception", "memory"), WALLED),
    Abuse("fork_bomb", "import os\nwhile True: os.fork()", ("exception",), WALLED),
    Abuse("programs", "import subprocess\nwhile True: subprocess.Popen(['sleep', '60'])", ("exception",), WALLED),
)
CASES = [pytest.param(a, b, id=f"{a.name}-{b}") for a in ABUSES for b in a.backends]


@pytest.mark.parametrize(("abuse", "backend"), CASES)
def test_abuse_ends_with_its_reason(sandboxes: Sandboxes, abuse: Abuse, backend: str) -> None:
    """It does not pass, says why, and does not outlive its deadline by more than the machine's own slowness."""
    result = sandboxes(backend).run(abuse.source)
    assert result.verdict != "passed"
    assert result.reason in abuse.reasons, result
    assert result.message
    assert result.seconds < 20


@pytest.mark.parametrize("backend", BACKENDS)
def test_after_all_abuse_the_sandbox_still_works(sandboxes: Sandboxes, backend: str) -> None:
    """No run has hurt the fork server."""
    assert sandboxes(backend).check(target.exercise(), target.HONEST).verdict == "passed"


def test_a_run_has_a_limit_of_its_own_on_threads(sandboxes: Sandboxes) -> None:
    """With namespaces, of processes and threads together."""
    assert int(sandboxes("namespaces").run(THREADS).stdout.split()[0]) <= 64
