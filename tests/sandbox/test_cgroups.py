"""Control groups: where they are looked for, what they bound, and that none is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.sandbox import Limits, TorchSandbox, cgroups
from interviewer.sandbox.cgroups import Place
from interviewer.sandbox.confine import BACKENDS
from interviewer.sandbox.launch import probe

needs_groups = pytest.mark.skipif(cgroups.find() is None, reason="no control group is delegated here")


def groups(pid: int) -> list[Path]:
    """All that the sandboxes of a process have now."""
    place = cgroups.find()
    return [path for folder in place.folders for path in Path(folder).glob(f"viva-{pid}-*")] if place else []


OWN = tuple(backend for backend in BACKENDS if backend != "docker")
"""Backends whose groups are ours; a container's are the engine's."""


@pytest.fixture(scope="module", params=OWN)
def small(request: pytest.FixtureRequest) -> Iterator[TorchSandbox]:
    """A sandbox whose runs may occupy 400 MB."""
    if probe(request.param) is not None:
        pytest.skip(f"{request.param} does not work here")
    with TorchSandbox(Limits(memory=400 << 20, wall_seconds=20.0), backend=request.param) as sandbox:
        yield sandbox


UNIFIED = "0::/user.slice/user-1000.slice/app.slice/viva.scope\n"
SPLIT = "5:cpu,cpuacct:/job\n4:memory:/job\n3:pids:/\n1:name=systemd:/\n0::/\n"


@pytest.mark.parametrize(
    ("own", "mounts", "places"),
    [
        (
            UNIFIED,
            "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n",
            [
                Place(2, ("/sys/fs/cgroup/user.slice/user-1000.slice/app.slice/viva.scope",)),
                Place(2, ("/sys/fs/cgroup/user.slice/user-1000.slice/app.slice",)),
            ],
        ),
        (
            SPLIT,
            "cgroup /cg/memory cgroup rw,memory 0 0\ncgroup /cg/pids cgroup rw,pids 0 0\n"
            "cgroup2 /cg/unified cgroup2 rw 0 0\n",
            [Place(2, ("/cg/unified",)), Place(1, ("/cg/memory/job", "/cg/pids"))],
        ),
        ("3:pids:/\n", "cgroup /cg/pids cgroup rw,pids 0 0\n", []),
        ("", "tmpfs / tmpfs rw 0 0\n", []),
    ],
)
def test_groups_are_looked_for_where_this_process_is(own: str, mounts: str, places: list[Place]) -> None:
    """Version 2 in its own group and the one above; version 1 by kind; none without memory."""
    assert list(cgroups.candidates(own, mounts)) == places


def test_a_folder_without_the_memory_setting_makes_no_group(tmp_path: Path) -> None:
    """Nothing is half bounded, and nothing is left."""
    with pytest.raises(FileNotFoundError, match=r"memory\.max"):
        cgroups.Group(Place(2, (str(tmp_path),)), "viva-x", Limits())
    assert not list(tmp_path.iterdir())


@needs_groups
def test_memory_that_is_used_is_bounded(small: TorchSandbox) -> None:
    """Below the address space it may reserve: the kernel ends it, the reason says memory, the next run is well."""
    result = small.run(
        "import torch\nkeep = []\nwhile True: keep.append(torch.ones(1 << 22)); print(len(keep), flush=True)"
    )
    assert (result.verdict, result.reason) == ("memory", "memory")
    assert 5 < int(result.stdout.split()[-1]) < 40
    assert small.run("print(1)").stdout == "1\n"


@needs_groups
def test_the_layer_is_named_and_no_group_outlives_its_run(small: TorchSandbox) -> None:
    """Also of runs that are killed."""
    assert "cgroup" in small.describe()[1][-1]
    for source in ("print(1)", "import os\nos._exit(1)", "import ctypes\nctypes.string_at(0)"):
        small.run(source)
        assert not groups(os.getpid())


def test_without_groups_the_layer_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is optional: nothing refuses to run."""
    monkeypatch.setattr(cgroups, "find", lambda: None)
    assert not [layer for layer in TorchSandbox().describe()[1] if "cgroup" in layer]


@needs_groups
@pytest.mark.parametrize("backend", OWN)
def test_a_killed_parent_leaves_no_group(backend: str) -> None:
    """The guard has the folders open and removes what the runs were in."""
    if probe(backend) is not None:
        pytest.skip(f"{backend} does not work here")
    code = (
        f"from interviewer.sandbox import TorchSandbox\ns = TorchSandbox(backend={backend!r})\ns.warm()\n"
        "print('warm', flush=True)\ns.run('import time\\ntime.sleep(60)')\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"warm\n"
        ends = time.monotonic() + 10
        while not groups(parent.pid) and time.monotonic() < ends:
            time.sleep(0.02)
        assert groups(parent.pid)
        parent.send_signal(signal.SIGKILL)
    while groups(parent.pid) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not groups(parent.pid)
