"""Moving messages: deadlines, closing, and memory that the peer can still write to."""

from __future__ import annotations

import mmap
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from interviewer.sandbox.channel import INLINE, PREFIX, SHARED, Channel, Gone, Silence
from interviewer.sandbox.protocol import RawTensor, Unsendable, WireError


@pytest.fixture
def pair() -> Iterator[tuple[Channel, Channel]]:
    """Two ends with one arena of a megabyte."""
    left, right = socket.socketpair()
    arena = mmap.mmap(-1, 1 << 20)
    with left, right:
        yield Channel(left, arena), Channel(right, arena)


def soon() -> float:
    return time.monotonic() + 0.2


def test_small_and_large_values_arrive(pair: tuple[Channel, Channel]) -> None:
    """A blob goes over the socket or through the arena; the receiver sees no difference."""
    for size in (10, INLINE + 1, 500_000):
        pair[0].send((1, b"x" * size))
        assert pair[1].receive(soon()) == (1, b"x" * size)


def test_a_value_does_not_change_after_it_arrived(pair: tuple[Channel, Channel]) -> None:
    """The arena is copied before it is looked at."""
    pair[0].send(RawTensor("uint8", (INLINE * 2,), b"a" * INLINE * 2))
    received = pair[1].receive(soon())
    pair[0].arena[:100] = b"b" * 100
    assert bytes(received.data[:3]) == b"aaa"


def test_shared_inputs_can_be_looked_at_again(pair: tuple[Channel, Channel]) -> None:
    """What the trusting receiver does to a shared tensor, the sender sees."""
    pair[0].send([RawTensor("uint8", (3,), b"abc")], share=True)
    (seen,) = pair[1].receive(soon(), trusted=True)
    seen.data[0:1] = b"X"
    pair[1].send(b"r" * (INLINE + 1))
    assert pair[0].receive(soon()) == b"r" * (INLINE + 1)
    (after,) = pair[0].look_again()
    assert bytes(after.data) == b"Xbc"


def test_a_distrusted_peer_may_not_share(pair: tuple[Channel, Channel]) -> None:
    """In-place use of memory that a hostile sender still writes to would undo every check."""
    pair[0].send(b"abc", share=True)
    with pytest.raises(WireError):
        pair[1].receive(soon())


def test_silence_ends_at_the_deadline(pair: tuple[Channel, Channel]) -> None:
    """Nothing, and half a message, are the same silence."""
    with pytest.raises(Silence):
        pair[1].receive(soon())
    pair[0].sock.sendall(b"\0" * 5)
    with pytest.raises(Silence):
        pair[1].receive(soon())


def test_a_slow_sender_gains_no_time(pair: tuple[Channel, Channel]) -> None:
    """The deadline is for the whole message, however many pieces it comes in."""

    def drip() -> None:
        for byte in PREFIX.pack(1000, 0, 0, 0) + b" " * 1000:
            try:
                pair[0].sock.sendall(bytes([byte]))
            except OSError:
                return
            time.sleep(0.02)

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    started = time.monotonic()
    with pytest.raises(Silence):
        pair[1].receive(started + 0.3)
    assert time.monotonic() - started < 1.0
    pair[1].sock.close()
    thread.join(2)


def test_a_closed_end_is_gone(pair: tuple[Channel, Channel]) -> None:
    """For reading and for writing."""
    pair[0].sock.close()
    with pytest.raises(Gone):
        pair[1].receive(soon())
    with pytest.raises(Gone):
        pair[1].send(b"x" * 100)


@pytest.mark.parametrize(
    "prefix",
    [
        PREFIX.pack((1 << 20) + 1, 0, 0, 0),
        PREFIX.pack(4, (256 << 20) + 1, 0, 1),
        PREFIX.pack(4, INLINE + 1, 0, 0),
        PREFIX.pack(4, 8, 1, 0),
        PREFIX.pack(4, 8, 1 << 20, 1),
        PREFIX.pack(4, 8, (1 << 64) - 1, 1),
        PREFIX.pack(4, 8, 0, SHARED),
        PREFIX.pack(4, 8, 0, 255),
    ],
)
def test_an_illegal_frame_is_refused_before_it_is_read(pair: tuple[Channel, Channel], prefix: bytes) -> None:
    """Sizes over the caps, blobs outside the arena, places that do not exist."""
    pair[0].sock.sendall(prefix + b"null" + bytes(8))
    with pytest.raises(WireError):
        pair[1].receive(soon())


def test_more_than_the_arena_is_not_sent(pair: tuple[Channel, Channel]) -> None:
    """The sender says so instead of writing past the end."""
    with pytest.raises(Unsendable):
        pair[0].send(bytes((1 << 20) + 1))


def test_what_came_unasked_is_noticed(pair: tuple[Channel, Channel]) -> None:
    """`pending` sees bytes that wait."""
    assert not pair[1].pending()
    pair[0].sock.sendall(b"x")
    assert pair[1].pending()
