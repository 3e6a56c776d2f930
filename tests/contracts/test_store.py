"""What every store promises, the database and the fake alike."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from interviewer.adapters.fakes import MemoryStore
from interviewer.adapters.sql_store import SqlStore
from interviewer.events import Answered, Event, Paused, Resumed
from interviewer.ports import SeqTaken, Store

NOON = datetime(2026, 1, 2, 12, 0, 0, 123456, tzinfo=UTC)


def answered(text: str) -> Event:
    return Answered(question="zero-grad", text=text)


@pytest.fixture(params=["sql", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "memory":
        yield MemoryStore()
    else:
        sql = SqlStore(f"sqlite:///{tmp_path}/viva.db")
        yield sql
        sql.close()


def test_events_come_back_in_order_as_they_were_recorded(store: Store) -> None:
    """`load` returns exactly what the appends returned."""
    first = store.append("s", 0, [answered("one"), answered("two")], NOON)
    second = store.append("s", 2, [Paused()], NOON + timedelta(seconds=1))
    assert [recorded.seq for recorded in first + second] == [0, 1, 2]
    assert store.load("s") == first + second


def test_unknown_session_is_empty(store: Store) -> None:
    assert store.load("nobody") == ()


def test_a_taken_place_is_refused_and_changes_nothing(store: Store) -> None:
    """The second writer hears of it, and none of its events is kept."""
    before = store.append("s", 0, [Paused(), Resumed()], NOON)
    with pytest.raises(SeqTaken):
        store.append("s", 1, [answered("late"), answered("later")], NOON)
    assert store.load("s") == before


def test_a_gap_is_a_programming_error(store: Store) -> None:
    with pytest.raises(ValueError, match="gap"):
        store.append("s", 1, [Paused()], NOON)
    assert store.load("s") == ()


def test_no_events_record_nothing(store: Store) -> None:
    assert store.append("s", 0, [], NOON) == ()
    assert store.sessions() == ()


def test_times_are_kept_as_utc(store: Store) -> None:
    """A time given in another zone comes back as the same moment in UTC; one without a zone is refused."""
    moscow = NOON.astimezone(timezone(timedelta(hours=3)))
    (recorded,) = store.append("s", 0, [Paused()], moscow)
    assert recorded.at.isoformat() == "2026-01-02T12:00:00.123456+00:00"
    with pytest.raises(ValueError, match="zone"):
        store.append("s", 1, [Resumed()], NOON.replace(tzinfo=None))


def test_sessions_are_listed_newest_first(store: Store) -> None:
    """By the time of their first event, and no more than asked for."""
    for hours, session_id in enumerate(["old", "middle", "new"]):
        store.append(session_id, 0, [Paused()], NOON + timedelta(hours=hours))
    store.append("old", 1, [Resumed()], NOON + timedelta(days=1))
    assert [session_id for session_id, _ in store.sessions()] == ["new", "middle", "old"]
    assert store.sessions(limit=1) == (("new", NOON + timedelta(hours=2)),)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("градиенты копятся", "градиенты копятся"),
        ("梯度会累加 😀", "梯度会累加 😀"),
        ("nul \0 and bell \a", "nul \0 and bell \a"),
        ("lone \ud800", "lone \ufffd"),
        ("pair \ud83d\ude00", "pair 😀"),
        ("'); DROP TABLE events; --", "'); DROP TABLE events; --"),
    ],
)
def test_any_text_is_stored(store: Store, typed: str, kept: str) -> None:
    """Nothing a candidate can type raises; what is returned is what is stored."""
    recorded = store.append("s", 0, [answered(typed)], NOON)
    assert store.load("s") == recorded
    assert recorded[0].event == answered(kept)


def test_any_session_id_may_be_asked_for(store: Store) -> None:
    """An address bar can hold anything."""
    store.append("lone \ud800", 0, [Paused()], NOON)
    assert len(store.load("lone \ud800")) == 1
    assert store.load("lone \ud801 \0") == ()


def test_of_many_writers_for_one_place_exactly_one_wins(store: Store) -> None:
    def write(number: int) -> bool:
        try:
            store.append("s", 0, [answered(str(number))], NOON)
        except SeqTaken:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(write, range(24)))
    assert won.count(True) == 1
    assert len(store.load("s")) == 1
