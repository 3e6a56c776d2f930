"""What the new root is made of."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import interviewer
from interviewer.sandbox import namespaces


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
