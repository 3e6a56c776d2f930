"""What bwrap is told, and what runs inside it find."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import interviewer
from interviewer.sandbox import Limits, TorchSandbox, bubblewrap, launch, namespaces

PACKAGE = Path(bubblewrap.__file__).parent


@pytest.fixture(scope="module")
def inside() -> Iterator[TorchSandbox]:
    fault = launch.probe("bubblewrap")
    if fault is not None:
        pytest.skip(f"bubblewrap does not work here: {fault}")
    with TorchSandbox(Limits(wall_seconds=20.0, call_seconds=10.0), backend="bubblewrap") as sandbox:
        yield sandbox


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(bubblewrap, "PROGRAM", sys.executable)
    return bubblewrap.command(["python", "-I"], {"LANG": "C"}, PACKAGE)


def after(command: list[str], option: str) -> list[str]:
    """What follows each `option`."""
    return [command[n + 1] for n, word in enumerate(command) if word == option]


def test_every_namespace_is_its_own_and_no_power_is_left(command: list[str]) -> None:
    """And the environment is exactly what is given."""
    kinds = {word.removeprefix("--unshare-") for word in command if word.startswith("--unshare-")}
    assert kinds == {"user", "pid", "net", "ipc", "uts", "cgroup-try"}
    assert after(command, "--cap-drop") == ["ALL"]
    assert "--clearenv" in command
    assert after(command, "--setenv") == ["LANG"]
    assert command[-3:] == ["--", "python", "-I"]


def test_only_libraries_are_bound_and_nothing_to_write(command: list[str]) -> None:
    """No home, no checkout: its own package alone, in a place that no rule opens to a child."""
    assert "--bind" not in command
    bound = {*after(command, "--ro-bind"), *after(command, "--ro-bind-try")}
    assert str(Path(interviewer.__path__[0]).parent) not in bound
    assert bound <= {
        *namespaces.SYSTEM_FOLDERS,
        *namespaces.ETC_FILES,
        *bubblewrap.python_folders(),
        "/sys/devices/system/cpu",
        str(PACKAGE),
    }
    assert not [path for path, _ in bubblewrap.rules("/tmp/runs/1") if path in ("/", bubblewrap.CODE)]


def test_its_life_is_not_tied_to_the_thread_that_starts_it(command: list[str]) -> None:
    """--die-with-parent follows a thread; the guard follows the process."""
    assert "--die-with-parent" not in command


def test_what_else_is_on_the_path_stays_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script's folder is no folder of packages."""
    monkeypatch.setattr(sys, "path", ["/srv/scripts", "/srv/lib/site-packages"])
    folders = bubblewrap.python_folders()
    assert "/srv/scripts" not in folders
    assert "/srv/lib/site-packages" in folders


def test_a_machine_without_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the fault of the probe."""
    monkeypatch.setattr(bubblewrap, "PROGRAM", "/nowhere/bwrap")
    monkeypatch.setattr(launch, "_PROBED", {})
    assert launch.probe("bubblewrap") == "there is no /nowhere/bwrap"


def test_a_run_has_a_scratch_folder_that_goes_with_it(inside: TorchSandbox) -> None:
    """Where it starts, and where tempfile writes."""
    write = "import os, tempfile\nopen('left', 'w').close()\nprint(tempfile.gettempdir() == os.getcwd())"
    assert inside.run(write).stdout == "True\n"
    assert inside.run("import os\nprint(os.listdir('.'))").stdout == "[]\n"


def test_runs_do_not_see_each_other(inside: TorchSandbox) -> None:
    """Neither folders nor processes."""
    look = "import os\nfor path in ('/tmp', '/tmp/runs', '/proc'):\n    try: print(os.listdir(path))\n"
    assert inside.run(look + "    except PermissionError: print('no')").stdout == "no\nno\nno\n"
