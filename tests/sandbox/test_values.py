"""Tensors to bytes and back."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from interviewer.sandbox import values  # noqa: E402
from interviewer.sandbox.protocol import ITEM_SIZE, RawTensor, Ref, Unsendable, WireError, decode, encode, offsets  # noqa: E402


def there_and_back(value: Any) -> tuple[Any, list[Any]]:
    """(the value lowered and lifted, the objects that had to be kept)."""
    kept: list[Any] = []

    def keep(thing: Any) -> Ref:
        kept.append(thing)
        return Ref(len(kept) - 1)

    header, chunks, size = encode(values.lower(value, keep))
    blob = bytearray(size)
    for start, chunk in zip(offsets(chunks), chunks, strict=True):
        blob[start : start + len(chunk)] = chunk
    return values.lift(decode(header, memoryview(blob)), lambda ref: ref), kept


@pytest.mark.parametrize("dtype", sorted(ITEM_SIZE))
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3, 4)])
def test_every_dtype_and_shape_comes_back(dtype: str, shape: tuple[int, ...]) -> None:
    """Numbers, dtype and shape, the empty and the scalar included."""
    tensor = (torch.randn(shape) * 10).to(getattr(torch, dtype))
    got, kept = there_and_back(tensor)
    torch.testing.assert_close(got, tensor, rtol=0, atol=0)
    assert not kept


@pytest.mark.parametrize(
    "tensor",
    [
        torch.arange(12).reshape(3, 4).T,
        torch.arange(12)[::3],
        torch.ones(1).expand(5),
        torch.randn(3, dtype=torch.complex64).conj(),
        torch.randn(3, dtype=torch.complex64).conj().imag,
        torch.nn.Parameter(torch.randn(2)),
        torch.randn(2, requires_grad=True) * 2,
    ],
)
def test_views_and_parameters_travel_as_plain_numbers(tensor: Any) -> None:
    """Layout, laziness and gradient history stay behind."""
    got, kept = there_and_back(tensor)
    torch.testing.assert_close(got, tensor.detach().clone(), rtol=0, atol=0)
    assert type(got) is torch.Tensor
    assert not got.requires_grad
    assert not kept


def test_a_bool_tensor_holds_only_true_and_false() -> None:
    """Other bytes in it would make torch contradict itself."""
    got = values.tensor(RawTensor("bool", (3,), bytearray(b"\x00\x02\xff")))
    assert got.tolist() == [False, True, True]
    assert got.view(torch.uint8).tolist() == [0, 1, 1]


class Own(torch.Tensor):
    """A subclass, which may answer any question as it likes."""


@pytest.mark.parametrize(
    "thing",
    [
        torch.randn(3).as_subclass(Own),
        torch.randn(3).to_sparse(),
        torch.empty(3, device="meta"),
        torch.nn.Linear(1, 1),
        namedtuple("Pair", "a b")(1, 2),
        OrderedDict(a=1),
        {1, 2},
        type("Int", (int,), {})(3),
        "\ud800",
        object(),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_what_is_not_data_stays_where_it_is(thing: Any) -> None:
    """Subclasses and everything unknown become references, alone or inside a container."""
    got, kept = there_and_back([thing])
    assert got == [Ref(0)]
    assert kept[0] is thing


def test_torchs_small_values_come_back() -> None:
    """Dtypes, devices, sizes and slices."""
    got, _ = there_and_back((torch.float16, torch.device("cpu"), torch.Size([2, 3]), slice(None, 2), ...))
    assert got == (torch.float16, torch.device("cpu"), (2, 3), slice(None, 2), ...)


def test_a_list_that_holds_itself_is_not_sent() -> None:
    """Depth is capped before the stack is."""
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(Unsendable):
        there_and_back(loop)


def test_an_unknown_device_is_refused() -> None:
    """A name that torch does not know raises the wire's error."""
    from interviewer.sandbox.protocol import DeviceName

    with pytest.raises(WireError):
        values.lift(DeviceName("abacus:1"), lambda ref: ref)
