import random

import torch
import torch.nn.functional as F
from viva_check import assert_close

SHAPES = ((8, 5), (3, 3), (7, 1), (4, 3, 6), (3, 5, 1), (2, 1, 9))


def state_for(c, dtype=torch.float32):
    return {
        "weight": (torch.randn(c) + 2).to(dtype),
        "bias": torch.randn(c).to(dtype),
        "running_mean": (3 * torch.randn(c)).to(dtype),
        "running_var": (0.5 + 2 * torch.rand(c)).to(dtype),
    }


def loaded(sut, state, **options):
    layer = sut.BatchNorm1d(len(state["weight"]), **options)
    layer.load(state)
    return layer


def features(*shape):
    c = shape[1]
    view = (1, c) + (1,) * (len(shape) - 2)
    return torch.randn(shape) * (0.5 + torch.rand(view)) + 2 * torch.randn(view)


def expected(x, state, training, eps=1e-5, momentum=0.1):
    """Output and state afterwards, in float64."""
    after = {name: value.double().clone() for name, value in state.items()}
    out = F.batch_norm(
        x.double(),
        after["running_mean"],
        after["running_var"],
        after["weight"],
        after["bias"],
        training,
        momentum,
        eps,
    )
    return out, after


def stats(layer):
    return layer.get("running_mean").double(), layer.get("running_var").double()


def check_state(sut):
    for c in (1, 4):
        layer = sut.BatchNorm1d(c)
        state = layer.state()
        names = ["bias", "running_mean", "running_var", "weight"]
        assert sorted(state) == names, f"expected state_dict keys {names}, got {sorted(state)}"
        for name, value in (("weight", 1.0), ("bias", 0.0), ("running_mean", 0.0), ("running_var", 1.0)):
            assert_close(state[name], torch.full((c,), value), msg=lambda m: f"initial {name}: {m}")
        parameters = sorted(name for name, _ in layer.named_parameters())
        assert parameters == ["bias", "weight"], f"expected the parameters bias and weight, got {parameters}"


def check_train_values(sut):
    for shape in SHAPES:
        for options in ({}, {"eps": 0.05 + random.random()}):
            x, state = features(*shape), state_for(shape[1])
            out, (after, *_) = sut.watch(loaded(sut, state, **options), x)
            want, _ = expected(x, state, True, **options)
            assert_close(out.double(), want, rtol=1e-3, atol=2e-3, msg=lambda m: f"input {shape}, {options}: {m}")
            assert_close(after, x, rtol=0, atol=0, msg=lambda m: f"the input was changed: {m}")


def check_running_stats(sut):
    for shape in SHAPES:
        for momentum in (0.1, 0.3 + 0.5 * random.random(), 1.0):
            state = state_for(shape[1])
            layer = loaded(sut, state, momentum=momentum)
            for _ in range(3):
                x = features(*shape)
                layer(x)
                _, state = expected(x, state, True, momentum=momentum)
            mean, var = stats(layer)
            text = f"input {shape}, momentum={momentum:.2f}, after three batches"
            assert_close(mean, state["running_mean"], rtol=1e-3, atol=1e-3, msg=lambda m: f"{text}, mean: {m}")
            assert_close(var, state["running_var"], rtol=1e-3, atol=1e-3, msg=lambda m: f"{text}, variance: {m}")


def check_eval(sut):
    for shape in (*SHAPES, (1, 4), (1, 2, 3), (0, 3), (0, 2, 5)):
        x, state = features(*shape), state_for(shape[1])
        layer = loaded(sut, state)
        sut.builtin("torch.nn.Sequential", layer).eval()
        out = layer(x)
        want, _ = expected(x, state, False)
        assert out.dtype == x.dtype, f"expected {x.dtype}, got {out.dtype}"
        assert_close(out.double(), want, rtol=1e-3, atol=1e-3, msg=lambda m: f"eval mode, input {shape}: {m}")
        mean, var = stats(layer)
        assert_close(mean, state["running_mean"].double(), msg=lambda m: f"running_mean changed in eval mode: {m}")
        assert_close(var, state["running_var"].double(), msg=lambda m: f"running_var changed in eval mode: {m}")


def check_too_few_values(sut):
    for shape in ((1, 3), (1, 3, 1), (0, 3)):
        state = state_for(3)
        layer = loaded(sut, state)
        with sut.raises("ValueError"):
            layer(features(*shape))
        mean, var = stats(layer)
        text = f"after the refused input {shape}"
        assert_close(mean, state["running_mean"].double(), msg=lambda m: f"running_mean {text}: {m}")
        assert_close(var, state["running_var"].double(), msg=lambda m: f"running_var {text}: {m}")
        x = features(1, 3, 4)
        want, _ = expected(x, state, True)
        assert_close(layer(x).double(), want, rtol=1e-3, atol=1e-3, msg=lambda m: f"input (1, 3, 4): {m}")


def check_gradients(sut):
    for shape in ((6, 3), (4, 2, 5)):
        state = state_for(shape[1], torch.float64)
        x, cotangent = features(*shape).double(), torch.randn(shape, dtype=torch.float64)
        layer = sut.BatchNorm1d(shape[1])
        layer.double()
        layer.load(state)
        _, (grad,), grads = layer.vjp(x, cotangent=cotangent)
        leaves = [t.clone().requires_grad_() for t in (x, state["weight"], state["bias"])]
        want = torch.autograd.grad(F.batch_norm(leaves[0], None, None, *leaves[1:], True), leaves, cotangent)
        for name, got, right in zip(("x", "weight", "bias"), (grad, grads["weight"], grads["bias"]), want, strict=True):
            assert got is not None, f"no gradient reaches {name}"
            assert_close(got, right, rtol=1e-5, atol=1e-6, msg=lambda m: f"input {shape}, gradient of {name}: {m}")

        layer = sut.BatchNorm1d(shape[1])
        layer.double()
        layer.load(state)
        second = features(*shape).double()
        out, grad = sut.scaffold.train_then_eval(layer, x, second, cotangent)
        _, after = expected(x, state, True)
        want, _ = expected(second, after, False)
        assert_close(out, want, rtol=1e-6, atol=1e-6, msg=lambda m: f"eval after a training step: {m}")
        factor = (after["weight"] / (after["running_var"] + 1e-5).sqrt()).view([1, -1] + [1] * (x.dim() - 2))
        assert_close(grad, cotangent * factor, rtol=1e-6, atol=1e-6, msg=lambda m: f"gradient in eval mode: {m}")


def check_numerics(sut):
    for shape in ((32, 3), (8, 3, 7)):
        state = state_for(3)
        x = torch.randn(shape) + 10_000
        out = loaded(sut, state)(x)
        want, _ = expected(x, state, True)
        assert_close(out.double(), want, rtol=0, atol=0.02, msg=lambda m: f"values around 10000: {m}")
    x = features(6, 3)
    x[:, 1] = 0.25
    state = state_for(3)
    out = loaded(sut, state)(x)
    want, _ = expected(x, state, True)
    assert_close(out.double(), want, rtol=1e-3, atol=1e-3, msg=lambda m: f"a constant feature: {m}")
    x, state = features(9, 3).double(), state_for(3, torch.float64)
    layer = sut.BatchNorm1d(3)
    layer.double()
    layer.load(state)
    want, after = expected(x, state, True)
    assert_close(layer(x), want, rtol=1e-10, atol=1e-10, msg=lambda m: f"float64 input: {m}")
    assert_close(layer.get("running_var"), after["running_var"], rtol=1e-10, atol=1e-10)
