"""The database behind sessions: other processes, crashes, damage. What every store promises is in contracts/."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from interviewer.adapters.sql_store import SqlStore
from interviewer.errors import OperatorError
from interviewer.events import Answered, Paused

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def run(script: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def damage(file: Path, statement: str) -> None:
    connection = sqlite3.connect(file)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_events_outlive_the_store(tmp_path: Path) -> None:
    """A second start on the same file finds what the first one recorded."""
    first = SqlStore(f"sqlite:///{tmp_path}/viva.db")
    recorded = first.append("s", 0, [Paused()], NOW)
    first.close()
    assert SqlStore(f"sqlite:///{tmp_path}/viva.db").load("s") == recorded


def test_folder_and_file_belong_to_their_owner_only(tmp_path: Path) -> None:
    SqlStore(f"sqlite:///{tmp_path}/sessions/viva.db")
    assert stat.S_IMODE((tmp_path / "sessions").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "sessions" / "viva.db").stat().st_mode) == 0o600


def test_a_killed_process_loses_nothing_that_was_recorded(tmp_path: Path) -> None:
    """Every append that returned before kill -9 is there after it."""
    script = (
        "import sys; from datetime import datetime, UTC\n"
        "from interviewer.adapters.sql_store import SqlStore; from interviewer.events import Paused\n"
        "store = SqlStore(sys.argv[1])\n"
        "for seq in range(10**6):\n"
        "    store.append('s', seq, [Paused()], datetime.now(UTC)); print(seq, flush=True)\n"
    )
    url = f"sqlite:///{tmp_path}/viva.db"
    writer = run(script, url)
    assert writer.stdout is not None
    for line in writer.stdout:
        if int(line) >= 30:
            break
    writer.send_signal(signal.SIGKILL)
    reported = [30, *(int(line) for line in writer.stdout.read().split("\n")[:-1])]
    writer.wait()
    writer.stdout.close()
    assert len(SqlStore(url).load("s")) >= reported[-1] + 1


def test_processes_that_start_and_write_together_lose_no_event(tmp_path: Path) -> None:
    """Four processes create the same new file at once and race for every place; each place is won by exactly one."""
    script = (
        "import sys; from datetime import datetime, UTC\n"
        "from interviewer.adapters.sql_store import SqlStore; from interviewer.events import Answered\n"
        "from interviewer.ports import SeqTaken\n"
        "store, won = SqlStore(sys.argv[1]), 0\n"
        "while won < 25:\n"
        "    seq = len(store.load('s'))\n"
        "    try: store.append('s', seq, [Answered(question='q', text=sys.argv[2])], datetime.now(UTC)); won += 1\n"
        "    except SeqTaken: pass\n"
    )
    url = f"sqlite:///{tmp_path}/viva.db"
    writers = [run(script, url, number) for number in range(4)]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0, 0]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.close()
    texts = [r.event.text for r in SqlStore(url).load("s") if isinstance(r.event, Answered)]
    assert sorted(texts) == sorted(str(number) for number in range(4) for _ in range(25))


def test_a_row_from_a_newer_viva_is_named(tmp_path: Path) -> None:
    """The operator learns which session and event, and other sessions stay readable."""
    store = SqlStore(f"sqlite:///{tmp_path}/viva.db")
    store.append("s", 0, [Paused()], NOW)
    store.append("other", 0, [Paused()], NOW)
    damage(tmp_path / "viva.db", """UPDATE events SET body = '{"type": "sang"}' WHERE session_id = 's'""")
    with pytest.raises(OperatorError, match="session s, event 0 cannot be read") as caught:
        store.load("s")
    assert "newer Viva" in caught.value.hint
    assert len(store.load("other")) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = 'garbage' WHERE seq = 0",
        "UPDATE events SET at = 'yesterday' WHERE seq = 0",
        "DELETE FROM events WHERE seq = 0",
    ],
)
def test_damaged_rows_are_an_operator_error(tmp_path: Path, statement: str) -> None:
    """Never half a session: a broken or missing row is an error, not a shorter log."""
    store = SqlStore(f"sqlite:///{tmp_path}/viva.db")
    store.append("s", 0, [Paused(), Paused()], NOW)
    damage(tmp_path / "viva.db", statement)
    with pytest.raises(OperatorError):
        store.load("s")


def test_a_file_that_is_no_database_is_an_operator_error(tmp_path: Path) -> None:
    (tmp_path / "viva.db").write_text("poems, " * 1000)
    with pytest.raises(OperatorError, match="not a database"):
        SqlStore(f"sqlite:///{tmp_path}/viva.db")


def test_a_folder_that_cannot_be_made_is_an_operator_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OperatorError, match="cannot open"):
        SqlStore(f"sqlite:///{tmp_path}/file/viva.db")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "not one SQLAlchemy knows"),
        ("teapot:///x", "not one SQLAlchemy knows"),
        ("sqlite://", "in memory"),
        ("sqlite:///:memory:", "in memory"),
    ],
)
def test_an_address_that_cannot_work_is_an_operator_error(url: str, said: str) -> None:
    with pytest.raises(OperatorError, match=said):
        SqlStore(url)


def test_a_password_never_shows(tmp_path: Path) -> None:
    """Neither a missing driver nor an unreachable server prints the address with its password."""
    with pytest.raises(OperatorError) as caught:
        SqlStore("postgresql+psycopg://viva:secret@127.0.0.1:1/viva")
    assert "secret" not in str(caught.value)


@pytest.mark.skipif("VIVA_TEST_DATABASE" not in os.environ, reason="needs the URL of a PostgreSQL to write to")
def test_postgresql_keeps_the_same_promises() -> None:
    """Run with VIVA_TEST_DATABASE=postgresql+psycopg://..."""
    store = SqlStore(os.environ["VIVA_TEST_DATABASE"])
    session_id = f"test-{os.getpid()}-{datetime.now(UTC).timestamp()}"
    recorded = store.append(session_id, 0, [Answered(question="q", text="nul \0, 梯度, \ud800")], NOW)
    assert store.load(session_id) == recorded
