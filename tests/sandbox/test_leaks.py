"""What hundreds of runs leave behind on the machine: nothing, even when the parent is killed in the middle of one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from interviewer.sandbox.confine import BACKENDS
from interviewer.sandbox.launch import probe
from tests.sandbox.test_cgroups import groups
from tests.sandbox.test_runner import descendants, eventually

PROGRAM = """
import json, os, pathlib, sys, time
from interviewer.sandbox import Limits, TorchSandbox
runs, backend = int(sys.argv[1]), sys.argv[2]
sandbox = TorchSandbox(Limits(call_seconds=0.2, wall_seconds=10.0), backend=backend)
ENDS = (
    ("print(1)", ""), ("raise ValueError", "exception"), ("import os\\nos._exit(1)", "exited"),
    ("open('left', 'w').close()" if backend != "landlock" else "pass", ""), ("while True: pass", "wall_clock"),
)
def fds():
    return sorted(os.listdir("/proc/self/fd"))
sandbox.run("print(1)")
time.sleep(0.3)
before = fds()
for number in range(runs):
    source, reason = ENDS[number % 5]
    result = sandbox.run(source)
    assert result.reason == reason, result
ends = time.monotonic() + 5
while fds() != before and time.monotonic() < ends:
    time.sleep(0.05)
print(json.dumps({"before": before, "after": fds()}), flush=True)
sandbox.run("import time\\ntime.sleep(60)")
sandbox.limits = Limits()
print("running", flush=True)
sandbox.run("import time\\ntime.sleep(60)")
"""


def leave(backend: str, runs: int, folder: Path) -> None:
    """Do `runs`, a fifth of which are killed, then SIGKILL the parent during one more: all is as before."""
    if probe(backend) is not None:
        pytest.skip(f"{backend} does not work here")
    mounts = Path("/proc/self/mounts").read_text()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(folder)}
    arguments = [sys.executable, "-c", PROGRAM, str(runs), backend]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        fds = json.loads(parent.stdout.readline() or '{"before": 0, "after": 1}')
        assert parent.stdout.readline() == "running\n"
        time.sleep(0.3)
        processes = descendants(parent.pid)
        parent.kill()
    assert fds["before"] == fds["after"]
    assert len(processes) <= 8  # guards, fork server, two children: earlier runs' are gone, or they would be below it
    assert eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in processes))
    assert eventually(lambda: not groups(parent.pid))
    assert eventually(lambda: not list(folder.iterdir()))
    assert Path("/proc/self/mounts").read_text() == mounts


@pytest.mark.parametrize("backend", BACKENDS)
def test_some_runs_and_a_killed_parent_leave_nothing(backend: str, tmp_path: Path) -> None:
    """On every backend: no process, descriptor, mount, control group or folder."""
    leave(backend, 20, tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("backend", BACKENDS)
def test_five_hundred_runs_and_a_killed_parent_leave_nothing(backend: str, tmp_path: Path) -> None:
    """A hundred of them killed."""
    leave(backend, 500, tmp_path)
