"""The language the judge and the candidate's process speak: data only, strictly decoded.

A message is a header (a JSON tree of tagged nodes) and a blob (raw bytes of the tree's tensors and byte strings, one
after another, each aligned to 64). Nothing in it names code: no class, no pickle, no path is ever resolved. The decoder
reads bytes that a hostile program may have written, so every size is capped before anything is allocated, and whatever
is not exactly right raises WireError.

What this stops: code execution at the boundary, memory bombs in a reply, values that only claim to be equal.
What it does not: a reply with wrong numbers in it. That is for the checks to find.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MAX_HEADER = 1 << 20
MAX_BLOB = 256 << 20
MAX_DEPTH = 32
MAX_NODES = 20_000
MAX_INT_HEX = 1024
MAX_DIMS = 32
MAX_DIM = 1 << 31
ALIGN = 64

ITEM_SIZE: Mapping[str, int] = {
    "bool": 1,
    "uint8": 1,
    "int8": 1,
    "int16": 2,
    "int32": 4,
    "int64": 8,
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
    "complex64": 8,
    "complex128": 16,
}
"""Element types a tensor may have on the wire, with bytes per element."""


class WireError(Exception):
    """The bytes are not a legal message. Said of the sender, who is not believed any further."""


class Unsendable(Exception):
    """A value of ours that the wire does not carry: too deep, too many parts, too large."""


@dataclass(frozen=True)
class RawTensor:
    """A dense tensor as bytes: `len(data) == product(shape) * ITEM_SIZE[dtype]`."""

    dtype: str
    shape: tuple[int, ...]
    data: memoryview | bytes | bytearray


@dataclass(frozen=True)
class DTypeName:
    """torch.<name>"""

    name: str


@dataclass(frozen=True)
class DeviceName:
    """torch.device(<name>)"""

    name: str


@dataclass(frozen=True)
class Ref:
    """An object that stays in the candidate's process. `type_name` is hearsay, for messages only."""

    number: int
    type_name: str = ""


