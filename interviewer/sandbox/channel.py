"""Moves messages between the judge and the candidate's process: a socket, and an arena of shared memory for bulk.

The arena is one anonymous mapping made before the fork. It spares passing file descriptors and bounds what a reply can
occupy. The receiver copies a blob out before it looks at it, so a sender that keeps writing cannot change a value
between the check and the use.

What this stops: a peer that sends slowly, never, too much or out of turn. It raises WireError, Silence or Gone.
What it does not: a peer that answers in time with lawful nonsense.
"""

from __future__ import annotations

import mmap
import select
import socket
import struct
import time
from typing import Any

from .protocol import MAX_BLOB, MAX_HEADER, Unsendable, WireError, aligned, decode, encode, offsets

PREFIX = struct.Struct("!IQQB")
"""Header bytes, blob bytes, the blob's offset in the arena, and where the blob is: one of the three below."""
ON_SOCKET, IN_ARENA, SHARED = 0, 1, 2
"""SHARED: in the arena, and to be used there rather than copied, so that the sender can look at it again."""
INLINE = 1 << 16
"""Blobs up to this many bytes travel on the socket."""


class Gone(Exception):
    """The peer closed its end."""


class Silence(Exception):
    """The peer did not answer before the deadline."""


class Channel:
    """One end. Not for several threads. `arena` is shared with the peer."""

    def __init__(self, sock: socket.socket, arena: mmap.mmap) -> None:
        self.sock = sock
        self.arena = arena
        self.free = 0
        """Where in the arena the next message may go without touching the one last received."""
        self._shared: tuple[bytes, int] = (b"", 0)

    def send(self, value: Any, *, share: bool = False) -> None:
        """Send `value`. A large blob goes through the arena; with `share` any blob does, to be looked at again."""
        header, chunks, size = encode(value)
        place = SHARED if share else IN_ARENA if size > INLINE else ON_SOCKET
        at = 0 if share or place == ON_SOCKET else self.free
        if place != ON_SOCKET and at + size > len(self.arena):
            raise Unsendable(f"more than {len(self.arena) >> 20} MB of data")
        target = bytearray(size) if place == ON_SOCKET else self.arena
        for start, chunk in zip(offsets(chunks), chunks, strict=True):
            target[at + start : at + start + len(chunk)] = chunk
        if share:
            self._shared = header, size
        body = bytes(target) if isinstance(target, bytearray) else b""
        try:
            self.sock.settimeout(None)
            self.sock.sendall(PREFIX.pack(len(header), size, at, place) + header + body)
        except (BrokenPipeError, ConnectionResetError):
            raise Gone from None

    def look_again(self) -> Any:
        """The message last sent with `share`, with the bytes its blob has now."""
        header, size = self._shared
        return decode(header, memoryview(bytearray(memoryview(self.arena)[:size])))

    def receive(self, deadline: float | None = None, *, trusted: bool = False) -> Any:
        """The next message. `deadline` is on time.monotonic(). Only a trusted peer may have its blob used in place."""
        length, size, at, place = PREFIX.unpack(self._read(PREFIX.size, deadline))
        if length > MAX_HEADER or size > MAX_BLOB or place > (SHARED if trusted else IN_ARENA):
            raise WireError("illegal frame")
        header = self._read(length, deadline)
        self.free = 0
        if place == ON_SOCKET:
            if at or size > INLINE:
                raise WireError("illegal frame")
            return decode(header, memoryview(self._read(size, deadline)))
        if at + size > len(self.arena):
            raise WireError("a blob outside the arena")
        inside = memoryview(self.arena)[at : at + size]
        if place == SHARED:
            self.free = aligned(at + size)
            return decode(header, inside)
        return decode(header, memoryview(bytearray(inside)))

    def pending(self) -> bool:
        """Whether the peer has sent something nobody asked for (or is gone)."""
        return bool(select.select([self.sock], [], [], 0)[0])

    def _read(self, size: int, deadline: float | None) -> bytearray:
        buffer = bytearray(size)
        view = memoryview(buffer)
        done = 0
        while done < size:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise Silence
            self.sock.settimeout(left)
            try:
                count = self.sock.recv_into(view[done:])
            except TimeoutError:
                raise Silence from None
            except ConnectionResetError:
                raise Gone from None
            if count == 0:
                raise Gone
            done += count
        return buffer
