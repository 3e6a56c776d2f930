import torch
from viva_check import assert_close


def batch():
    return {
        "inputs": torch.randn(3, 4),
        "labels": torch.randint(0, 9, (3,)),
        "parts": [torch.rand(2, 1, dtype=torch.float64) > 0.5, (torch.randn(()), None, [torch.randn(0, 5)])],
        "half": torch.randn(2).bfloat16(),
        "name": "batch",
        "scale": 0.5,
        "step": 7,
        "last": True,
        3: (),
        "empty": [{}],
    }


def same(actual, wanted, where="result"):
    assert type(actual) is type(wanted), f"{where}: expected a {type(wanted).__name__}, got a {type(actual).__name__}"
    if isinstance(wanted, torch.Tensor):
        assert_close(actual, wanted, rtol=0, atol=0, msg=lambda text: f"{where}: {text}")
    elif isinstance(wanted, dict):
        assert list(actual) == list(wanted), f"{where}: expected keys {list(wanted)}, got {list(actual)}"
        for key in wanted:
            same(actual[key], wanted[key], f"{where}[{key!r}]")
    elif isinstance(wanted, (list, tuple)):
        assert len(actual) == len(wanted), f"{where}: expected {len(wanted)} items, got {len(actual)}"
        for i, item in enumerate(wanted):
            same(actual[i], item, f"{where}[{i}]")
    else:
        assert actual == wanted, f"{where}: expected {wanted!r}, got {actual!r}"


def same_rows(actual, wanted, device=None):
    """Compare what scaffold.describe said, with the wanted tensors on `device` if that is given."""
    assert [row[:2] for row in actual] == [row[:2] for row in wanted], difference(actual, wanted)
    for got, want in zip(actual, wanted, strict=True):
        path, kind = want[:2]
        if kind != "tensor":
            same(got[2], want[2], path)
            continue
        place = device or want[2]
        assert got[2] == place, f"{path}: expected a tensor on {place}, it is on {got[2]}"
        assert got[3] == want[3], f"{path}: expected dtype {want[3]}, got {got[3]}"
        assert got[4] == want[4], f"{path}: expected shape {want[4]}, got {got[4]}"
        if place == "cpu":
            same(got[5], want[5], path)


def difference(actual, wanted):
    for got, want in zip(actual, wanted, strict=False):
        if got[:2] != want[:2]:
            return f"expected {want[0]} to be a {want[1]}, found {got[0]}, a {got[1]}"
    return f"expected {len(wanted)} containers and leaves, got {len(actual)}"


def check_values(sut):
    for device in ("cpu", torch.device("cpu")):
        data = batch()
        same(sut.move_to(data, device), data)
    for value in (torch.randn(2, 3), "text", None, 5, 2.5, [], (), {}, [torch.ones(1)], (torch.zeros(2),)):
        same(sut.move_to(value, "cpu"), value)
    data = batch()
    same(sut.move_to(data, "cpu", non_blocking=True), data)
    same(sut.move_to(data, "cpu", True), data)


def check_moves(sut):
    move = sut.get("move_to")
    for device in ("meta", torch.device("meta")):
        for value in (torch.randn(2, 3), [torch.ones(2)], {"a": {"b": [(torch.ones(1),)]}}, batch()):
            before = sut.scaffold.describe(value)
            got = sut.scaffold.moved(move, value, device)
            same_rows(got, before, "meta")


def check_types(sut):
    move = sut.get("move_to")

    def values():
        yield sut.scaffold.pair(torch.randn(2, 3), torch.arange(2))
        yield sut.scaffold.ordered([("b", torch.ones(1)), ("a", [torch.zeros(2)])])
        yield sut.scaffold.sample(torch.randn(3), [torch.randn(4), None], "first")
        yield sut.scaffold.frozen(torch.randn(3), {"mask": torch.ones(2) > 0})
        inner = sut.scaffold.frozen(torch.randn(1), sut.scaffold.pair(torch.randn(2), "x"))
        yield [{"sample": sut.scaffold.sample(inner, (torch.randn(2),), "second")}, 4]

    for device in ("cpu", "meta"):
        for value in values():
            before = sut.scaffold.describe(value)
            got = sut.scaffold.moved(move, value, device)
            same_rows(got, before, device)


def check_gradients(sut):
    move = sut.get("move_to")
    x = torch.randn(3, 4, dtype=torch.float64)
    scale = torch.randn(3, 4, dtype=torch.float64)
    cotangent = torch.randn(3, 4, dtype=torch.float64)
    out, grads = sut.vjp(sut.scaffold.through, move, x, scale, cotangent=cotangent)
    source = x.clone().requires_grad_()
    wanted_out = source * scale + (2 * source) ** 2
    (wanted,) = torch.autograd.grad(wanted_out, source, cotangent)
    assert_close(out, wanted_out.detach())
    assert grads[1] is not None, "no gradient reaches the tensor that was moved"
    assert_close(grads[1], wanted)


def check_original(sut):
    move = sut.get("move_to")
    inner = torch.randn(2)
    for value in (
        sut.scaffold.ordered([("a", torch.randn(2)), ("b", [torch.randn(1)])]),
        sut.scaffold.sample(torch.randn(3), [torch.randn(4), {"k": torch.randn(2)}], "first"),
        sut.scaffold.frozen([torch.randn(3)], (inner, [inner])),
    ):
        before = sut.scaffold.describe(value)
        sut.scaffold.moved(move, value, "meta")
        same_rows(sut.scaffold.describe(value), before)


def check_no_copy(sut):
    move = sut.get("move_to")
    for value in (
        torch.randn(3),
        {"a": torch.randn(2, 2), "b": [torch.randn(1), (torch.randn(()),)]},
        sut.scaffold.sample(torch.randn(3), [torch.randn(4)], "first"),
    ):
        number = float(torch.randint(10, 1000, ()))
        for tensor in sut.scaffold.move_then_write(move, value, "cpu", number):
            assert_close(tensor, torch.full_like(tensor, number), msg="a tensor that was already there was copied")


def check_non_blocking(sut):
    move = sut.get("move_to")
    for value in (torch.randn(3), {"a": [torch.randn(2)]}, sut.scaffold.pair(torch.randn(1), 2)):
        for flag in (True, False):
            got = sut.scaffold.passes_true(move, value, "meta", flag)
            assert got is flag, f"with non_blocking={flag}, torch was called with {got}"
