"""What the new root is made of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import interviewer
from interviewer.sandbox import TorchSandbox, namespaces


def test_python_is_bound_and_the_project_is_not() -> None:
    """The packages' folders are in; a checkout, which holds hidden checks, is not, whoever put it on the path."""
    folders = namespaces.python_folders()
    checkout = Path(interviewer.__path__[0]).parent
    assert str(checkout) not in folders
    covered = (*namespaces.SYSTEM_FOLDERS, *folders)
    assert any(Path(sys.prefix).is_relative_to(folder) for folder in covered)


def test_no_folder_is_bound_twice() -> None:
    """None lies within another."""
    folders = [Path(folder) for folder in namespaces.python_folders()]
    assert not [(a, b) for a in folders for b in folders if a != b and a.is_relative_to(b)]


def test_what_is_installed_of_the_project_is_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every folder of packages, by name: an installed copy carries the corpus with it."""
    monkeypatch.setattr(sys, "path", ["/somewhere/site-packages"])
    masked = namespaces.own_code()
    assert "/somewhere/site-packages/interviewer" in masked
    assert str(Path(interviewer.__path__[0])) in masked


def test_an_environment_below_tmp_still_has_its_packages(tmp_path: Path, sandbox: TorchSandbox) -> None:
    """The sandbox's own /tmp does not hide a Python that lives there: a clone in /tmp runs code like any other."""
    if sandbox.describe()[0] != "namespaces":
        pytest.skip("no namespaces here")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    site = next((tmp_path / "env" / "lib").glob("python*/site-packages"))
    root = Path(__file__).parents[2]
    paths = [p for p in sys.path if p.endswith("site-packages")]
    (site / "borrowed.pth").write_text("\n".join([*paths, str(root)]))
    (site / "only_here.py").write_text("VALUE = 7\n")
    script = (
        "from interviewer.sandbox import TorchSandbox\n"
        "with TorchSandbox(backend='namespaces') as sandbox:\n"
        "    result = sandbox.run('import torch, only_here; print(only_here.VALUE, torch.ones(1).item())')\n"
        "    print(result.verdict, result.stdout.strip() or result.message)\n"
    )
    done = subprocess.run([python, "-c", script], capture_output=True, text=True, timeout=90, check=False)
    assert done.stdout == "passed 7 1.0\n", done.stderr
