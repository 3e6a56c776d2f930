"""The sandbox as the rest of Viva uses it: reasons, bad input, life and death of the fork server."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from interviewer.domain import LANGUAGES, Exercise
from interviewer.errors import OperatorError
from interviewer.labels import labels
from interviewer.sandbox import TorchSandbox
from interviewer.sandbox.confine import BACKENDS
from interviewer.sandbox.launch import Zygote, probe

ONE = "def check_one(sut):\n    assert sut.one() == 1\n"
GOOD = "def one():\n    return 1\n"


def descendants(pid: int) -> set[int]:
    """All processes below `pid`, as the host numbers them."""
    found: set[int] = set()
    todo = [pid]
    while todo:
        parent = todo.pop()
        for listing in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                children = {int(child) for child in listing.read_text().split()}
            except OSError:
                continue
            found |= children
            todo += children
    return found


def names(folder: str) -> set[str]:
    return {path.name for path in Path(folder).iterdir()}


def eventually(held: Callable[[], bool], seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while not held():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_importing_starts_nothing() -> None:
    """No torch, no process: only names."""
    code = (
        "import sys, interviewer.sandbox as s\ns.TorchSandbox(); s.Limits()\n"
        "import os, pathlib\nassert 'torch' not in sys.modules\n"
        "assert not pathlib.Path(f'/proc/self/task/{os.getpid()}/children').read_text()"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )


@pytest.mark.parametrize(
    ("source", "verdict", "reason"),
    [
        (GOOD, "passed", ""),
        ("def one():\n    return 2\n", "failed", "check_failed"),
        ("def one(:\n", "error", "syntax_error"),
        ("\tx = 1\n  y = 2\n", "error", "syntax_error"),
        ("def two():\n    return 1\n", "failed", "missing_name"),
        ("def one(x):\n    return 1\n", "failed", "wrong_signature"),
        ("def one():\n    return len()\n", "failed", "exception"),
        ("class one:\n    def __init__(self, x): ...\n", "failed", "wrong_signature"),
        ("import os\ndef one():\n    os._exit(0)\n", "failed", "exited"),
        ("import sys\nsys.exit(0)\n", "failed", "exited"),
        ("import os\nos._exit(70)\n", "failed", "exited"),
        ("import ctypes\ndef one():\n    ctypes.string_at(0)\n", "failed", "crashed"),
        ("import torch\ndef one():\n    return torch.empty(1 << 40)\n", "memory", "memory"),
        ("def one():\n    return bytearray(1 << 33)\n", "memory", "memory"),
        ("import os\nos.write(3, b'x' * 100)\n" + GOOD, "failed", "protocol"),
        ("\ufeff" + GOOD, "passed", ""),
        ("# -*- coding: latin-1 -*-\ndef one():\n    return len('é')\n", "passed", ""),
        ("def one():\n    переменная = 1\n    return переменная\n", "passed", ""),
        (GOOD.replace("\n", "\r\n"), "passed", ""),
        ("x = 1\0", "error", "bad_source"),
        ("x = '\ud800'", "error", "bad_source"),
        ("x = 1\n" * 100_000, "error", "too_large"),
        ("# " + "x" * (1 << 20) + "\n" + GOOD, "error", "too_large"),
        ("", "error", "bad_source"),
        ("import nowhere\n", "failed", "exception"),
        ("def one():\n    return input()\n", "failed", "reads_input"),
        ("name = input('name? ')\n" + GOOD, "failed", "reads_input"),
        ("def one():\n    while True: print('x' * 100)\n", "failed", "output_limit"),
        ("while True: print('x' * 100)\n", "failed", "output_limit"),
        ("def one():\n    return [0] * 500_000\n", "failed", "bad_result"),
        ("import torch\ndef one():\n    return torch.zeros(1 << 27)\n", "failed", "bad_result"),
        ("def one():\n    return 'x' * (1 << 24)\n", "failed", "bad_result"),
        ("def one():\n    return 10 ** 10_000\n", "failed", "bad_result"),
        ("def one():\n    x = []\n    for _ in range(200): x = [x]\n    return x\n", "failed", "bad_result"),
        ("def one():\n    while True: pass\n", "timeout", "wall_clock"),
        ("def one():\n    return one()\n", "failed", "exception"),
    ],
)  # fmt: skip
def test_each_end_has_its_reason(
    sandbox: TorchSandbox, make_exercise: Callable[..., Exercise], source: str, verdict: str, reason: str
) -> None:
    """The table of verdicts and stable reason codes; whatever is not a pass has a sentence, in three languages."""
    result = sandbox.check(make_exercise(ONE), source)
    assert (result.verdict, result.reason) == (verdict, reason), result
    assert bool(result.message) == (verdict != "passed")
    assert all(verdict == "passed" or labels(language).reason[reason] for language in LANGUAGES)
    assert result.backend == sandbox.describe()[0]
    assert result.layers == sandbox.describe()[1]


def test_a_run_shows_what_was_printed(sandbox: TorchSandbox) -> None:
    """The examples share the script's namespace."""
    result = sandbox.run("import torch\nx = torch.arange(3)\n", examples="print(x.shape, x.dtype)")
    assert (result.verdict, result.stdout) == ("passed", "torch.Size([3]) torch.int64\n")


