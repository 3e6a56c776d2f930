"""The same attacks on a sandbox that an ordinary user runs: these tests, started again as `nobody`.

Root can do without user namespaces and gives each run a user id of its own; a user can do neither. The interpreter is a
fresh environment of the system's Python, because root's own may lie where nobody else can read.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import interviewer

NOBODY = "65534"
ROOT = Path(interviewer.__path__[0]).parent
PYTHON = f"/usr/bin/python3.{sys.version_info.minor}"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(os.geteuid() != 0, reason="these tests are run by an ordinary user as it is"),
    pytest.mark.skipif(
        not (shutil.which("setpriv") and Path(PYTHON).exists()), reason=f"there is no setpriv or no {PYTHON}"
    ),
]


@pytest.fixture(scope="module")
def python() -> Iterator[str]:
    """An interpreter that nobody may run, with the packages of this one."""
    with tempfile.TemporaryDirectory(prefix="viva-user-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", folder], check=True)
        packages = next(Path(folder).glob("lib/python3*/site-packages"))
        (packages / "shared.pth").write_text(sysconfig.get_path("purelib"))
        yield f"{folder}/bin/python"


def as_nobody(python: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    user = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": "/var/tmp", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [*user, python, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("file", ["test_escape.py", "test_fake_pass.py", "test_resources.py"])
def test_attacks_fail_against_a_users_sandbox_too(python: str, file: str) -> None:
    """No test fails; those of backends that a user cannot have here are skipped."""
    can = as_nobody(python, "-c", "import torch, pytest")
    if can.returncode:
        pytest.skip(f"nobody cannot import torch here: {can.stderr[-200:]}")
    options = ("-q", "-p", "no:cacheprovider", "-o", "addopts=", "--no-header")
    done = as_nobody(python, "-m", "pytest", *options, f"tests/attacks/{file}")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert " passed" in done.stdout
