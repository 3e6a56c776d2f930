import math
import random

import torch
from torch.nn import functional as F
from viva_check import assert_close

BF16, FP16 = torch.bfloat16, torch.float16
ROUGH = {"rtol": 3e-2, "atol": 1e-3}


def integers(*shape, low=-3, high=4):
    """Small whole numbers: exact in every dtype, and so are their sums of products."""
    return torch.randint(low, high, shape).float()


def gradient(weight, x, y, kind, dtype, factor=1.0):
    """(loss, gradient) of the layer under autocast, without any scaling."""
    leaf = weight.clone().requires_grad_()
    with torch.autocast("cpu", dtype=dtype):
        out = F.linear(x, leaf)
        loss = F.cross_entropy(out, y) if kind == "cross_entropy" else F.mse_loss(out, y) * factor
    loss.backward()
    return loss.item(), leaf.grad


def draw(kind="mse", n=None, wide=6, out=3):
    n = n or random.randint(5, 9)
    weight, x = integers(out, wide) / 4, integers(n, wide)
    y = torch.randint(out, (n,)) if kind == "cross_entropy" else integers(n, out) / 2
    return weight, x, y


def clipped(grad, max_norm):
    return grad * min(1.0, max_norm / grad.norm().item())


def check_precision(sut):
    # 1 + delta becomes 1 where delta is below half a unit in the last place, and the difference vanishes.
    for dtype, delta, survives in ((BF16, 2.0**-9, False), (FP16, 2.0**-9, True), (FP16, 2.0**-12, False)):
        weight = torch.tensor([[1.0 + delta, -1.0]])
        size = random.choice([256.0, 512.0])
        x, y = torch.full((4, 2), size), torch.zeros(4, 1)
        model, optimizer = sut.scaffold.build(weight, 0.0)
        loss, _ = sut.amp_step(model, optimizer, None, sut.scaffold.loss("mse"), x, y, dtype, math.inf)
        expected = (size * delta) ** 2 if survives else 0.0
        assert_close(loss, expected, rtol=1e-3, atol=1e-6, msg=lambda m: f"{dtype}, weights 1+{delta} and -1, loss: {m}")
        assert_close(sut.scaffold.weight(model), weight, rtol=0, atol=0, msg=lambda m: f"{dtype}, the stored weight: {m}")


def check_step(sut):
    for dtype in (BF16, FP16):
        for kind in ("mse", "cross_entropy"):
            weight, x, y = draw(kind)
            model, optimizer = sut.scaffold.build(weight, 0.5)
            found = sut.amp_step(model, optimizer, None, sut.scaffold.loss(kind), x, y, dtype, math.inf)
            loss, grad = gradient(weight, x, y, kind, dtype)
            assert isinstance(found, tuple) and len(found) == 2, f"expected (loss, norm), got {found!r}"
            kinds = [type(part).__name__ for part in found]
            assert kinds == ["float", "float"], f"expected two floats, got {kinds}"
            assert_close(found[0], loss, rtol=1e-5, atol=1e-6, msg=lambda m: f"{dtype}, {kind}, no scaler, loss: {m}")
            assert_close(found[1], grad.norm().item(), msg=lambda m: f"{dtype}, {kind}, no scaler, norm: {m}", **ROUGH)
            now = sut.scaffold.weight(model)
            assert_close(now, weight - 0.5 * grad, msg=lambda m: f"{dtype}, {kind}, no scaler, weight: {m}", **ROUGH)


