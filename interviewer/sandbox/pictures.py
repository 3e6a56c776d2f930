"""Pictures that a visible run left: what is accepted as one, and how many.

They come from the candidate's process, so they are bytes that a hostile program may have written. They are only ever
handed on to a browser's decoder of images, and only when they are whole, small PNG files of a sane size.
"""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from collections.abc import Iterator

MAX_PICTURES = 4
MAX_BYTES = 256 * 1024
"""Of one picture."""
MAX_SIDE = 2000
"""Pixels of width or height."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_DEPTHS = (1, 2, 4, 8, 16)
_COLOURS = (0, 2, 3, 4, 6)
_KEPT = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"pHYs", b"gAMA", b"sRGB")


class NotAPicture(ValueError):
    """The bytes are no PNG file that may be shown; the text says why."""


def checked(data: bytes) -> bytes:
    """The picture with everything but its pixels removed (no texts, no profiles, nothing after its end)."""
    if len(data) > MAX_BYTES:
        raise NotAPicture(f"more than {MAX_BYTES >> 10} kB")
    if not data.startswith(_SIGNATURE):
        raise NotAPicture("no PNG signature")
    chunks = list(_chunks(data))
    if not chunks or chunks[0][0] != b"IHDR" or chunks[-1] != (b"IEND", b""):
        raise NotAPicture("no whole PNG file")
    _check_header(chunks[0][1])
    if not any(kind == b"IDAT" for kind, _ in chunks):
        raise NotAPicture("no pixels")
    return _SIGNATURE + b"".join(_chunk(kind, body) for kind, body in chunks if kind in _KEPT)


def encoded(pictures: object) -> tuple[str, ...]:
    """Those of an untrusted list of byte strings that are pictures, in base64, at most MAX_PICTURES."""
    good: list[str] = []
    for data in pictures if isinstance(pictures, list | tuple) else ():
        if type(data) is not bytes or len(good) == MAX_PICTURES:
            continue
        try:
            good.append(base64.b64encode(checked(data)).decode())
        except NotAPicture:
            continue
    return tuple(good)


def decoded(texts: object) -> tuple[str, ...]:
    """The same of base64 texts: the parent's own look at what the judge handed on."""
    found: list[bytes] = []
    for text in texts if isinstance(texts, list | tuple) else ():
        if isinstance(text, str) and len(text) <= 2 * MAX_BYTES:
            try:
                found.append(base64.b64decode(text, validate=True))
            except binascii.Error:
                continue
    return encoded(found)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(data):
        if at + 12 > len(data):
            raise NotAPicture("cut short")
        (size,) = struct.unpack_from("!I", data, at)
        kind, end = data[at + 4 : at + 8], at + 8 + size
        if end + 4 > len(data):
            raise NotAPicture("cut short")
        body = data[at + 8 : end]
        if zlib.crc32(kind + body) != struct.unpack_from("!I", data, end)[0]:
            raise NotAPicture("a damaged part")
        yield kind, body
        if kind == b"IEND":
            return
        at = end + 4


def _check_header(body: bytes) -> None:
    if len(body) != 13:
        raise NotAPicture("no header")
    width, height, depth, colour, compression, filtering, interlace = struct.unpack("!IIBBBBB", body)
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
        raise NotAPicture(f"{width} x {height} pixels; at most {MAX_SIDE} a side")
    if depth not in _DEPTHS or colour not in _COLOURS or compression or filtering or interlace > 1:
        raise NotAPicture("an unknown kind of PNG")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack("!I", len(body)) + kind + body + struct.pack("!I", zlib.crc32(kind + body))
