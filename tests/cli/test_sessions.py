"""viva sessions, viva export: what was recorded can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.adapters.sql_store import SqlStore
from interviewer.events import Answered, Asked, Paused, Resumed, Settings, Started
from tests.builders import NOON
from tests.cli.conftest import Viva


@pytest.fixture
def recorded(viva: Viva, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Viva:
    """The command line on a database with one paused session."""
    url = f"sqlite:///{tmp_path}/viva.db"
    store = SqlStore(url)
    started = Started(settings=Settings(language="ru"), plan=("zero-grad", "dropout"), bank_hash="h", version="0")
    asked = Asked(question="zero-grad", text="Зачем?")
    store.append("one", 0, [started, asked], NOON)
    store.append("two", 0, [started, asked, Paused()], NOON.replace(hour=13))
    store.append("one", 2, [Answered(question="zero-grad", text="<b>так</b>")], NOON)
    store.close()
    monkeypatch.setenv("VIVA_DATABASE", url)
    return viva


def test_sessions_are_listed_newest_first(recorded: Viva) -> None:
    """With what can be said about each."""
    assert recorded("sessions", "--json").json["sessions"] == [
        {
            "session_id": "two",
            "started": "2026-01-02T13:00:00+00:00",
            "language": "ru",
            "phase": "paused",
            "questions": 1,
            "of": 2,
            "score": None,
            "coverage": 0.0,
        },
        {
            "session_id": "one",
            "started": "2026-01-02T12:00:00+00:00",
            "language": "ru",
            "phase": "judging",
            "questions": 1,
            "of": 2,
            "score": None,
            "coverage": 0.0,
        },
    ]


def test_people_get_a_table(recorded: Viva) -> None:
    """With a dash where nothing was scored."""
    out = recorded("sessions").out
    assert "two" in out
    assert " - " in out


def test_the_list_can_be_cut(recorded: Viva) -> None:
    """To the newest."""
    assert len(recorded("sessions", "--json", "--limit", 1).json["sessions"]) == 1


def test_an_unfinished_session_can_be_exported(recorded: Viva) -> None:
    """As it stands, in its language, to a file."""
    out = recorded("export", "one").out
    assert "# Отчёт" in out
    assert "&lt;b&gt;так&lt;/b&gt;" in out
    data = recorded("export", "one", "--format", "json").json
    assert (data["score"], data["finished"]) == (None, False)


def test_a_report_can_be_written_to_a_file(recorded: Viva, tmp_path: Path) -> None:
    """Then stdout stays empty."""
    path = tmp_path / "report.html"
    ran = recorded("export", "one", "--format", "html", "--out", path)
    assert (ran.code, ran.out) == (0, "")
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nobody",), "no session 'nobody'"),
        (("one", "--format", "pdf"), "--format: no format 'pdf'"),
        (("one", "--out", "/dev/null/report.md"), "--out: cannot write '/dev/null/report.md'"),
    ],
)
def test_bad_arguments_exit_2(recorded: Viva, arguments: tuple[str, ...], message: str) -> None:
    """With a hint."""
    ran = recorded("export", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "hint:" in ran.err


def test_an_empty_store_has_no_sessions(viva: Viva, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not an error."""
    monkeypatch.setenv("VIVA_DATABASE", f"sqlite:///{tmp_path}/new.db")
    ran = viva("sessions", "--json")
    assert (ran.code, ran.json) == (0, {"sessions": []})


def test_a_session_that_cannot_be_read_does_not_hide_the_others(recorded: Viva, tmp_path: Path) -> None:
    """It is named on stderr."""
    SqlStore(f"sqlite:///{tmp_path}/viva.db").append("broken", 0, [Resumed()], NOON)
    ran = recorded("sessions", "--json")
    assert ran.code == 0
    assert [row["session_id"] for row in ran.json["sessions"]] == ["two", "one"]
    assert "event 0 'resumed' is not legal" in ran.err