def check_clipping(sut):
    for scale, part in ((1024.0, 0.5), (256.0, 0.1), (None, 0.3), (64.0, 3.0)):
        weight, x, y = draw("mse")
        y = y + 4
        _, grad = gradient(weight, x, y, "mse", FP16)
        limit = grad.norm().item() * part
        rate = 0.5 / min(limit, grad.norm().item())
        model, optimizer = sut.scaffold.build(weight, rate)
        scaler = scale and sut.scaffold.scaler(model, init_scale=scale)
        _, norm = sut.amp_step(model, optimizer, scaler, sut.scaffold.loss("mse"), x, y, FP16, limit)
        what = f"norm {grad.norm():.3g}, max_norm {limit:.3g}, scale {scale}"
        assert_close(norm, grad.norm().item(), msg=lambda m: f"{what}, returned norm: {m}", rtol=3e-2, atol=0)
        moved = weight - sut.scaffold.weight(model)
        assert_close(moved, rate * clipped(grad, limit), msg=lambda m: f"{what}, change of the weight: {m}", rtol=3e-2, atol=6e-3)
    # Two parameters share one norm, and the optimizer is more than a subtraction.
    weight, x, y = draw("mse")
    leaves = [weight.clone().requires_grad_(), torch.randn(3, requires_grad=True)]
    model, y = sut.builtin("torch.nn.Linear", 6, 3), y + 4
    model.load({"weight": weight, "bias": leaves[1].detach()})
    limit = gradient(weight, x, y - leaves[1].detach(), "mse", BF16)[1].norm().item() / 2
    rate = 0.25 / limit
    optimizer = sut.builtin("torch.optim.SGD", model.parameters(), lr=rate, momentum=0.9)
    oracle = torch.optim.SGD(leaves, lr=rate, momentum=0.9)
    for call in (1, 2):
        oracle.zero_grad()
        with torch.autocast("cpu", dtype=BF16):
            loss = F.mse_loss(F.linear(x, *leaves), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(leaves, limit)
        oracle.step()
        sut.amp_step(model, optimizer, None, sut.scaffold.loss("mse"), x, y, BF16, limit)
        for name, leaf in zip(("weight", "bias"), leaves):
            what = f"weight and bias, max_norm {limit:.3g}, momentum 0.9, call {call}, {name}"
            assert_close(model.state()[name], leaf.detach(), rtol=3e-2, atol=1e-2, msg=lambda m: f"{what}: {m}")


def check_underflow(sut):
    weight, x, y = draw("mse", n=8)
    y = y + 5.25
    factor = 2.0**-27
    _, grad = gradient(weight, x, y, "mse", BF16, factor)
    rate = 0.25 / grad.norm().item()
    model, optimizer = sut.scaffold.build(weight, rate)
    scaler = sut.scaffold.scaler(model, init_scale=2.0**16)
    loss, norm = sut.amp_step(model, optimizer, scaler, sut.scaffold.loss("mse", factor), x, y, FP16, math.inf)
    assert_close(norm / grad.norm().item(), 1.0, msg=lambda m: f"tiny gradients, norm over the true norm: {m}", rtol=3e-2, atol=0)
    now = sut.scaffold.weight(model)
    assert_close(now, weight - rate * grad, msg=lambda m: f"tiny gradients, weight: {m}", rtol=3e-2, atol=4e-3)
    true = gradient(weight, x, y, "mse", torch.bfloat16)[0] * factor
    assert_close(loss / true, 1.0, rtol=1e-3, atol=0, msg=lambda m: f"tiny gradients, loss over the true loss: {m}")


def check_leftovers(sut):
    for scale in (None, 128.0):
        weight, x, y = draw("mse")
        model, optimizer = sut.scaffold.build(weight, 0.02)
        scaler = scale and sut.scaffold.scaler(model, init_scale=scale)
        sut.scaffold.leave_gradient(model, torch.randn_like(weight) * 50)
        for call in ("old gradient in .grad", "second call"):
            before = sut.scaffold.weight(model)
            _, grad = gradient(before, x, y, "mse", FP16)
            sut.amp_step(model, optimizer, scaler, sut.scaffold.loss("mse"), x, y, FP16, 1e6)
            moved = sut.scaffold.weight(model) - before
            assert_close(moved, -0.02 * grad, rtol=3e-2, atol=2e-3, msg=lambda m: f"{call}, scale {scale}: {m}")


def check_overflow(sut):
    weight, x, y = draw("mse")
    y = y + 6
    model, optimizer = sut.scaffold.build(weight, 0.01, 0.9)
    scaler = sut.scaffold.scaler(model, init_scale=2.0**24, backoff_factor=0.25, growth_interval=1000)

    def step():
        return sut.amp_step(model, optimizer, scaler, sut.scaffold.loss("mse"), x, y, FP16, 1.0)

    loss, grad = gradient(weight, x, y, "mse", FP16)
    found, norm = step()
    assert_close(found, loss, rtol=1e-4, atol=1e-5, msg=lambda m: f"overflow, loss: {m}")
    assert not math.isfinite(norm), f"overflow: the norm of gradients that are not finite is {norm}"
    assert_close(sut.scaffold.weight(model), weight, rtol=0, atol=0, msg=lambda m: f"overflow, weight after the call: {m}")
    assert scaler.get_scale() == 2.0**22, f"overflow: the scale 2**24 with backoff 0.25 became {scaler.get_scale()}"
    for _ in range(12):
        _, norm = step()
        if math.isfinite(norm):
            break
    assert math.isfinite(norm), f"after thirteen calls the norm is {norm}, the scale {scaler.get_scale()}"
    expected = weight - 0.01 * clipped(grad, 1.0)
    now = sut.scaffold.weight(model)
    assert_close(now - weight, expected - weight, rtol=3e-2, atol=3e-4, msg=lambda m: f"first finite step: {m}")


def check_growth(sut):
    weight, x, y = draw("cross_entropy")
    model, optimizer = sut.scaffold.build(weight, 0.01)
    scaler = sut.scaffold.scaler(model, init_scale=8.0, growth_factor=4.0, growth_interval=2)
    scales = []
    for _ in range(4):
        sut.amp_step(model, optimizer, scaler, sut.scaffold.loss("cross_entropy"), x, y, FP16, 10.0)
        scales.append(scaler.get_scale())
    assert scales == [8.0, 32.0, 32.0, 128.0], f"growth by 4 every 2 steps from 8: scales {scales}"
    disabled = sut.scaffold.scaler(model, enabled=False)
    before = sut.scaffold.weight(model)
    loss, grad = gradient(before, x, y, "cross_entropy", BF16)
    found, _ = sut.amp_step(model, optimizer, disabled, sut.scaffold.loss("cross_entropy"), x, y, BF16, 10.0)
    assert_close(found, loss, rtol=1e-2, atol=1e-3, msg=lambda m: f"disabled scaler, loss: {m}")
    now = sut.scaffold.weight(model)
    assert_close(now - before, -0.01 * clipped(grad, 10.0), rtol=3e-2, atol=3e-4, msg=lambda m: f"disabled scaler: {m}")
