"""The wire's decoder: exact, capped, and never surprised."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.sandbox import protocol
from interviewer.sandbox.protocol import DeviceName, DTypeName, RawTensor, Ref, Unsendable, WireError, decode, encode


def blob_of(value: Any) -> tuple[bytes, bytes]:
    """(header, blob) of a value."""
    header, chunks, size = encode(value)
    blob = bytearray(size)
    for start, chunk in zip(protocol.offsets(chunks), chunks, strict=True):
        blob[start : start + len(chunk)] = chunk
    return header, bytes(blob)


def header_of(tree: object) -> bytes:
    return json.dumps(tree).encode()


data = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.complex_numbers(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.binary(max_size=200)
    | st.just(...)
    | st.builds(Ref, st.integers(0, 1000), st.just("Thing"))
    | st.builds(DTypeName, st.sampled_from(sorted(protocol.ITEM_SIZE))),
    lambda inner: (
        st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple) | st.dictionaries(st.text("ab"), inner)
    ),
    max_leaves=20,
)


@given(data)
def test_what_is_sent_is_received(value: Any) -> None:
    """Any value of data, of any nesting, comes back equal and of the same types."""
    received = decode(*blob_of(value))
    assert received == value
    assert repr(received) == repr(value)


def test_floats_travel_exactly() -> None:
    """Not-a-number, infinities and the sign of zero survive."""
    received = decode(*blob_of([math.nan, math.inf, -math.inf, -0.0, 0.1]))
    assert math.isnan(received[0])
    assert received[1:3] == [math.inf, -math.inf]
    assert math.copysign(1, received[3]) == -1
    assert received[4] == 0.1


def test_a_tensor_is_its_bytes() -> None:
    """Shape and bytes come back; two tensors do not overlap."""
    first, second = RawTensor("float32", (2, 2), b"0123456789abcdef"), RawTensor("bool", (3,), b"\1\0\1")
    got = decode(*blob_of([first, second]))
    assert [(t.dtype, t.shape, bytes(t.data)) for t in got] == [
        ("float32", (2, 2), b"0123456789abcdef"),
        ("bool", (3,), b"\1\0\1"),
    ]


def test_slices_and_devices_travel() -> None:
    """What indexing and factories need is data too."""
    assert decode(*blob_of((slice(1, None, 2), DeviceName("cpu")))) == (slice(1, None, 2), DeviceName("cpu"))


@pytest.mark.parametrize(
    ("tree", "blob"),
    [
        (1, b""),
        (1.5, b""),
        ({}, b""),
        ([], b""),
        (["x", 1], b""),
        (["i"], b""),
        (["i", 5], b""),
        (["i", "0x" + "f" * 2000], b""),
        (["i", "five"], b""),
        (["f", "0x"], b""),
        (["f", "9" * 100], b""),
        (["c", "0x1p0"], b""),
        (["l", "text"], b""),
        (["d", [[None]]], b""),
        (["d", [[["l", []], None]]], b""),
        (["d", [["a", None], ["a", None]]], b""),
        (["s", [None, None]], b""),
        (["b", 4], b"abc"),
        (["b", -1], b"abc"),
        (["b", 2], b"abc"),
        (["b", True], b"a"),
        (["T", "float32", [2], 4], b"abcd"),
        (["T", "float32", [-1], 4], b"abcd"),
        (["T", "float32", [True], 4], b"abcd"),
        (["T", "object", [1], 8], b"12345678"),
        (["T", "float32", [1 << 31, 0], 0], b""),
        (["T", "float32", [1 << 20] * 3 + [0], 0], b""),
        (["T", "float32", [1] * 40, 4], b"abcd"),
        (["D", "float8"], b""),
        (["V", "c" * 100], b""),
        (["h", -1, ""], b""),
        (["h", 1, "T" * 1000], b""),
        (["h", "1", ""], b""),
        ("\ud800", b""),
        (None, b"trailing"),
    ],
)
def test_what_is_not_exact_is_refused(tree: object, blob: bytes) -> None:
    """Wrong tags, types, counts, sizes and left-over bytes: one kind of error for all."""
    with pytest.raises(WireError):
        decode(header_of(tree), blob)


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"NaN",
        b"Infinity",
        b"1e999",
        b"9" * 5000,
        b"[" * 100_000,
        b'["i", "0x1"] x',
        b"null\x00",
    ],
)
def test_what_is_no_json_is_refused(header: bytes) -> None:
    """Malformed text, numbers Python would take, and bracket bombs."""
    with pytest.raises(WireError):
        decode(header, b"")


def test_depth_and_parts_are_capped() -> None:
    """Deep and broad trees are refused before they are built on."""
    deep: object = None
    for _ in range(protocol.MAX_DEPTH + 2):
        deep = ["l", [deep]]
    for tree in (deep, ["l", [None] * (protocol.MAX_NODES + 1)]):
        with pytest.raises(WireError):
            decode(header_of(tree), b"")


def test_messages_over_the_cap_are_refused() -> None:
    """Size is checked before anything else."""
    with pytest.raises(WireError):
        decode(b" " * (protocol.MAX_HEADER + 1), b"")


@pytest.mark.parametrize("value", [object(), {1, 2}, "\ud800", 1 << 5000, [[]] * 30_000, b"x" * 100])
def test_the_encoder_keeps_to_the_same_caps(value: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be received is not sent."""
    monkeypatch.setattr(protocol, "MAX_BLOB", 64)
    with pytest.raises(Unsendable):
        encode(value)


@settings(max_examples=300)
@given(st.binary(max_size=400), st.binary(max_size=100))
def test_random_bytes_are_refused_or_decoded(header: bytes, blob: bytes) -> None:
    """Whatever comes, only WireError comes of it."""
    with suppress(WireError):
        decode(header, blob)


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from("ifcbltdseTDVh"),
    lambda inner: st.lists(inner, max_size=5) | st.tuples(st.sampled_from("ifcbltdseTDVh"), inner, inner),
    max_leaves=25,
)


@settings(max_examples=300)
@given(junk, st.binary(max_size=100))
def test_trees_of_the_right_look_are_refused_or_decoded(tree: Any, blob: bytes) -> None:
    """JSON that resembles messages gets deeper into the decoder, and no further out of it."""
    with suppress(WireError):
        decode(header_of(tree), blob)


@settings(max_examples=300)
@given(data, st.data())
def test_mutated_messages_are_refused_or_decoded(value: Any, choose: st.DataObject) -> None:
    """A real message with one byte changed."""
    header, blob = blob_of(value)
    place = choose.draw(st.integers(0, len(header) - 1))
    mutated = header[:place] + bytes([choose.draw(st.integers(0, 255))]) + header[place + 1 :]
    with suppress(WireError):
        decode(mutated, blob)
