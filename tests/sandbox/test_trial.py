"""The author's command: says what agrees with exercise.yaml and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.errors import AuthorError
from interviewer.sandbox import TorchSandbox
from interviewer.sandbox.trial import trial

FILES = {
    "reference.py": "def one():\n    return 1\n",
    "starter.py": "def one():\n    raise NotImplementedError\n",
    "checks.py": "def check_number(sut):\n    assert sut.one() > 0\ndef check_value(sut):\n    assert sut.one() == 1\n",
    "examples.py": "print('one is', one())\n",
    "wrong/two.py": "def one():\n    return 2\n",
    "wrong/minus.py": "def one():\n    return -1\n",
    "exercise.yaml": "wrong:\n  two.py: {killed_by: check_value}\n  minus.py: {killed_by: check_number}\n",
}


def write(tmp_path: Path, **changes: str) -> Path:
    """A sound exercise with these files changed."""
    folder = tmp_path / "exercise"
    for name, text in {
        **FILES,
        **{key.replace("__", "/").replace("_py", ".py"): v for key, v in changes.items()},
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_sound_exercise(sandbox: TorchSandbox, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The reference passes, each wrong solution fails first where it should, the examples print."""
    assert trial(write(tmp_path), sandbox)
    printed = capsys.readouterr().out
    assert "wrong/two.py: ok: fails check_value" in printed
    assert "| one is 1" in printed


def test_a_wrong_solution_that_passes(
    sandbox: TorchSandbox, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Named, and the trial fails."""
    assert not trial(write(tmp_path, wrong__two_py=FILES["reference.py"]), sandbox)
    assert "wrong/two.py: WRONG: fails NOTHING" in capsys.readouterr().out


def test_a_mistake_killed_by_another_check(sandbox: TorchSandbox, tmp_path: Path) -> None:
    """The first check that fails must be the declared one."""
    assert not trial(write(tmp_path, wrong__two_py=FILES["wrong/minus.py"]), sandbox)


def test_a_folder_without_checks(sandbox: TorchSandbox, tmp_path: Path) -> None:
    """The author is told which file is missing."""
    (tmp_path / "reference.py").write_text("x = 1\n")
    with pytest.raises(AuthorError, match=r"checks\.py"):
        trial(tmp_path, sandbox)
