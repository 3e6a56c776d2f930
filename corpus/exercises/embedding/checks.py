import random

import torch
from viva_check import assert_close


def expected(weight, ids, padding=None):
    """Plain loops, in float64. `padding` is a non-negative id or None."""
    out = torch.zeros(ids.shape[0], weight.shape[1], dtype=torch.float64)
    for n, row in enumerate(ids.tolist()):
        kept = [i for i in row if i != padding]
        for i in kept:
            out[n] += weight[i].double() / len(kept)
    return out


def layer_with(sut, weight, **options):
    layer = sut.MeanEmbedding(*weight.shape, **options)
    layer.load({"weight": weight})
    return layer


def padded(n, length, vocabulary, padding):
    """Random ids; every row has a padding id and a real one, at random places."""
    ids = torch.randint(vocabulary, (n, length))
    for row in ids:
        places = torch.randperm(length)
        row[places[0]] = padding
        row[places[1]] = (padding + random.randrange(1, vocabulary)) % vocabulary
    return ids


def check_state(sut):
    layer = sut.MeanEmbedding(3, 5)
    state = layer.state()
    assert list(state) == ["weight"], f"expected the state_dict key weight, got {list(state)}"
    names = [name for name, _ in layer.named_parameters()]
    assert names == ["weight"], f"expected the parameter weight, got {names}"
    assert tuple(state["weight"].shape) == (3, 5), f"expected weight shape (3, 5), got {tuple(state['weight'].shape)}"
    first, second = sut.MeanEmbedding(1000, 8).state()["weight"], sut.MeanEmbedding(1000, 8).state()["weight"]
    assert not torch.equal(first, second), "two new layers have the same weight"
    assert abs(first.mean().item()) < 0.1, f"initial mean {first.mean().item():.3f}, expected about 0"
    assert abs(first.std().item() - 1) < 0.1, f"initial standard deviation {first.std().item():.3f}, expected about 1"
    for padding in (0, 4, -1, -3):
        weight = sut.MeanEmbedding(7, 4, padding_idx=padding).state()["weight"]
        zero = (weight == 0).all(dim=1)
        assert zero.nonzero().flatten().tolist() == [padding % 7], (
            f"padding_idx={padding} of 7: rows of zeros {zero.nonzero().flatten().tolist()}"
        )


def check_mean(sut):
    for n, length, v, d in ((4, 5, 9, 3), (1, 1, 1, 1), (3, 2, 2, 7), (2, 12, 4, 2)):
        weight, ids = torch.randn(v, d), torch.randint(v, (n, length))
        layer = layer_with(sut, weight)
        assert_close(layer(ids).double(), expected(weight, ids), rtol=1e-4, atol=1e-5)
        assert_close(layer(ids.int()).double(), expected(weight, ids), rtol=1e-4, atol=1e-5)


def check_padding(sut):
    for v, padding in ((9, 0), (5, 3), (6, -1), (4, -4)):
        index = padding % v
        weight, ids = torch.randn(v, 3), padded(5, 6, v, index)
        layer = layer_with(sut, weight, padding_idx=padding)
        out, (after, *_) = sut.watch(layer, ids)
        text = f"padding_idx={padding} of {v}"
        assert_close(out.double(), expected(weight, ids, index), rtol=1e-4, atol=1e-5, msg=lambda m: f"{text}: {m}")
        assert_close(after, ids, rtol=0, atol=0, msg=lambda m: f"the ids were changed: {m}")
        weight[index] = float("nan")
        out = layer_with(sut, weight, padding_idx=padding)(ids)
        assert_close(
            out.double(), expected(weight, ids, index), rtol=1e-4, atol=1e-5, msg=lambda m: f"{text}, NaN there: {m}"
        )


def check_nothing_to_average(sut):
    weight = torch.randn(6, 4)
    for padding in (0, 5):
        layer = layer_with(sut, weight, padding_idx=padding)
        ids = padded(4, 3, 6, padding)
        ids[1] = padding
        ids[3] = padding
        assert_close(layer(ids).double(), expected(weight, ids, padding), rtol=1e-4, atol=1e-5)
        _, _, grads = layer.vjp(ids[1:2], cotangent=torch.randn(1, 4))
        if grads["weight"] is not None:
            assert_close(grads["weight"], torch.zeros(6, 4), msg=lambda m: f"gradient of a row of padding: {m}")
    for options in ({}, {"padding_idx": 0}):
        layer = layer_with(sut, weight, **options)
        for shape in ((0, 3), (2, 0), (0, 0)):
            out = layer(torch.zeros(shape, dtype=torch.int64))
            assert_close(out, torch.zeros(shape[0], 4), msg=lambda m: f"ids of shape {shape}: {m}")


def check_gradient(sut):
    for v, padding in ((8, None), (7, 0), (5, 2), (6, -1)):
        index = None if padding is None else padding % v
        ids = torch.randint(v, (5, 6)) if padding is None else padded(5, 6, v, index)
        ids[0, :3] = (index or 0) + 1 if v - 1 != index else 0
        weight, cotangent = torch.randn(v, 3).double(), torch.randn(5, 3).double()
        layer = sut.MeanEmbedding(v, 3, padding_idx=padding)
        layer.double()
        layer.load({"weight": weight})
        _, _, grads = layer.vjp(ids, cotangent=cotangent)
        assert grads["weight"] is not None, "no gradient reaches weight"
        want = torch.zeros(v, 3).double()
        for n, row in enumerate(ids.tolist()):
            kept = [i for i in row if i != index]
            for i in kept:
                want[i] += cotangent[n] / len(kept)
        assert_close(grads["weight"], want, rtol=1e-6, atol=1e-8, msg=lambda m: f"padding_idx={padding}: {m}")


def check_bad_ids(sut):
    for options in ({}, {"padding_idx": 1}):
        weight = torch.randn(5, 2)
        layer = layer_with(sut, weight, **options)
        for bad in (5, 6, -1, -5, -100):
            ids = torch.tensor([[0, 2, 3], [4, bad, 2]])
            with sut.raises("IndexError"):
                layer(ids)
        ids = torch.tensor([[0, 2, 3], [4, 1, 4]])
        want = expected(weight, ids, options.get("padding_idx"))
        assert_close(layer(ids).double(), want, rtol=1e-4, atol=1e-5)


def check_dtypes(sut):
    for dtype, tolerance in ((torch.float64, 1e-12), (torch.bfloat16, 0.06)):
        for padding in (None, 0):
            weight, ids = torch.randn(9, 4).to(dtype), padded(5, 6, 9, 0)
            layer = sut.MeanEmbedding(9, 4, padding_idx=padding)
            layer.to(dtype)
            layer.load({"weight": weight})
            out = layer(ids)
            assert out.dtype == dtype, f"weight is {dtype}, the output {out.dtype}"
            assert_close(out.double(), expected(weight, ids, padding), rtol=tolerance, atol=tolerance)
