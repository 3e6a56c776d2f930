import random

import torch
from viva_check import assert_close

SHAPES = [(6, 5), (4,), (3, 2, 4), (7, 3)]


def draw(shapes=SHAPES, scale=1.0):
    return [torch.randn(shape) * scale for shape in shapes]


def masks_of(got, weights):
    assert isinstance(got, (list, tuple)), f"expected a list of masks, got {type(got).__name__}"
    assert len(got) == len(weights), f"expected {len(weights)} masks, got {len(got)}"
    for mask, weight in zip(got, weights):
        assert isinstance(mask, torch.Tensor), "a mask is not a tensor"
        assert mask.dtype == torch.bool, f"a mask has dtype {mask.dtype}, expected torch.bool"
        assert mask.shape == weight.shape, f"a mask has shape {tuple(mask.shape)}, its weight {tuple(weight.shape)}"
    return list(got)


def split(weights, masks):
    """Magnitudes of the kept and of the pruned weights."""
    flat = torch.cat([w.abs().double().flatten() for w in weights])
    keep = torch.cat([m.flatten() for m in masks])
    return flat[keep], flat[~keep]


def compare(weights, masks, amount):
    kept, pruned = split(weights, masks)
    total, want = len(kept) + len(pruned), round(amount * (len(kept) + len(pruned)))
    assert len(pruned) == want, f"amount {amount:.3g} of {total} weights: expected {want} pruned, got {len(pruned)}"
    if len(kept) and len(pruned):
        assert pruned.max() <= kept.min(), f"pruned |w| up to {pruned.max():.4f}, kept from {kept.min():.4f}"


def check_smallest(sut):
    for amount in (0.1, 0.3, 0.8):
        weights = draw([(12, 9)])
        got, (after, *_) = sut.watch("global_masks", weights, amount)
        compare(weights, masks_of(got, weights), amount)
        assert_close(after, weights, rtol=0, atol=0, msg=lambda m: f"the weights were changed: {m}")


def check_global(sut):
    for amount in (0.2, 0.52, 0.9):
        weights = draw()
        compare(weights, masks_of(sut.global_masks(weights, amount), weights), amount)
        scales = [0.01, 1.0, 30.0, 5.0]
        random.shuffle(scales)
        weights = [w * s for w, s in zip(weights, scales)]
        compare(weights, masks_of(sut.global_masks(weights, amount), weights), amount)
    trainer = sut.scaffold.Trainer(weights, "SGD", lr=0.1)
    compare(weights, masks_of(trainer.masks(sut.get("global_masks"), 0.52), weights), 0.52)


def check_exact_count(sut):
    for weights in (
        draw([(5, 5), (1,)]),
        [torch.full((4, 4), 0.5), -torch.full((9,), 0.5)],
        [torch.zeros(30), torch.randn(10)],
        [torch.randint(-2, 3, (20, 5)).float()],
        [torch.zeros(0, 3), torch.randn(11)],
        [torch.randn(5, 7).t(), torch.randn(3)],
    ):
        for amount in (0.0, 0.23, 0.61, 1.0):
            compare(weights, masks_of(sut.global_masks(weights, amount), weights), amount)
    for total in (5, 9, 13, 11):
        weights = draw([(total,)])
        compare(weights, masks_of(sut.global_masks(weights, 0.5), weights), 0.5)


def check_previous(sut):
    for _ in range(3):
        weights = draw()
        total = sum(w.numel() for w in weights)
        first = masks_of(sut.global_masks(weights, 0.3), weights)
        moved = [torch.where(m, w, torch.full_like(w, 9.0)) for w, m in zip(draw(), first)]
        for amount in (0.6, 0.3, 0.1):
            got = masks_of(sut.global_masks(moved, amount, first), moved)
            back = sum(int((g & ~m).sum()) for g, m in zip(got, first))
            assert back == 0, f"{back} weights that had been pruned are alive again"
            pruned = sum(int((~g).sum()) for g in got)
            want = max(round(amount * total), round(0.3 * total))
            assert pruned == want, f"amount {amount} after 0.3: expected {want} of {total} pruned, got {pruned}"
            alive = [torch.where(m, w, torch.zeros_like(w)) for w, m in zip(moved, first)]
            kept, dropped = split(alive, got)
            assert dropped.max() <= kept.min(), "a kept weight is smaller than one pruned in the second round"


def check_apply(sut):
    weights = draw()
    masks = [torch.rand(w.shape) < 0.5 for w in weights]
    trainer = sut.scaffold.Trainer(weights, "SGD", lr=0.1)
    trainer.apply(sut.get("apply_masks"), masks)
    want = [torch.where(m, w, torch.zeros_like(w)) for w, m in zip(weights, masks)]
    assert_close(trainer.values(), want, rtol=0, atol=0, msg=lambda m: f"the optimizer's parameters: {m}")
    assert_close(trainer.listed(), want, rtol=0, atol=0, msg=lambda m: f"the listed weights: {m}")


def check_training(sut):
    function = sut.get("masked_step")
    for name, options in (
        ("SGD", {"lr": 0.1}),
        ("SGD", {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01}),
        ("AdamW", {"lr": 0.05}),
    ):
        values = draw()
        trainer = sut.scaffold.Trainer(values, name, **options)
        mine = [v.clone().requires_grad_() for v in values]
        optimizer = getattr(torch.optim, name)(mine, **options)
        masks = [torch.rand(v.shape) < 0.5 for v in values]
        for step in range(6):
            grads = draw()
            for weight, grad in zip(mine, grads):
                weight.grad = grad.clone()
            optimizer.step()
            if step < 3:
                trainer.dense_step(grads)
                continue
            with torch.no_grad():
                for weight, mask in zip(mine, masks):
                    weight[~mask] = 0.0
            got = trainer.masked_step(function, masks, grads)
            alive = sum(int((g[~m] != 0).sum()) for g, m in zip(got, masks))
            assert alive == 0, f"{name} {options}: after masked step {step - 2}, {alive} pruned weights are not 0"
            kept = [g[m] for g, m in zip(got, masks)]
            want = [w.detach()[m] for w, m in zip(mine, masks)]
            assert_close(kept, want, rtol=1e-4, atol=1e-6, msg=lambda m: f"{name} {options}: kept weights: {m}")
