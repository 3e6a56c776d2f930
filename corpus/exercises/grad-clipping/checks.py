import torch
from viva_check import assert_close

SHAPES = [(3, 4), (5,), (2, 3, 2), ()]


def draw(norm, shapes=SHAPES):
    """Gradients of the given shapes whose global norm is `norm`."""
    flat = torch.randn(sum(torch.Size(s).numel() for s in shapes), dtype=torch.float64)
    flat = flat + flat.sign() * 0.05
    flat = flat * (norm / flat.norm())
    parts = flat.split([torch.Size(s).numel() for s in shapes])
    return [part.reshape(s).float() for part, s in zip(parts, shapes)]


def build(sut, grads, shapes=None):
    shapes = shapes or [g.shape for g in grads]
    values = [torch.randn(s, dtype=torch.float32 if g is None else g.dtype) for g, s in zip(grads, shapes)]
    return sut.scaffold.Model(values, grads), values


def norm_of(grads):
    total = sum(float(g.double().square().sum()) for g in grads if g is not None)
    return torch.tensor(total**0.5, dtype=torch.float32)


def same(found, expected, message, **tolerance):
    assert len(found) == len(expected), "the number of gradients changed"
    for i, (a, b) in enumerate(zip(found, expected)):
        if b is None:
            assert a is None, f"gradient {i} was None and is not any more"
        else:
            assert isinstance(a, torch.Tensor), f"gradient {i} is no tensor any more"
            assert_close(a, b, msg=lambda m, i=i: f"{message}, gradient {i}: {m}", **tolerance)


UNCHANGED = {"rtol": 0, "atol": 0, "equal_nan": True}


def check_norm(sut):
    for norm, limit in ((7.3, 2.0), (0.8, 2.0), (120.0, 1.0)):
        grads = draw(norm)
        model, _ = build(sut, grads)
        found = sut.clip_gradients(model.parameters(), limit)
        assert isinstance(found, torch.Tensor), f"expected a tensor, got {type(found).__name__}"
        assert_close(found, norm_of(grads), rtol=1e-4, atol=1e-6)


def check_scaling(sut):
    for norm, limit in ((7.3, 2.0), (50.0, 1.0), (2.2, 2.0)):
        grads = draw(norm)
        model, _ = build(sut, grads)
        sut.clip_gradients(model.parameters(), limit)
        expected = [(g.double() * (limit / norm)).float() for g in grads]
        same(model.gradients(), expected, "after clipping", rtol=1e-4, atol=1e-6)


def check_below_threshold(sut):
    for grads, limit in (
        (draw(0.7), 2.0),
        (draw(1.9), 2),
        (draw(30.0), float("inf")),
        ([torch.zeros(3, 2), torch.zeros(4)], 1.0),
    ):
        model, _ = build(sut, grads)
        found = sut.clip_gradients(model.parameters(), limit)
        same(model.gradients(), grads, f"norm {float(norm_of(grads)):.3g} with limit {limit}", **UNCHANGED)
        assert_close(found, norm_of(grads), rtol=1e-4, atol=1e-6)


def check_in_place(sut):
    grads = draw(9.0)
    model, values = build(sut, grads)
    sut.clip_gradients(model.parameters(), 3.0)
    same(model.placed_gradients(), [g / 3.0 for g in grads], "the tensor that stood in .grad", rtol=1e-4, atol=1e-6)
    same(model.gradients(), [g / 3.0 for g in grads], "after clipping", rtol=1e-4, atol=1e-6)
    same(model.values(), values, "parameter values must stay", **UNCHANGED)


def check_missing(sut):
    a, b, c = draw(6.0, [(3, 4), (5,), (2, 2)])
    grads = [None, a, b, None, torch.zeros(0, 3), c]
    shapes = [(2, 2), a.shape, b.shape, (4,), (0, 3), c.shape]
    model, _ = build(sut, grads, shapes)
    assert_close(sut.clip_gradients(model.parameters(), 2.0), norm_of(grads), rtol=1e-4, atol=1e-6)
    expected = [None if g is None else g / 3.0 for g in grads]
    same(model.gradients(), expected, "with missing gradients", rtol=1e-4, atol=1e-6)
    for nobody in (build(sut, [None, None], [(2,), (3,)])[0].parameters(), []):
        assert_close(sut.clip_gradients(nobody, 1.0), torch.tensor(0.0))


def check_low_precision(sut):
    kinds = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
    for chosen in ([torch.float16], [torch.bfloat16], kinds):
        grads = [(torch.randn(40, 50) * 2000.0).to(kind) for kind in chosen]
        model, _ = build(sut, grads)
        norm = norm_of(grads)
        assert_close(sut.clip_gradients(model.parameters(), 100.0), norm, rtol=1e-3, atol=0)
        expected = [(g.double() * (100.0 / float(norm))).to(g.dtype) for g in grads]
        same(model.gradients(), expected, "after clipping", rtol=2e-2, atol=1e-3)


def check_nonfinite(sut):
    for bad in (float("nan"), float("inf"), -float("inf")):
        grads = draw(5.0)
        grads[1][2] = bad
        model, _ = build(sut, grads)
        found = sut.clip_gradients(model.parameters(), 1.0)
        assert_close(found, torch.tensor(abs(bad)), equal_nan=True)
        same(model.gradients(), grads, f"with {bad} in one gradient", **UNCHANGED)
        with sut.raises("RuntimeError"):
            sut.clip_gradients(model.parameters(), 1.0, error_if_nonfinite=True)
        same(model.gradients(), grads, f"after the error about {bad}", **UNCHANGED)
    grads = draw(5.0)
    model, _ = build(sut, grads)
    sut.clip_gradients(model.parameters(), 1.0, error_if_nonfinite=True)
    same(model.gradients(), [g / 5.0 for g in grads], "with error_if_nonfinite and finite gradients", rtol=1e-4, atol=1e-6)


def check_own(sut):
    grads = draw(5.0)
    model, _ = build(sut, grads)
    calls = sut.scaffold.ready_made(sut.get("clip_gradients"), model, 1.0)
    same(model.gradients(), [g / 5.0 for g in grads], "after clipping", rtol=1e-4, atol=1e-6)
    assert calls == 0, "the code calls the ready-made clipping functions of torch.nn.utils"