def test_output_over_the_cap_is_cut_and_says_so(sandbox: TorchSandbox) -> None:
    """The beginning is kept; a cut is no failure."""
    result = sandbox.run("print('x' * 200_000)")
    assert result.verdict == "passed"
    assert result.stdout.endswith("[output cut here]\n")
    assert len(result.stdout) < 66_000


def test_runs_share_nothing(sandbox: TorchSandbox) -> None:
    """Modules, files and patches of one run are gone in the next."""
    sandbox.run("import torch, sys, os\ntorch.softmax = None\nsys.modules['x'] = sys\nopen('left', 'w').close()")
    result = sandbox.run(
        "import torch, sys, os\nprint(torch.softmax is None, 'x' in sys.modules, os.path.exists('left'))"
    )
    assert result.stdout == "False False False\n"


def test_two_threads_may_ask_at_once(sandbox: TorchSandbox, make_exercise: Callable[..., Exercise]) -> None:
    """Each gets the result of its own code."""
    verdicts: dict[int, str] = {}

    def ask(number: int) -> None:
        code = f"def one():\n    return {1 if number % 2 else 2}\n"
        verdicts[number] = sandbox.check(make_exercise(ONE), code).verdict

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == {n: "passed" if n % 2 else "failed" for n in range(6)}


def test_the_fork_server_outlives_the_thread_that_started_it() -> None:
    """A web server's worker threads come and go; the kernel's parent-death signal would follow them."""
    started: list[Zygote] = []
    thread = threading.Thread(target=lambda: started.append(Zygote("process", probe=True)))
    thread.start()
    thread.join()
    time.sleep(0.2)
    assert started[0].alive()
    started[0].close()


