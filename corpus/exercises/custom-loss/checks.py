import random

import torch
import torch.nn.functional as F
from viva_check import assert_close

REDUCTIONS = ("none", "sum", "mean")


def expected(logits, target, gamma=2.0, ignore_index=-100, reduction="mean"):
    """In float64; 0 where nothing is counted."""
    cross_entropy = F.cross_entropy(logits.double(), target, ignore_index=ignore_index, reduction="none")
    losses = (1 - torch.exp(-cross_entropy)) ** gamma * cross_entropy
    if reduction == "none":
        return losses
    return losses.sum() if reduction == "sum" else losses.sum() / max(int((target != ignore_index).sum()), 1)


def batch(*shape, ignored=None, scale=1.5):
    """Logits of this shape and targets, about a third of them `ignored`: at least one, and not all."""
    n, c, *rest = shape
    logits, target = scale * torch.randn(shape), torch.randint(c, (n, *rest))
    if ignored is not None:
        target = torch.where(target == ignored, (target + 1) % c, target).flatten()
        places = torch.randperm(target.numel())[: max(target.numel() // 3, 1)]
        target[places] = ignored
        target = target.view(n, *rest)
    return logits, target


def any_gamma():
    return 1 + 3 * random.random()


def compare(out, want, text, rtol=1e-4, atol=1e-5):
    assert isinstance(out, torch.Tensor), f"{text}: expected a tensor, got {type(out).__name__}"
    assert out.dtype == torch.float32, f"{text}: expected torch.float32, got {out.dtype}"
    assert_close(out.double(), want, rtol=rtol, atol=atol, msg=lambda m: f"{text}: {m}")


def check_values(sut):
    for n, c in ((8, 5), (1, 3), (7, 2), (3, 11)):
        for gamma in (0.0, 1.0, 2.0, any_gamma()):
            for reduction in REDUCTIONS:
                logits, target = batch(n, c)
                out = sut.focal_loss(logits, target, gamma=gamma, reduction=reduction)
                compare(out, expected(logits, target, gamma, reduction=reduction), f"gamma={gamma:.2f}, {reduction}")
    logits, target = batch(6, 4)
    compare(sut.focal_loss(logits, target), expected(logits, target), "default arguments")


def check_ignore_index(sut):
    for ignored in (-100, 255, -1, 0, 3):
        for gamma in (0.0, any_gamma()):
            for reduction in REDUCTIONS:
                logits, target = batch(9, 5, ignored=ignored)
                options = {"gamma": gamma, "ignore_index": ignored, "reduction": reduction}
                out = sut.focal_loss(logits, target, **options)
                compare(out, expected(logits, target, **options), f"ignore_index={ignored}, {reduction}")


def check_large_logits(sut):
    for right, value in ((1, 0.0), (0, 1000.0)):
        out = sut.focal_loss(torch.tensor([[0.0, 1000.0]]), torch.tensor([right]))
        compare(out, torch.tensor(value).double(), f"logits 0 and 1000, target {right}", atol=1e-3)
    for gamma in (0.0, 1.0, any_gamma()):
        logits, target = batch(8, 5, scale=200.0)
        logits[0::2] += 3000
        logits[1::2] -= 3000
        for reduction in ("none", "mean"):
            out = sut.focal_loss(logits, target, gamma=gamma, reduction=reduction)
            compare(out, expected(logits, target, gamma, reduction=reduction), "large logits", atol=5e-3)


def check_gradients(sut):
    sure = torch.tensor([[90.0, 0.0, 0.0], [0.0, 0.0, 90.0]]), torch.tensor([0, 0])
    for logits, target in (batch(6, 4), batch(7, 5, ignored=-100), batch(1, 3), sure):
        for gamma in (0.0, 1.0, 2.0, any_gamma()):
            for reduction in REDUCTIONS:
                cotangent = torch.randn(target.shape if reduction == "none" else ())
                _, (got, _) = sut.vjp(
                    "focal_loss", logits, target, cotangent=cotangent, gamma=gamma, reduction=reduction
                )
                leaf = logits.double().requires_grad_()
                out = expected(leaf, target, gamma, reduction=reduction)
                (want,) = torch.autograd.grad(out, leaf, cotangent.double())
                assert got is not None, "no gradient reaches the logits"
                assert_close(
                    got.double(), want, rtol=1e-3, atol=2e-5, msg=lambda m: f"gamma={gamma:.2f}, {reduction}: {m}"
                )


def check_dense_targets(sut):
    for shape in ((2, 3, 5), (2, 4, 3, 3), (1, 2, 6, 1), (3, 3, 3, 3)):
        for reduction in REDUCTIONS:
            logits, target = batch(*shape, ignored=255)
            gamma = any_gamma()
            options = {"gamma": gamma, "ignore_index": 255, "reduction": reduction}
            out = sut.focal_loss(logits, target, **options)
            compare(out, expected(logits, target, **options), f"logits {shape}, {reduction}")


def check_nothing_counted(sut):
    for n in (0, 1, 4):
        for gamma in (0.0, 2.0):
            for reduction in REDUCTIONS:
                logits, target = torch.randn(n, 3), torch.full((n,), -100)
                shape = (n,) if reduction == "none" else ()
                out, (grad, _) = sut.vjp(
                    "focal_loss", logits, target, cotangent=torch.ones(shape), gamma=gamma, reduction=reduction
                )
                text = f"{n} targets, all ignored, {reduction}"
                compare(out, torch.zeros(shape).double(), text)
                if grad is not None:
                    assert_close(grad, torch.zeros(n, 3), msg=lambda m: f"{text}, gradient: {m}")


def check_contract(sut):
    logits, target = batch(6, 4, ignored=-100)
    out, (logits_after, target_after, *_) = sut.watch("focal_loss", logits, target)
    assert_close(logits_after, logits, rtol=0, atol=0, msg=lambda m: f"the logits were changed: {m}")
    assert_close(target_after, target, rtol=0, atol=0, msg=lambda m: f"the targets were changed: {m}")
    compare(out, expected(logits, target), "mean")
    for reduction in ("average", ""):
        with sut.raises("ValueError"):
            sut.focal_loss(logits, target, reduction=reduction)
    logits, target = logits.double() + 1e-9 * torch.randn(6, 4).double(), target.clone()
    out = sut.focal_loss(logits, target)
    assert out.dtype == torch.float64, f"float64 logits: expected torch.float64, got {out.dtype}"
    assert_close(out, expected(logits, target), rtol=1e-12, atol=1e-12, msg=lambda m: f"float64 logits: {m}")