def aligned(size: int) -> int:
    """`size` rounded up to the start of the next chunk."""
    return -(-size // ALIGN) * ALIGN


def element_count(shape: tuple[int, ...]) -> int:
    return math.prod(shape)


# --- encoding --------------------------------------------------------------------------------------


class _Encoder:
    def __init__(self) -> None:
        self.chunks: list[memoryview | bytes | bytearray] = []
        self.size = 0
        self.nodes = 0

    def chunk(self, data: memoryview | bytes | bytearray) -> int:
        length = len(data)
        self.size = aligned(self.size) + length
        if self.size > MAX_BLOB:
            raise Unsendable(f"more than {MAX_BLOB >> 20} MB of data")
        self.chunks.append(data)
        return length

    def node(self, value: Any, depth: int) -> Any:
        self.nodes += 1
        if depth > MAX_DEPTH:
            raise Unsendable(f"nested deeper than {MAX_DEPTH}")
        if self.nodes > MAX_NODES:
            raise Unsendable(f"more than {MAX_NODES} parts")
        if value is None or value is True or value is False:
            return value
        encode = _ENCODERS.get(type(value))
        if encode is None:
            raise Unsendable(f"a value of type {type(value).__name__}")
        return encode(self, value, depth)

    def text(self, value: str, depth: int) -> Any:
        if any("\ud800" <= c <= "\udfff" for c in value):
            raise Unsendable("a string with a lone surrogate")
        return value

    def integer(self, value: int, depth: int) -> Any:
        if value.bit_length() > 4 * (MAX_INT_HEX - 8):
            raise Unsendable("an int of more than 4000 bits")
        return ["i", hex(value)]

    def many(self, tag: str, values: Any, depth: int) -> Any:
        return [tag, [self.node(v, depth + 1) for v in values]]

    def mapping(self, value: dict[Any, Any], depth: int) -> Any:
        return ["d", [[self.node(k, depth + 1), self.node(v, depth + 1)] for k, v in value.items()]]

    def slice(self, value: slice, depth: int) -> Any:
        return self.many("s", (value.start, value.stop, value.step), depth)

    def tensor(self, value: RawTensor, depth: int) -> Any:
        return ["T", value.dtype, list(value.shape), self.chunk(value.data)]


_ENCODERS: dict[type, Callable[[_Encoder, Any, int], Any]] = {
    str: _Encoder.text,
    int: _Encoder.integer,
    float: lambda e, v, d: ["f", v.hex()],
    complex: lambda e, v, d: ["c", v.real.hex(), v.imag.hex()],
    bytes: lambda e, v, d: ["b", e.chunk(v)],
    list: lambda e, v, d: e.many("l", v, d),
    tuple: lambda e, v, d: e.many("t", v, d),
    dict: _Encoder.mapping,
    slice: _Encoder.slice,
    type(Ellipsis): lambda e, v, d: ["e"],
    RawTensor: _Encoder.tensor,
    DTypeName: lambda e, v, d: ["D", v.name],
    DeviceName: lambda e, v, d: ["V", v.name],
    Ref: lambda e, v, d: ["h", v.number, v.type_name],
}


def encode(value: Any) -> tuple[bytes, list[memoryview | bytes | bytearray], int]:
    """(header, chunks, blob size). A chunk starts at the next multiple of 64 after the one before."""
    encoder = _Encoder()
    header = json.dumps(encoder.node(value, 0), separators=(",", ":")).encode()
    if len(header) > MAX_HEADER:
        raise Unsendable(f"a structure of more than {MAX_HEADER >> 20} MB")
    return header, encoder.chunks, encoder.size


def offsets(chunks: list[memoryview | bytes | bytearray]) -> Iterator[int]:
    """Where each chunk starts in the blob."""
    end = 0
    for chunk in chunks:
        start = aligned(end)
        yield start
        end = start + len(chunk)


# --- decoding --------------------------------------------------------------------------------------


def _illegal(token: str) -> Any:
    raise WireError(f"illegal number {token[:20]!r}")


def _small_int(token: str) -> int:
    if len(token) > 12:
        raise WireError("number too large")
    return int(token)


def _no_objects(pairs: list[tuple[str, Any]]) -> Any:
    raise WireError("a JSON object where only lists are legal")


class _Decoder:
    def __init__(self, blob: memoryview) -> None:
        self.blob = blob
        self.end = 0
        self.nodes = 0

    def take(self, length: Any) -> memoryview:
        """The next `length` bytes of the blob."""
        if type(length) is not int or length < 0:
            raise WireError("illegal length")
        start = aligned(self.end)
        if start + length > len(self.blob):
            raise WireError("data past the end of the blob")
        self.end = start + length
        return self.blob[start : self.end]

    def node(self, node: Any, depth: int) -> Any:
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise WireError("too deep or too many parts")
        if node is None or node is True or node is False:
            return node
        if type(node) is str:
            return _text(node)
        if type(node) is not list or not node or type(node[0]) is not str:
            raise WireError("not a tagged node")
        known = _DECODERS.get(node[0])
        if known is None or len(node) != known[0]:
            raise WireError(f"unknown tag {node[0][:8]!r} or wrong number of parts")
        return known[1](self, node, depth)

    def many(self, nodes: Any, depth: int) -> list[Any]:
        if type(nodes) is not list:
            raise WireError("not a list of nodes")
        return [self.node(n, depth + 1) for n in nodes]

    def mapping(self, node: list[Any], depth: int) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        if type(node[1]) is not list:
            raise WireError("not a list of pairs")
        for pair in node[1]:
            if type(pair) is not list or len(pair) != 2:
                raise WireError("not a pair")
            key = self.node(pair[0], depth + 1)
            try:
                result[key] = self.node(pair[1], depth + 1)
            except TypeError:
                raise WireError("an unhashable key") from None
        if len(result) != len(node[1]):
            raise WireError("a key given twice")
        return result

    def slice(self, node: list[Any], depth: int) -> slice:
        parts = self.many(node[1], depth)
        if len(parts) != 3:
            raise WireError("a slice has three parts")
        return slice(*parts)

    def tensor(self, node: list[Any], depth: int) -> RawTensor:
        dtype, shape = node[1], node[2]
        if type(dtype) is not str or dtype not in ITEM_SIZE:
            raise WireError("unknown dtype")
        if type(shape) is not list or len(shape) > MAX_DIMS:
            raise WireError("illegal shape")
        if not all(type(n) is int and 0 <= n < MAX_DIM for n in shape):
            raise WireError("illegal dimension")
        if math.prod(n for n in shape if n) >= 1 << 40:
            raise WireError("a shape too large")
        data = self.take(node[3])
        if element_count(tuple(shape)) * ITEM_SIZE[dtype] != len(data):
            raise WireError("shape and bytes disagree")
        return RawTensor(dtype, tuple(shape), data)


def _text(value: Any) -> str:
    if type(value) is not str or any("\ud800" <= c <= "\udfff" for c in value):
        raise WireError("not a legal string")
    return value


def _integer(token: Any) -> int:
    if type(token) is not str or len(token) > MAX_INT_HEX:
        raise WireError("illegal int")
    return int(token, 16)


def _number(token: Any) -> float:
    if type(token) is not str or len(token) > 40:
        raise WireError("illegal float")
    return float.fromhex(token)


def _name(token: Any) -> str:
    if type(token) is not str or len(token) > 40:
        raise WireError("illegal name")
    return token


def _dtype(token: Any) -> DTypeName:
    name = _name(token)
    if name not in ITEM_SIZE:
        raise WireError("unknown dtype")
    return DTypeName(name)


def _ref(number: Any, type_name: Any) -> Ref:
    if type(number) is not int or not 0 <= number < 1 << 31:
        raise WireError("illegal handle")
    if len(_text(type_name)) > 200:
        raise WireError("illegal type name")
    return Ref(number, type_name)


_DECODERS: dict[str, tuple[int, Callable[[_Decoder, list[Any], int], Any]]] = {
    "i": (2, lambda d, n, k: _integer(n[1])),
    "f": (2, lambda d, n, k: _number(n[1])),
    "c": (3, lambda d, n, k: complex(_number(n[1]), _number(n[2]))),
    "b": (2, lambda d, n, k: bytes(d.take(n[1]))),
    "l": (2, lambda d, n, k: d.many(n[1], k)),
    "t": (2, lambda d, n, k: tuple(d.many(n[1], k))),
    "d": (2, _Decoder.mapping),
    "s": (2, _Decoder.slice),
    "e": (1, lambda d, n, k: Ellipsis),
    "T": (4, _Decoder.tensor),
    "D": (2, lambda d, n, k: _dtype(n[1])),
    "V": (2, lambda d, n, k: DeviceName(_name(n[1]))),
    "h": (3, lambda d, n, k: _ref(n[1], n[2])),
}


def decode(header: bytes | bytearray, blob: memoryview | bytes) -> Any:
    """The value, or WireError. Tensors come as views of `blob`; nothing larger than the two inputs is allocated."""
    if len(header) > MAX_HEADER or len(blob) > MAX_BLOB:
        raise WireError("message over the cap")
    try:
        tree = json.loads(
            header.decode("utf-8", "strict"),
            parse_float=_illegal,
            parse_constant=_illegal,
            parse_int=_small_int,
            object_pairs_hook=_no_objects,
        )
        decoder = _Decoder(memoryview(blob))
        value = decoder.node(tree, 0)
    except (ValueError, OverflowError, RecursionError) as error:
        raise WireError(f"not a legal message: {type(error).__name__}") from None
    if decoder.end != len(blob):
        raise WireError("trailing bytes")
    return value
