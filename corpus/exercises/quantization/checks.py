import random

import torch
from viva_check import assert_close


def expected_params(x, axis=None):
    """(scale, zero point before rounding) in float64."""
    x = x.double()
    rows = x.reshape(1, -1) if axis is None else x.movedim(axis, 0).reshape(x.shape[axis], -1)
    low, high = rows.amin(1).clamp(max=0), rows.amax(1).clamp(min=0)
    scale = (high - low) / 255
    scale[scale == 0] = 1.0
    return (scale[0], -128 - low[0] / scale[0]) if axis is None else (scale, -128 - low / scale)


def along(values, x, axis):
    if axis is None:
        return values
    shape = [1] * x.dim()
    shape[axis] = -1
    return values.reshape(shape)


def pair(out):
    assert isinstance(out, (tuple, list)), "choose_params: expected two tensors (scale, zero_point)"
    assert len(out) == 2, f"choose_params: expected two tensors (scale, zero_point), got {len(out)}"
    for name, value, dtype in zip(("scale", "zero_point"), out, (torch.float32, torch.int32)):
        assert isinstance(value, torch.Tensor), f"{name} is not a tensor"
        assert value.dtype == dtype, f"{name} has dtype {value.dtype}, expected {dtype}"
    return out


def same_params(out, x, axis=None, where=""):
    scale, zero_point = pair(out)
    want_scale, want_zero = expected_params(x, axis)
    assert_close(scale, want_scale.float(), rtol=1e-4, atol=0, msg=lambda m: f"scale{where}: {m}")
    assert zero_point.shape == want_zero.shape, f"zero_point{where} has shape {tuple(zero_point.shape)}"
    assert ((zero_point >= -128) & (zero_point <= 127)).all(), (
        f"zero_point{where} {zero_point.tolist()} is no int8 value"
    )
    off = (zero_point.double() - want_zero).abs()
    off = torch.where(want_scale == 1.0, torch.zeros_like(off), off)
    assert off.max() <= 0.52, f"zero_point{where} is {zero_point.tolist()}, before rounding it is {want_zero.tolist()}"
    return scale, zero_point


def codes(q, x, where=""):
    assert isinstance(q, torch.Tensor), f"quantize{where}: not a tensor"
    assert q.dtype == torch.int8, f"quantize{where}: dtype {q.dtype}, expected torch.int8"
    assert q.shape == x.shape, f"quantize{where}: shape {tuple(q.shape)}, expected {tuple(x.shape)}"
    return q


def round_trip(sut, x, axis=None, where=""):
    """Every value comes back within half a step."""
    scale, zero_point = same_params(sut.choose_params(x, axis=axis), x, axis, where)
    q = codes(sut.quantize(x, scale, zero_point, axis=axis), x, where)
    back = sut.dequantize(q, scale, zero_point, axis=axis)
    assert isinstance(back, torch.Tensor), f"dequantize{where}: not a tensor"
    assert back.dtype == torch.float32, f"dequantize{where}: dtype {back.dtype}, expected torch.float32"
    assert back.shape == x.shape, f"dequantize{where}: shape {tuple(back.shape)}, expected {tuple(x.shape)}"
    steps = (back.double() - x.double()).abs() / along(scale.double(), x, axis)
    assert steps.max() <= 0.51, f"{where or 'round trip'}: error of {steps.max():.3f} steps, expected at most 0.5"
    return q, back


def check_params(sut):
    for shape in ((7, 5), (33,), (2, 3, 4), (2,)):
        x = torch.randn(shape)
        x.view(-1)[:2] = torch.tensor([-1.0, 1.0]) * torch.empty(2).uniform_(0.5, 2)
        x = x * random.uniform(0.1, 20)
        same_params(sut.choose_params(x), x)
        x = x * 1e-9
        same_params(sut.choose_params(x), x, where=" for values of about 1e-8")


def check_saturation(sut):
    for _ in range(5):
        scale = torch.tensor(random.uniform(0.01, 0.5))
        zero_point = torch.tensor(random.randint(-60, 60), dtype=torch.int32)
        far = torch.tensor([300.0, 1e4, 1e30, float("inf")]) * scale
        x = torch.cat([far, -far])
        q = codes(sut.quantize(x, scale, zero_point), x, " out of range")
        want = torch.tensor([127] * 4 + [-128] * 4, dtype=torch.int8)
        assert q.tolist() == want.tolist(), f"out of range: expected {want.tolist()}, got {q.tolist()}"


def check_dequantize(sut):
    for zero in (-128, 127, random.randint(-99, 99)):
        q = torch.arange(-128, 128).to(torch.int8).reshape(16, 16)
        scale, zero_point = torch.rand(()) + 0.1, torch.tensor(zero, dtype=torch.int32)
        want = ((q.double() - zero) * scale.double()).float()
        message = f"zero_point {zero}"
        assert_close(sut.dequantize(q, scale, zero_point), want, msg=lambda m: f"{message}: {m}", rtol=1e-4, atol=1e-4)


def check_round_trip(sut):
    for shape in ((64, 33), (11, 1, 5)):
        x = torch.randn(shape) * 10 ** random.uniform(-3, 3)
        round_trip(sut, x)
    x = torch.randn(6, 9).t()
    scale, zero_point = sut.choose_params(x)
    q, (after, _, _) = sut.watch("quantize", x, scale, zero_point)
    assert_close(after, x, msg=lambda m: f"quantize changed its input: {m}")
    codes(q, x)
    round_trip(sut, x)


def check_zero(sut):
    for low, high in ((10.0, 11.0), (-9.0, -8.0), (-1.0, 3.0)):
        x = torch.rand(40) * (high - low) + low
        round_trip(sut, x, where=f" for values in [{low}, {high}]")
        x[7] = 0.0
        _, back = round_trip(sut, x, where=f" for zero and values in [{low}, {high}]")
        assert back[7] == 0, f"zero came back as {back[7]:.3g}"
    for shape in ((1,), (), (1, 1)):
        round_trip(sut, torch.randn(shape) * 5, where=" for a single element")
    x = torch.zeros(3, 4)
    _, back = round_trip(sut, x, where=" for zeros")
    assert_close(back, x, rtol=0, atol=0, msg=lambda m: f"zeros: {m}")


def check_per_channel(sut):
    for shape, axis in (
        ((4, 6), 0), ((6, 4), 1), ((5, 5), 0), ((5, 5), -1), ((2, 3, 4), -2), ((3, 3, 3), 1), ((1, 7), 0), ((7, 1), 1)
    ):  # fmt: skip
        spread = 10.0 ** torch.empty(shape[axis]).uniform_(-3, 3)
        x = torch.randn(shape)
        x = x * along(spread, x, axis)
        round_trip(sut, x, axis, f" for shape {shape}, axis {axis}")
    x = torch.randn(3, 8)
    x[1] = 0.0
    _, back = round_trip(sut, x, 0, " with one channel of zeros")
    assert back[1].eq(0).all(), "a channel of zeros came back different"
    x = torch.randn(4, 4, 2).transpose(0, 2)
    round_trip(sut, x, 1, " for a transposed tensor")


def check_dtypes(sut):
    for dtype, size in ((torch.bfloat16, 3.0), (torch.float16, 0.5), (torch.float16, 15000.0), (torch.float64, 3.0)):
        x = (torch.randn(200).clamp(-4, 4) * size).to(dtype)
        round_trip(sut, x, where=f" for {dtype}")
        x = (torch.randn(6, 50).clamp(-4, 4) * size).to(dtype)
        round_trip(sut, x, 0, f" for {dtype} by channel")