def test_a_dead_or_stopped_fork_server_is_replaced(sandbox: TorchSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGKILL is noticed at once, SIGSTOP when it does not answer; the caller notices neither."""
    monkeypatch.setattr("interviewer.sandbox.launch.ANSWER_SECONDS", 1.5)
    sandbox.warm()
    for number in (signal.SIGKILL, signal.SIGSTOP):
        assert sandbox.pid is not None
        processes = {sandbox.pid, *descendants(sandbox.pid)}
        for pid in processes:
            with contextlib.suppress(ProcessLookupError):  # the first process of a namespace takes the rest with it
                os.kill(pid, number)
        assert sandbox.run("print(1)").stdout == "1\n"
        assert eventually(lambda gone=processes: not gone & descendants(os.getpid()))


def test_nothing_is_left_after_many_runs(sandbox: TorchSandbox, make_exercise: Callable[..., Exercise]) -> None:
    """Processes, descriptors, mounts and folders are as many as before, killed runs included."""
    sandbox.check(make_exercise(ONE), GOOD)
    time.sleep(0.5)
    processes, fds = descendants(os.getpid()), names("/proc/self/fd")
    mounts, folders = Path("/proc/self/mounts").read_text(), names(tempfile.gettempdir())
    for source in [GOOD, "import os\nos._exit(1)", "import ctypes\nctypes.string_at(0)", "raise ValueError"] * 6:
        sandbox.check(make_exercise(ONE), source)
    assert eventually(lambda: descendants(os.getpid()) == processes)
    assert names("/proc/self/fd") == fds
    assert Path("/proc/self/mounts").read_text() == mounts
    assert not {name for name in names(tempfile.gettempdir()) - folders if name.startswith("viva-")}


@pytest.mark.parametrize("backend", BACKENDS)
def test_closing_ends_every_process(backend: str) -> None:
    """Guard, fork server and folder."""
    if probe(backend) is not None:
        pytest.skip(f"{backend} does not work here")
    before, folders = descendants(os.getpid()), names(tempfile.gettempdir())
    zygote = Zygote(backend, probe=True)
    assert descendants(os.getpid()) > before
    zygote.close()
    assert eventually(lambda: descendants(os.getpid()) == before)
    assert not {name for name in names(tempfile.gettempdir()) - folders if name.startswith("viva-")}


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGCONT])
def test_a_killed_parent_leaves_no_fork_server(number: int) -> None:
    """Not even one that somebody has stopped."""
    code = (
        "import time\nfrom interviewer.sandbox.launch import Zygote\nz = Zygote('process', probe=True)\n"
        "print('up', flush=True)\ntime.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"up\n"
        guard, *rest = sorted(descendants(parent.pid))
        for pid in rest:
            os.kill(pid, number)
        parent.kill()
    assert rest
    assert eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in (guard, *rest)))


def test_a_killed_parent_leaves_nothing() -> None:
    """SIGKILL gives it no chance to clean up: the kernel and the closed socket do."""
    code = (
        "import sys\nfrom interviewer.sandbox import TorchSandbox\ns = TorchSandbox()\ns.warm()\n"
        "print('warm', flush=True)\ns.run('import time\\ntime.sleep(60)')\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"warm\n"
        assert eventually(lambda: len(descendants(parent.pid)) >= 3)
        processes = descendants(parent.pid)
        parent.kill()
    assert eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in processes))


def test_a_weaker_backend_is_refused() -> None:
    """Asked for below the minimum, and unknown."""
    with pytest.raises(OperatorError, match="weaker than the minimum"):
        TorchSandbox(backend="process", minimum_isolation="landlock").describe()
    with pytest.raises(OperatorError, match="no sandbox backend 'none'"):
        TorchSandbox(backend="none").describe()


def test_there_is_no_silent_downgrade(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no wall can be had, the sandbox says so; `process` is never chosen for it."""
    monkeypatch.setattr(
        "interviewer.sandbox.launch._PROBED",
        {"namespaces": "refused", "bubblewrap": "absent", "docker": "none", "landlock": "too old"},
    )
    with pytest.raises(OperatorError, match="bubblewrap: absent; docker: none; landlock: too old") as caught:
        TorchSandbox().run("print(1)")
    assert caught.value.hint
    monkeypatch.setattr(
        "interviewer.sandbox.launch._PROBED",
        {"namespaces": "refused", "bubblewrap": "absent", "docker": "none", "landlock": None},
    )
    assert TorchSandbox().describe()[0] == "landlock"
    with pytest.raises(OperatorError):
        TorchSandbox(minimum_isolation="namespaces").describe()


def test_process_is_taken_where_it_was_named_as_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """One setting says so, after the stronger ones were tried."""
    monkeypatch.setattr(
        "interviewer.sandbox.launch._PROBED",
        {"namespaces": "no", "bubblewrap": "no", "docker": "no", "landlock": "no", "process": None},
    )
    assert TorchSandbox(minimum_isolation="process").describe()[0] == "process"


def test_a_profile_that_a_backend_cannot_bound_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forking without a pid namespace: a result, not an exception, and nothing has run."""
    monkeypatch.setattr("interviewer.sandbox.launch._PROBED", {"landlock": None})
    result = TorchSandbox(backend="landlock").run("print(1)", profile="workers")
    assert (result.verdict, result.reason, result.stdout) == ("refused", "profile", "")
