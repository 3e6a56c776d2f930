import random

import torch
from viva_check import assert_close


def pieces(dtype=torch.float32, bias=True):
    """Sizes, weights and factors of a layer, all drawn at random."""
    inside, outside, rank = random.randrange(3, 8), random.randrange(2, 7), random.randrange(2, 4)
    return {
        "rank": rank,
        "alpha": float(random.choice((5, 7, 11))),
        "weight": torch.randn(outside, inside, dtype=dtype),
        "bias": torch.randn(outside, dtype=dtype) if bias else None,
        "a": torch.randn(rank, inside, dtype=dtype),
        "b": torch.randn(outside, rank, dtype=dtype),
    }


def formula(x, p):
    out = x @ p["weight"].T + p["alpha"] / p["rank"] * (x @ p["a"].T) @ p["b"].T
    return out if p["bias"] is None else out + p["bias"]


def fresh(sut, p):
    return sut.LoRALinear(sut.scaffold.base_of(p["weight"], p["bias"]), p["rank"], p["alpha"])


def loaded(sut, p):
    layer = fresh(sut, p)
    state = {"base.weight": p["weight"], "lora_a": p["a"], "lora_b": p["b"]}
    layer.load(state if p["bias"] is None else state | {"base.bias": p["bias"]})
    return layer


def close(actual, wanted, what):
    tolerance = {"rtol": 1e-9, "atol": 1e-10} if wanted.dtype == torch.float64 else {"rtol": 1e-4, "atol": 1e-4}
    assert_close(actual, wanted, **tolerance, msg=lambda text: f"{what}: {text}")


def check_start(sut):
    for bias in (True, False):
        p = pieces(bias=bias)
        layer = fresh(sut, p)
        x = torch.randn(4, p["weight"].shape[1])
        a, b = layer.get("lora_a"), layer.get("lora_b")
        assert_close(b, torch.zeros_like(p["b"]), msg=lambda text: f"lora_b at the start: {text}")
        close(layer(x), formula(x, p | {"b": torch.zeros_like(p["b"])}), "output of a new layer")
        assert a.shape == p["a"].shape, f"lora_a has shape {tuple(a.shape)}, expected {tuple(p['a'].shape)}"
        assert a.isfinite().all() and a.unique().numel() == a.numel(), f"lora_a is not random: {a.tolist()}"


def check_forward(sut):
    for dtype in (torch.float32, torch.float64):
        for bias in (True, False):
            p = pieces(dtype, bias)
            layer = loaded(sut, p)
            for lead in ((), (1,), (5,), (2, 3), (0,)):
                x = torch.randn(*lead, p["weight"].shape[1], dtype=dtype)
                close(layer(x), formula(x, p), f"{dtype}, input of shape {tuple(x.shape)}")


def check_gradients(sut):
    p = pieces(torch.float64)
    for start in (False, True):
        layer = fresh(sut, p) if start else loaded(sut, p)
        q = p | {"a": layer.get("lora_a").clone(), "b": layer.get("lora_b").clone()}
        x = torch.randn(6, p["weight"].shape[1], dtype=torch.float64)
        cotangent = torch.randn(6, p["weight"].shape[0], dtype=torch.float64)
        leaves = [value.clone().requires_grad_() for value in (x, q["a"], q["b"])]
        out = formula(leaves[0], q | {"a": leaves[1], "b": leaves[2]})
        wanted = torch.autograd.grad(out, leaves, cotangent)
        _, (grad,), named = layer.vjp(x, cotangent=cotangent)
        assert grad is not None, "no gradient reached the input"
        close(grad, wanted[0], "gradient of the input")
        for name, want in zip(("lora_a", "lora_b"), wanted[1:]):
            got = named.get(name)
            assert got is not None, f"no gradient reached {name}"
            close(got, want, f"gradient of {name}")
        for name, got in named.items():
            assert name.startswith("lora_") or got is None or not got.any(), f"{name} gets a gradient"


