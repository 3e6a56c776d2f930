import math

import torch
from viva_check import assert_close


def weights(n_in, n_out, bias=True, dtype=torch.float32):
    state = {"weight": torch.randn(n_out, n_in, dtype=dtype)}
    if bias:
        state["bias"] = torch.randn(n_out, dtype=dtype)
    return state


def expected(x, state):
    y = torch.matmul(x, state["weight"].T)
    return y + state["bias"] if "bias" in state else y


def check_registration(sut):
    for n_in, n_out in ((3, 5), (6, 2)):
        full, bare = sut.MyLinear(n_in, n_out), sut.MyLinear(n_in, n_out, bias=False)
        for layer, names in ((full, ["bias", "weight"]), (bare, ["weight"])):
            state = layer.state()
            assert sorted(state) == names, f"expected state_dict keys {names}, got {sorted(state)}"
            parameters = sorted(name for name, _ in layer.named_parameters())
            assert parameters == names, f"expected parameters {names}, got {parameters}"
            assert state["weight"].shape == (n_out, n_in), (
                f"expected weight shape {(n_out, n_in)}, got {tuple(state['weight'].shape)}"
            )
        assert full.state()["bias"].shape == (n_out,), f"unexpected bias shape {tuple(full.state()['bias'].shape)}"
        assert bare.get("bias") is None, "with bias=False the attribute bias should be None"


def check_values(sut):
    for n_in, n_out, batch in ((1, 1, 1), (3, 5, 4), (7, 2, 1), (4, 4, 6)):
        for bias in (True, False):
            state = weights(n_in, n_out, bias)
            layer = sut.MyLinear(n_in, n_out, bias)
            layer.load(state)
            x = torch.randn(batch, n_in)
            out, (after,) = sut.watch(layer, x)
            assert_close(out, expected(x, state))
            assert_close(after, x, rtol=0, atol=0, msg="the input was changed in place")


def check_leading_dims(sut):
    n_in, n_out = 5, 3
    for bias in (True, False):
        state = weights(n_in, n_out, bias)
        layer = sut.MyLinear(n_in, n_out, bias)
        layer.load(state)
        for lead in ((), (1,), (2, 3), (3, 1, 2, 2), (0,), (2, 0)):
            x = torch.randn(*lead, n_in)
            assert_close(layer(x), expected(x, state))
        x = torch.randn(4, 3, n_in)
        assert_close(sut.scaffold.on_transposed(layer, x), expected(x.transpose(0, 1), state))


def check_dtype(sut):
    n_in, n_out = 6, 4
    for bias in (True, False):
        state = weights(n_in, n_out, bias, torch.float64)
        x = torch.randn(3, n_in, dtype=torch.float64)
        layer = sut.MyLinear(n_in, n_out, bias)
        layer.double()
        layer.load(state)
        assert_close(layer(x), expected(x, state), rtol=1e-12, atol=1e-12)

        layer.bfloat16()
        low = {name: value.bfloat16() for name, value in state.items()}
        out = layer(x.bfloat16())
        assert out.dtype == torch.bfloat16, f"expected a bfloat16 result for a bfloat16 input, got {out.dtype}"
        exact = expected(x.bfloat16().double(), {name: value.double() for name, value in low.items()})
        assert_close(out.double(), exact, rtol=5e-2, atol=0.25)


def check_gradients(sut):
    for bias in (True, False):
        for shape in ((4, 5), (2, 3, 5)):
            state = weights(5, 3, bias, torch.float64)
            layer = sut.MyLinear(5, 3, bias)
            layer.double()
            layer.load(state)
            x = torch.randn(*shape, dtype=torch.float64)
            cotangent = torch.randn(*shape[:-1], 3, dtype=torch.float64)
            out, (grad_x,), grads = layer.vjp(x, cotangent=cotangent)
            leaves = {name: value.clone().requires_grad_() for name, value in state.items()}
            source = x.clone().requires_grad_()
            wanted = torch.autograd.grad(expected(source, leaves), [source, *leaves.values()], cotangent)
            assert_close(out, expected(x, state))
            assert grad_x is not None, "no gradient reaches the input"
            assert_close(grad_x, wanted[0])
            for name, want in zip(leaves, wanted[1:], strict=True):
                assert grads.get(name) is not None, f"no gradient reaches {name}"
                assert_close(grads[name], want)


def check_init(sut):
    for n_in, n_out in ((400, 300), (9, 2000)):
        bound = 1 / math.sqrt(n_in)
        first, second = sut.MyLinear(n_in, n_out).state(), sut.MyLinear(n_in, n_out).state()
        for name, value in first.items():
            value = value.double()
            count = value.numel()
            assert torch.isfinite(value).all(), f"{name} has values that are not finite"
            top = value.abs().max().item()
            assert top <= bound * (1 + 1e-5), f"{name}: expected values within ±{bound:.4f}, found {top:.4f}"
            assert top >= 0.9 * bound, f"{name}: expected values up to ±{bound:.4f}, the largest is {top:.4f}"
            slack = 6 * bound / math.sqrt(3 * count)
            mean = value.mean().item()
            assert abs(mean) <= slack, f"{name}: expected a mean near 0, got {mean:.4f}"
            inner = (value.abs() < bound / 2).double().mean().item()
            assert abs(inner - 0.5) <= 3 / math.sqrt(count), (
                f"{name}: expected about half of the values within ±{bound / 2:.4f}, got {inner:.2f}"
            )
            assert not torch.equal(first[name], second[name]), f"two new layers have the same {name}"
        assert not torch.equal(first["weight"][0], first["weight"][1]), "the rows of weight are equal"
        together = torch.cat([value.reshape(-1) for value in first.values()])
        different = together.unique().numel()
        assert different >= 0.98 * together.numel(), (
            f"weight and bias together: only {different} of {together.numel()} values differ, expected independent ones"
        )


def check_own_arithmetic(sut):
    for bias in (True, False):
        layer = sut.MyLinear(4, 3, bias)
        state = weights(4, 3, bias)
        layer.load(state)
        x = torch.randn(2, 4)
        assert_close(layer(x), expected(x, state))
        names = sut.scaffold.called(layer, x)
        ready = [name for name in names if name.startswith(("linear", "bilinear", "conv"))]
        assert not ready, f"forward calls the built-in function {ready[0]}"
        parts = sut.scaffold.built_in_parts(layer)
        assert not parts, f"the layer is or contains a built-in layer: {parts}"
