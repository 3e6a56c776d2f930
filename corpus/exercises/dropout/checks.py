import math
import random

import torch
from viva_check import CandidateError, assert_close


def nonzero(*shape, dtype=torch.float32):
    """Random values away from zero, so that a zero in the output means that it was dropped."""
    sign = torch.where(torch.rand(shape) < 0.5, -1.0, 1.0)
    return (sign * (0.5 + torch.rand(shape))).to(dtype)


def training_layer(sut, p):
    layer = sut.Dropout(p)
    layer.train()
    return layer


def check_training_values(sut):
    x = nonzero(20_000)
    for p in (0.5, random.uniform(0.1, 0.3), random.uniform(0.7, 0.9)):
        out = training_layer(sut, p)(x)
        assert out.shape == x.shape, f"expected shape {tuple(x.shape)}, got {tuple(out.shape)}"
        dropped = out == 0
        share = dropped.float().mean().item()
        assert abs(share - p) < 0.03, f"p={p:.2f}: {share:.3f} of the elements are zero"
        expected = torch.where(dropped, torch.zeros_like(x), x / (1 - p))
        assert_close(out, expected, msg=lambda m: f"p={p:.2f}, values that were not zeroed: {m}")
    default = sut.Dropout()(x)
    share = (default == 0).float().mean().item()
    assert abs(share - 0.5) < 0.03, f"Dropout() without arguments: {share:.3f} of the elements are zero"


def check_randomness(sut):
    layer = training_layer(sut, 0.5)
    x = nonzero(64, 64)
    first, second = layer(x) == 0, layer(x) == 0
    assert not torch.equal(first, second), "two calls gave the same mask"
    rows = len({tuple(row.tolist()) for row in first})
    columns = len({tuple(column.tolist()) for column in first.t()})
    assert rows > 60, f"only {rows} different masks in 64 rows"
    assert columns > 60, f"only {columns} different masks in 64 columns"
    counts = {int((layer(x) == 0).sum()) for _ in range(12)}
    assert len(counts) > 1, "every call zeroed exactly the same number of elements"
    cube = nonzero(4, 16, 16)
    slices = {tuple((part == 0).flatten().tolist()) for part in layer(cube)}
    assert len(slices) == 4, "slices of a three-dimensional input share a mask"
    seed = random.randrange(2**31)
    sut.builtin("torch.manual_seed", seed)
    one = layer(x)
    sut.builtin("torch.manual_seed", seed)
    two = layer(x)
    assert torch.equal(one, two), "the same torch.manual_seed gave different masks"


def check_eval(sut):
    x = nonzero(32, 8)
    for p in (0.3, 1.0):
        layer = sut.Dropout(p)
        layer.eval()
        assert_close(layer(x), x, rtol=0, atol=0, msg=lambda m: f"eval mode, p={p}: {m}")
    inner = sut.Dropout(0.5)
    outer = sut.builtin("torch.nn.Sequential", inner)
    outer.eval()
    assert_close(outer(x), x, rtol=0, atol=0, msg=lambda m: f"eval mode set on an outer module: {m}")
    outer.train()
    assert (outer(x) == 0).any(), "nothing was zeroed after going back to train mode"


def check_input_untouched(sut):
    x = nonzero(40, 25)
    layer = training_layer(sut, 0.5)
    before = x.clone()
    out, (after, *_) = sut.watch(layer, x)
    assert_close(after, before, rtol=0, atol=0, msg=lambda m: f"the input was changed: {m}")
    assert (out == 0).any(), "nothing was zeroed in training mode"


def check_shapes_dtypes(sut):
    layer = training_layer(sut, 0.5)
    for dtype in (torch.float64, torch.float16, torch.bfloat16):
        x = nonzero(50, 20, dtype=dtype)
        out = layer(x)
        assert out.dtype == dtype, f"expected {dtype}, got {out.dtype}"
        expected = torch.where(out == 0, torch.zeros_like(x), x * 2)
        assert_close(out, expected)
        assert 0.3 < (out == 0).float().mean() < 0.7, f"{dtype}: wrong share of zeros"
    for shape in ((), (1,), (0,), (0, 5), (2, 0, 3), (1, 1), (2, 3, 4, 5)):
        out = layer(nonzero(*shape))
        assert tuple(out.shape) == shape, f"expected shape {shape}, got {tuple(out.shape)}"
    for x in (nonzero(30, 20).t(), nonzero(60, 20)[::2, 1::3], nonzero(1, 20).expand(30, 20)):
        out = layer(x)
        assert_close(out, torch.where(out == 0, torch.zeros_like(out), x * 2))
        assert 0.25 < (out == 0).float().mean() < 0.75, "a non-contiguous input has a wrong share of zeros"
        assert len({tuple(row.tolist()) for row in out == 0}) > 1, "a non-contiguous input shares one mask"


def check_gradient(sut):
    for p in (0.5, random.uniform(0.1, 0.4)):
        x, cotangent = nonzero(40, 30).double(), nonzero(40, 30).double()
        out, grads, *_ = training_layer(sut, p).vjp(x, cotangent=cotangent)
        assert grads[0] is not None, "no gradient reached the input"
        expected = torch.where(out == 0, torch.zeros_like(x), cotangent / (1 - p))
        assert_close(grads[0], expected, rtol=1e-5, atol=1e-6, msg=lambda m: f"p={p:.2f}, gradient: {m}")
        layer = sut.Dropout(p)
        layer.eval()
        _, grads, *_ = layer.vjp(x, cotangent=cotangent)
        assert grads[0] is not None, "no gradient reached the input in eval mode"
        assert_close(grads[0], cotangent, rtol=1e-5, atol=1e-6, msg=lambda m: f"eval mode, gradient: {m}")


def check_extreme_p(sut):
    x, cotangent = nonzero(20, 10), nonzero(20, 10)
    for p, factor in ((0.0, 1.0), (0, 1.0), (1.0, 0.0), (1, 0.0)):
        out, grads, *_ = training_layer(sut, p).vjp(x, cotangent=cotangent)
        assert_close(out, x * factor, msg=lambda m: f"p={p}: {m}")
        gradient = torch.zeros_like(x) if grads[0] is None else grads[0]
        assert_close(gradient, cotangent * factor, msg=lambda m: f"p={p}, gradient: {m}")
    for p in (-0.1, 1.1, math.inf):
        try:
            sut.Dropout(p)
        except CandidateError as error:
            assert error.type == "ValueError", f"p={p} raised {error.type}, expected ValueError"
        else:
            raise AssertionError(f"p={p} was accepted")


def check_own_arithmetic(sut):
    x = nonzero(4, 5)
    layer = training_layer(sut, 0.5)
    out = layer(x)
    assert_close(out, torch.where(out == 0, torch.zeros_like(x), x * 2))
    names = [name for name in sut.scaffold.called(layer, x) if "dropout" in name]
    assert not names, f"forward calls the ready-made {names[0]}"