def check_merge(sut):
    for dtype, bias in ((torch.float32, True), (torch.float64, True), (torch.float64, False)):
        p = pieces(dtype, bias)
        layer = loaded(sut, p)
        x = torch.randn(5, p["weight"].shape[1], dtype=dtype)
        for _ in range(2):
            merged = layer.merge()
            close(merged(x), formula(x, p), "output of the merged layer")
            close(layer(x), formula(x, p), "output of the layer after merge()")
        linear, has_bias = sut.scaffold.kind(merged)
        assert linear is True, "merge() returned something other than an nn.Linear"
        assert has_bias is bias, f"the base has bias: {bias}, the merged layer: {has_bias}"


def compare(steps, wanted):
    for level, (got, want) in enumerate(zip(steps, wanted)):
        assert len(got) == len(want)
        for one, two in zip(got, want):
            assert abs(one - two) < 1e-4 * max(abs(two), 0.01), (
                f"module {level} of {len(wanted)}: a step moved a parameter by {one:.6f}, expected {two:.6f}"
            )


def check_groups(sut):
    for count in (1, 2, 4):
        lr, decay = random.uniform(0.5, 1.0), random.uniform(0.3, 0.8)
        steps, groups = sut.scaffold.moved(sut.get("layer_groups"), [(3, 3)] * count, lr, decay)
        compare(steps, [[lr * decay ** (count - 1 - level)] * 2 for level in range(count)])
        assert groups == count, f"{groups} groups for {count} modules"
    lr, decay = random.uniform(0.5, 1.0), random.uniform(0.3, 0.8)
    inner = sut.builtin("torch.nn.Sequential", sut.builtin("torch.nn.Linear", 3, 4), sut.builtin("torch.nn.Tanh"))
    layers = [
        sut.builtin("torch.nn.Sequential", inner, sut.builtin("torch.nn.Linear", 4, 5)),
        sut.builtin("torch.nn.Linear", 5, 2),
    ]
    found = sut.layer_groups(layers, lr, decay)
    assert len(found) == 2, f"{len(found)} groups for a module of modules and a layer"
    for group, shapes, rate in zip(found, ([(4,), (4, 3), (5,), (5, 4)], [(2,), (2, 5)]), (lr * decay, lr)):
        got = sorted(tuple(p.shape) for p in group["params"])
        assert got == shapes, f"modules inside modules: a group has parameters of shapes {got}, expected {shapes}"
        assert abs(group["lr"] - rate) < 1e-6, f"modules inside modules: lr {group['lr']:.6f}, expected {rate:.6f}"


def check_special_parameters(sut):
    lr, decay = random.uniform(0.5, 1.0), random.uniform(0.3, 0.8)
    steps, groups = sut.scaffold.moved(sut.get("layer_groups"), [("frozen", 3, 3), (3, 3), "tanh", (3, 3)], lr, decay)
    compare(steps, [[0.0, 0.0], [lr * decay**2] * 2, [], [lr] * 2])
    assert groups == 2, f"{groups} groups, 2 modules have trainable parameters"
    steps, groups = sut.scaffold.moved(sut.get("layer_groups"), [(3, 3), (3, 3), ("tied", 0, 3, 3)], lr, decay)
    compare(steps, [[lr * decay**2] * 2, [lr * decay] * 2, [lr * decay**2, lr]])
    steps, groups = sut.scaffold.moved(sut.get("layer_groups"), [(3, 3, False), ("tied", 0, 3, 3, False)], lr, decay)
    compare(steps, [[lr * decay]] * 2)
    assert groups == 1, f"{groups} groups for one shared parameter"


def check_warmup(sut):
    for ramp, total in ((4, 10), (1, 6), (0, 10), (5, 5), (random.randrange(2, 9), random.randrange(20, 40)), (0, 0)):
        for step in range(total + 3):
            if step < ramp:
                wanted = (step + 1) / ramp
            else:
                wanted = (total - step) / (total - ramp) if step < total else 0.0
            got = sut.warmup(step, ramp, total)
            assert isinstance(got, (int, float)), f"warmup returned {type(got).__name__}"
            assert abs(got - wanted) < 1e-9, f"warmup({step}, {ramp}, {total}): expected {wanted:.4f}, got {got:.4f}"
