"""What a run may use."""

from __future__ import annotations

import subprocess
import sys

import pytest

from interviewer.sandbox.limits import MB, Limits


def test_a_profile_raises_limits_and_lowers_none() -> None:
    """A compiler needs room; whoever gave more keeps it."""
    assert Limits().for_profile("base") == Limits()
    wide = Limits(wall_seconds=500, file_size=1).for_profile("compile")
    assert wide.wall_seconds == 500
    assert wide.file_size == 512 * MB


@pytest.mark.parametrize(
    ("attempt", "error"),
    [
        ("bytearray(3 << 30)", "MemoryError"),
        ("[open('/dev/null') for _ in range(100)]", "Too many open files"),
        ("resource.setrlimit(resource.RLIMIT_AS, (-1, -1))", "not allowed to raise"),
    ],
)
def test_the_kernel_enforces_them(attempt: str, error: str) -> None:
    """Also against raising them again (root keeps that power until its capabilities are dropped)."""
    code = (
        "import resource\nfrom interviewer.sandbox.limits import Limits, apply_rlimits\n"
        "from interviewer.sandbox import capabilities\n"
        f"apply_rlimits(Limits(address_space=1 << 31), own_user=False)\ncapabilities.drop_all()\n{attempt}\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert error in done.stderr
