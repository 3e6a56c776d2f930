"""File rules, in a process of their own since they cannot be taken back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from interviewer.sandbox import landlock

pytestmark = pytest.mark.skipif(landlock.abi() < landlock.ALONE, reason="this kernel's Landlock is too old")

SETUP = """
import os, socket, sys, tempfile
from interviewer.sandbox import landlock, system
inside, outside = sys.argv[1:]
system.prctl(system.PR_SET_NO_NEW_PRIVS, 1)
"""


def attempt(code: str, tmp_path: Path) -> str:
    """The last line of stderr of `code` under rules that allow only `inside`; "" when it succeeds."""
    for name in ("inside", "outside"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    rules = "landlock.restrict([(inside, landlock.ALL)])\n"
    arguments = [sys.executable, "-c", SETUP + rules + code, str(tmp_path / "inside"), str(tmp_path / "outside")]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    return done.stderr.splitlines()[-1] if done.returncode else ""


@pytest.mark.parametrize(
    "code",
    [
        "assert open(inside + '/file').read() == 'inside'",
        "open(inside + '/new', 'w').close(); os.remove(inside + '/new')",
        "os.kill(os.getpid(), 0)",
    ],
)
def test_what_is_allowed_works(tmp_path: Path, code: str) -> None:
    """Everything beneath the given folder, and the process itself."""
    assert attempt(code, tmp_path) == ""


@pytest.mark.parametrize(
    "code",
    [
        "open(outside + '/file')",
        "open(outside + '/new', 'w')",
        "os.listdir(outside)",
        "os.remove(outside + '/file')",
        "os.truncate(outside + '/file', 0)",
        "os.symlink(outside + '/file', inside + '/link'); open(inside + '/link')",
        "os.link(outside + '/file', inside + '/link')",
        "os.kill(os.getppid(), 0)",
        "s = socket.socket(); s.settimeout(1); s.connect(('127.0.0.1', 9))",
        "s = socket.socket(); s.bind(('127.0.0.1', 0))",
    ],
)
def test_what_is_not_allowed_fails(tmp_path: Path, code: str) -> None:
    """By permission, not by absence."""
    assert attempt(code, tmp_path).startswith(("PermissionError", "OSError: [Errno 18]"))


def test_an_old_kernel_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is half restricted."""
    monkeypatch.setattr(landlock, "abi", lambda: 2)
    with pytest.raises(OSError, match="ABI 2"):
        landlock.restrict([])
    with pytest.raises(OSError, match="ABI 2"):
        landlock.isolate()
