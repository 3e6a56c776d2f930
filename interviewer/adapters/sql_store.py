"""Sessions in a SQL database: one append-only table of events. SQLite in a file, or PostgreSQL by URL.

SQLite runs in WAL mode with synchronous=FULL: what `append` returned survives a killed process and a power cut. Writers
open with BEGIN IMMEDIATE; a deferred BEGIN fails at once when two writers meet, whatever the busy timeout.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Column,
    Connection,
    Engine,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    func,
    insert,
    make_url,
    select,
)
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from interviewer.adapters.cleaning import well_formed
from interviewer.adapters.event_json import from_json, to_json
from interviewer.errors import OperatorError
from interviewer.events import Event, Recorded
from interviewer.ports import SeqTaken

BUSY_SECONDS = 10
"""How long a writer waits for another one."""

_metadata = MetaData()
_events = Table(
    "events",
    _metadata,
    Column("session_id", String(200), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False, doc="UTC, ISO 8601 with microseconds: sorts as text."),
    Column("type", String(40), nullable=False, doc="For people who look; the body has it too."),
    Column("body", Text, nullable=False),
    Index("events_seq_at", "seq", "at"),
)


class SqlStore:
    """`ports.Store` over a database. Creates the file, its folder (readable by its owner only) and the table."""

    def __init__(self, url: str) -> None:
        """`url`: sqlite:////folder/viva.db or postgresql+driver://... Raises OperatorError when it cannot be used."""
        parsed = _parse(url)
        self._shown = parsed.render_as_string(hide_password=True)
        with self._explained("open"):
            if parsed.get_backend_name() == "sqlite":
                _private_file(Path(parsed.database or ""))
            self._engine = _engine(parsed)
            self._writer = self._engine.execution_options(writes=True)
            with self._writer.begin() as connection:
                _metadata.create_all(connection)

    def append(self, session_id: str, expected_seq: int, events: Sequence[Event], at: datetime) -> tuple[Recorded, ...]:
        """Record `events` from `expected_seq` on, all or none.

        Returns what `load` will return: what cannot be encoded is already replaced. Raises SeqTaken when the
        place is taken, ValueError for a gap or a time without a zone, OperatorError when the database fails.
        """
        if at.tzinfo is None:
            raise ValueError(f"the time {at!r} has no zone: pass UTC")
        session_id, moment = well_formed(session_id), at.astimezone(UTC)
        bodies = [to_json(item) for item in events]
        rows = [
            {"session_id": session_id, "seq": expected_seq + i, "at": _stamp(moment), "type": item.type, "body": body}
            for i, (item, body) in enumerate(zip(events, bodies, strict=True))
        ]
        with self._explained("write to"), self._writer.begin() as connection:
            _refuse_other_place(connection, session_id, expected_seq)
            if rows:
                try:
                    connection.execute(insert(_events), rows)
                except IntegrityError as error:
                    raise SeqTaken(f"session {session_id}: event {expected_seq} was just recorded") from error
        return tuple(Recorded(seq=expected_seq + i, at=moment, event=from_json(body)) for i, body in enumerate(bodies))

    def load(self, session_id: str) -> tuple[Recorded, ...]:
        """All events in order, empty for an unknown session. Raises OperatorError on a row that cannot be read."""
        query = select(_events.c.seq, _events.c.at, _events.c.body).where(
            _events.c.session_id == well_formed(session_id)
        )
        with self._explained("read"), self._engine.connect() as connection:
            rows = connection.execute(query.order_by(_events.c.seq)).all()
        return tuple(_recorded(session_id, place, *row) for place, row in enumerate(rows))

    def sessions(self, limit: int = 200) -> tuple[tuple[str, datetime], ...]:
        """Session ids with their start, newest first."""
        query = select(_events.c.session_id, _events.c.at).where(_events.c.seq == 0)
        with self._explained("read"), self._engine.connect() as connection:
            rows = connection.execute(query.order_by(_events.c.at.desc(), _events.c.session_id).limit(limit)).all()
        return tuple((session_id, datetime.fromisoformat(at)) for session_id, at in rows)

    def close(self) -> None:
        """Close the connections. SQLite then folds its WAL file into the database file."""
        self._engine.dispose()

    @contextlib.contextmanager
    def _explained(self, doing: str) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, OSError) as error:
            cause = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise OperatorError(
                f"cannot {doing} the session store {self._shown}: {cause}",
                hint="check that the path exists, that you may write there and that the disk is not full; "
                "set VIVA_DATABASE to use another place",
            ) from error


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
        parsed.get_dialect().import_dbapi()
    except (ArgumentError, NoSuchModuleError) as error:
        raise OperatorError(
            "the address of the session store is not one SQLAlchemy knows",
            hint="use sqlite:////absolute/path/viva.db or postgresql+psycopg://user:password@host/name",
        ) from error
    except ImportError as error:
        raise OperatorError(
            f"the database driver for {parsed.drivername} is not installed: {error}",
            hint='install it, for PostgreSQL: pip install "psycopg[binary]" and postgresql+psycopg://...',
        ) from error
    if parsed.get_backend_name() == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise OperatorError(
            "a session store in memory forgets everything", hint="give SQLite a file: sqlite:////absolute/path/viva.db"
        )
    return parsed


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver opens no transactions of its own: _begin does
        _switch_to_wal(connection)
        connection.execute("PRAGMA synchronous=FULL")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _switch_to_wal(connection: Any) -> None:
    """Two processes that switch a new file together get "locked" at once, whatever the busy timeout: wait here."""
    import sqlite3

    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _private_file(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def _refuse_other_place(connection: Connection, session_id: str, expected_seq: int) -> None:
    last = connection.execute(select(func.max(_events.c.seq)).where(_events.c.session_id == session_id)).scalar()
    following = 0 if last is None else last + 1
    if expected_seq < following:
        raise SeqTaken(f"session {session_id}: event {expected_seq} is taken, the next is {following}")
    if expected_seq > following:
        raise ValueError(f"session {session_id}: event {expected_seq} would leave a gap, the next is {following}")


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def _recorded(session_id: str, place: int, seq: int, at: str, body: str) -> Recorded:
    try:
        if seq != place:
            raise ValueError(f"event {place} is missing")
        return Recorded(seq=seq, at=datetime.fromisoformat(at), event=from_json(body))
    except ValueError as error:
        raise OperatorError(
            f"session {session_id}, event {place} cannot be read: {str(error).splitlines()[0]}",
            hint="it was written by a newer Viva or the database is damaged: update Viva or restore a backup; "
            "other sessions are not affected",
        ) from error
