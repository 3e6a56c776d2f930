"""Code that takes too much: each ends soon, with the right reason, and the next run is as good as before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
import target

from interviewer.sandbox import TorchSandbox
from interviewer.sandbox.confine import BACKENDS

Sandboxes = Callable[[str], TorchSandbox]


@dataclass(frozen=True)
class Abuse:
    """A script, and the reasons its end may have. `backends`: where it is tried."""

    name: str
    source: str
    reasons: tuple[str, ...]
    backends: tuple[str, ...] = BACKENDS


WALLED = ("namespaces", "landlock")
ABUSES = (
    Abuse("loop", "while True: pass", ("cpu_time", "wall_clock")),
    Abuse("sleep", "import time\ntime.sleep(3600)", ("wall_clock",), ("namespaces",)),
    Abuse("loop_inside_c", "sum(range(10**13))", ("cpu_time", "wall_clock"), ("landlock",)),
    Abuse(
        "deaf_to_signals",
        "import signal\nfor s in range(1, 65):\n    try: signal.signal(s, signal.SIG_IGN)\n    except (OSError, ValueError): pass\n"
        "while True: pass",
        ("cpu_time", "wall_clock"),
    ),
    Abuse(
        "stop_itself",
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGSTOP)\ntime.sleep(60)",
        ("wall_clock",),
        ("process",),
    ),
    Abuse("huge_tensor", "import torch\ntorch.ones(1 << 33)", ("memory",)),
    Abuse("huge_bytes", "x = bytearray(1 << 33)", ("memory",)),
    Abuse("many_tensors", "import torch\nkeep = []\nwhile True: keep.append(torch.empty(1 << 26))", ("memory",)),
    Abuse("crash", "import ctypes\nctypes.string_at(0)", ("crashed",)),
    Abuse("abort", "import os\nos.abort()", ("crashed",)),
    Abuse("deep_recursion", "def f(n): return f(n + 1)\nf(0)", ("exception",)),
    Abuse(
        "recursion_without_limit",
        "import sys\nsys.setrecursionlimit(10**9)\ndef f(n): return [g for g in map(f, [n])]\nf(0)",
        ("crashed", "memory", "exception"),
    ),
    Abuse("exit", "import os\nos._exit(0)", ("exited",)),
    Abuse("endless_print", "while True: print('x' * 1000)", ("exception",)),
    Abuse(
        "many_files_open",
        "import os\nkeep = [open(os.devnull) for _ in range(5000)]",
        ("exception",),
    ),
    Abuse(
        "big_file",
        "with open('big', 'wb') as f:\n    for _ in range(4096): f.write(bytes(1 << 20))",
        ("exception",),
    ),
    Abuse(
        "full_disk",
        "import itertools\nfor n in itertools.count():\n    with open(f'f{n}', 'wb') as f: f.write(bytes(16 << 20))",
        ("exception",),
        WALLED,
    ),
    Abuse(
        "many_files", "import itertools\nfor n in itertools.count(): open(f'f{n}', 'w').close()", ("exception",), WALLED
    ),
    Abuse(
        "full_shared_memory",
        "import itertools\nfor n in itertools.count():\n    with open(f'/dev/shm/f{n}', 'wb') as f: f.write(bytes(16 << 20))",
        ("exception",),
        WALLED,
    ),
    Abuse(
        "threads",
        "import threading, time\nfor _ in range(5000): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
        ("exception", "memory"),
        WALLED,
    ),
    Abuse("fork_bomb", "import os\nwhile True: os.fork()", ("exception",), WALLED),
    Abuse("programs", "import subprocess\nwhile True: subprocess.Popen(['sleep', '60'])", ("exception",), WALLED),
)


@pytest.mark.parametrize(
    ("abuse", "backend"), [(a, b) for a in ABUSES for b in a.backends], ids=lambda v: getattr(v, "name", v)
)
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


def test_a_thousand_threads_do_not_start(sandboxes: Sandboxes) -> None:
    """With namespaces a run has a limit of its own on threads and processes."""
    source = (
        "import threading, time\nn = 0\ntry:\n    for n in range(1000):\n"
        "        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\nexcept RuntimeError:\n    print(n)"
    )
    result = sandboxes("namespaces").run(source)
    assert int(result.stdout) <= 64
