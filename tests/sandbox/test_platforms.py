"""Systems that the sandbox has no walls for: it can be imported there, and says so."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from interviewer.errors import OperatorError
from interviewer.sandbox import TorchSandbox

WINDOWS = """
import asyncio, ctypes, logging, mmap, multiprocessing, select, signal, socket, subprocess, tempfile, sys, sysconfig
import interviewer.domain, interviewer.errors

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "resource", "pwd", "grp", "termios"):
            raise ModuleNotFoundError(name)

for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Absent())
sys.platform = "win32"
real = ctypes.CDLL
ctypes.CDLL = lambda name, **options: real(name or 0 / 0, **options)
from interviewer.sandbox import Limits, TorchSandbox
import interviewer.sandbox.self_check
try:
    TorchSandbox(Limits()).describe()
except interviewer.errors.OperatorError as error:
    print(error)
"""


def test_it_can_be_imported_on_windows() -> None:
    """Where Python has no resource and no fcntl; what is missing is said when a run is asked for."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", WINDOWS], capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "does not run on Windows" in done.stdout
    assert "WSL2" in done.stdout


@pytest.mark.parametrize(
    ("platform", "said", "hint"),
    [
        ("darwin", "neither namespaces nor Landlock", "Linux container"),
        ("win32", "hide no file", "WSL2"),
        ("freebsd14", "does not run on freebsd14", "--no-code"),
    ],
)
def test_each_system_has_an_honest_sentence(
    monkeypatch: pytest.MonkeyPatch, platform: str, said: str, hint: str
) -> None:
    """Not even the weakest backend is offered: it is built of Linux calls too."""
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(OperatorError, match=said) as caught:
        TorchSandbox(backend="process").describe()
    assert hint in caught.value.hint
