"""viva doctor, and what every command shares."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from interviewer.cli import as_language, as_level, as_list
from interviewer.cli.machine import LOOKS
from interviewer.errors import UsageError
from interviewer.sandbox.self_check import Row
from tests.cli.conftest import Viva


@pytest.mark.slow
def test_the_doctor_looks_at_everything(listening: Viva) -> None:
    """Name, whether it is needed, whether it works, details; exit 1 only when something needed does not."""
    ran = listening("doctor", "--json")
    rows = {row["name"]: row for row in ran.json["checks"]}
    assert set(ran.json) >= {"viva", "python", "system", "checks"}
    assert list(rows) == [name for name, _, _ in LOOKS]
    assert all(rows[name]["ok"] for name in ("content", "store", "embeddings", "index"))
    assert (rows["model"]["ok"], rows["model"]["needed"]) == (False, False)
    assert ran.code == int(any(row["needed"] and not row["ok"] for row in rows.values()))


@pytest.mark.slow
def test_the_doctor_finds_what_is_broken(viva: Viva, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 1, and the rest is looked at all the same."""
    monkeypatch.setenv("VIVA_CORPUS", str(tmp_path))
    (tmp_path / "file").touch()
    monkeypatch.setenv("VIVA_DATABASE", f"sqlite:///{tmp_path}/file/viva.db")
    monkeypatch.setenv("VIVA_BACKEND", "process")  # weaker than the minimum
    ran = viva("doctor")
    assert ran.code == 1
    assert "FAIL content" in ran.out
    assert "FAIL store" in ran.out
    assert "ok   embeddings" in ran.out


def test_wrong_settings_exit_2(viva: Viva, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable and the value."""
    monkeypatch.setenv("VIVA_PORT", "many")
    ran = viva("doctor")
    assert ran.code == 2
    assert "VIVA_PORT: " in ran.err
    assert "'many'" in ran.err


@pytest.mark.parametrize("command", [(), ("dance",), ("bank", "dance"), ("sandbox",), ("export",)])
def test_an_incomplete_command_exits_2(viva: Viva, command: tuple[str, ...]) -> None:
    """With its usage."""
    ran = viva(*command)
    assert ran.code == 2
    assert "Usage" in ran.out + ran.err


def test_help_names_the_commands(viva: Viva) -> None:
    """Each with a line."""
    ran = viva("--help")
    assert ran.code == 0
    assert all(name in ran.out for name in ("chat", "bank", "sandbox", "export", "sessions", "doctor", "serve"))


def test_the_package_can_be_run() -> None:
    """`python -m interviewer` is `viva`; a usage error goes to stderr with exit status 2."""
    ran = subprocess.run(
        [sys.executable, "-m", "interviewer", "chat", "--lang", "de"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "viva: --lang: no language 'de'\nhint: languages are en, ru, zh\n"


def test_a_language_may_be_written_large() -> None:
    """Anything else is named in the error, cut."""
    assert as_language("RU") == "ru"
    with pytest.raises(UsageError) as caught:
        as_language("x" * 1000)
    assert len(caught.value.what) < 60


def test_a_level_may_be_left_open() -> None:
    """Empty takes all."""
    assert (as_level(""), as_level("Senior")) == (None, "senior")


def test_lists_are_comma_separated() -> None:
    """Blanks and empty parts do not matter."""
    assert as_list(" a, b ,,c,") == ("a", "b", "c")
    assert as_list("") == ()


def _promising(monkeypatch: pytest.MonkeyPatch, *rows: Row) -> None:
    monkeypatch.setattr("interviewer.sandbox.self_check.self_check", lambda sandbox: list(rows))
    monkeypatch.setattr("interviewer.sandbox.TorchSandbox.describe", lambda self: ("landlock", ("rlimits",)))
    monkeypatch.setattr(
        "interviewer.sandbox.TorchSandbox.survey", lambda self: {"docker": "no engine answers", "landlock": None}
    )


def test_the_doctor_shows_the_sandboxs_promises(viva: Viva, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table for people; what a backend does not promise is no fault."""
    _promising(monkeypatch, Row("no network", True, "refused"), Row("no file", None, "not promised"))
    ran = viva("doctor", "--sandbox")
    assert ran.code == 0
    assert "landlock: rlimits" in ran.out
    assert "ok   no network" in ran.out
    assert "-    no file" in ran.out
    assert re.search(r"off  docker +no engine answers", ran.out)
    assert re.search(r"ok   landlock +in use", ran.out)


def test_a_broken_promise_exits_1(viva: Viva, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --json the rows as they are."""
    _promising(monkeypatch, Row("no network", False, "it was possible"))
    ran = viva("doctor", "--sandbox", "--json")
    assert ran.code == 1
    assert ran.json == {
        "backend": "landlock",
        "layers": ["rlimits"],
        "promises": [{"promise": "no network", "holds": False, "detail": "it was possible"}],
        "backends": {"docker": "no engine answers", "landlock": None},
    }
