"""Modules that outlive their files."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from interviewer.sandbox import bundle


def test_a_remembered_module_needs_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read once, imported later from memory."""
    (tmp_path / "kept.py").write_text("VALUE = 7\n")
    monkeypatch.setattr(bundle, "__file__", str(tmp_path / "bundle.py"))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    bundle.remember(["kept"])
    (tmp_path / "kept.py").unlink()
    module = importlib.import_module("interviewer.sandbox.kept")
    monkeypatch.delitem(sys.modules, "interviewer.sandbox.kept")
    assert module.VALUE == 7
