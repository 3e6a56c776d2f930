import torch
import torch.nn.functional as F

from viva_check import assert_close

SIZES = ((8, 5), (1, 3), (3, 1), (7, 11))


def expected(logits, target, smoothing=0.0):
    return F.cross_entropy(logits.double(), target, label_smoothing=smoothing)


def scalar(out, dtype=torch.float32):
    assert isinstance(out, torch.Tensor), f"expected a tensor, got {type(out).__name__}"
    assert out.shape == (), f"expected shape (), got {tuple(out.shape)}"
    assert out.dtype == dtype, f"expected {dtype}, got {out.dtype}"
    return out.double()


def batch(n, c, dtype=torch.float32):
    return (1.5 * torch.randn(n, c)).to(dtype), torch.randint(c, (n,))


def far_apart(n, c):
    logits = 200 * torch.randn(n, c)
    logits[0::2] += 5000
    logits[1::2] -= 5000
    target = torch.randint(c, (n,))
    target[:2] = logits[:2].argmin(dim=1)
    return logits, target


def check_values(sut):
    for n, c in SIZES:
        logits, target = batch(n, c)
        out = scalar(sut.cross_entropy(logits, target))
        assert_close(out, expected(logits, target), rtol=1e-4, atol=1e-5)


def check_smoothing(sut):
    for n, c in SIZES:
        for smoothing in (0.05 + 0.4 * torch.rand(()).item(), 1.0):
            logits, target = batch(n, c)
            out = scalar(sut.cross_entropy(logits, target, label_smoothing=smoothing))
            assert_close(out, expected(logits, target, smoothing), rtol=1e-4, atol=1e-5)


def check_large_logits(sut):
    for right, value in ((1, 0.0), (0, 1000.0)):
        out = scalar(sut.cross_entropy(torch.tensor([[0.0, 1000.0]]), torch.tensor([right])))
        assert_close(out, torch.tensor(value).double(), rtol=1e-4, atol=1e-4)
    for smoothing in (0.0, 0.1):
        logits, target = far_apart(6, 5)
        out = scalar(sut.cross_entropy(logits, target, label_smoothing=smoothing))
        assert_close(out, expected(logits, target, smoothing), rtol=1e-4, atol=5e-3)
    level = torch.full((4, 3), -3000.0)
    out = scalar(sut.cross_entropy(level, torch.tensor([0, 1, 2, 0])))
    assert_close(out, torch.tensor(3.0).double().log(), rtol=1e-4, atol=1e-3)


def check_inputs_unchanged(sut):
    logits, target = batch(6, 4)
    out, after = sut.watch("cross_entropy", logits, target, label_smoothing=0.1)
    assert torch.equal(after[0], logits), "the logits were changed"
    assert torch.equal(after[1], target), "the targets were changed"
    assert_close(scalar(out), expected(logits, target, 0.1), rtol=1e-4, atol=1e-5)


def check_gradients(sut):
    for smoothing in (0.0, 0.2):
        ties = torch.ones(3, 4), torch.tensor([0, 3, 1])
        for (logits, target), atol in ((batch(5, 4), 1e-5), (batch(1, 3), 1e-5), (ties, 1e-5), (far_apart(4, 3), 2e-3)):
            cotangent = torch.randn(()).double()
            out, (got, _) = sut.vjp(
                "cross_entropy", logits, target, cotangent=cotangent.float(), label_smoothing=smoothing
            )
            scalar(out)
            leaf = logits.double().requires_grad_()
            (want,) = torch.autograd.grad(expected(leaf, target, smoothing), leaf, cotangent)
            assert got is not None, "no gradient reached the logits"
            assert_close(got, want.float(), rtol=1e-3, atol=atol)


def check_empty_batch(sut):
    for smoothing in (0.0, 0.1):
        out = sut.cross_entropy(torch.zeros(0, 4), torch.zeros(0, dtype=torch.int64), label_smoothing=smoothing)
        value = scalar(out).item()
        assert value == 0, f"expected 0, got {value}"


def check_dtypes(sut):
    for dtype in (torch.bfloat16, torch.float16):
        logits, target = batch(16, 9, dtype)
        out = scalar(sut.cross_entropy(logits, target, label_smoothing=0.1))
        assert_close(out, expected(logits, target, 0.1), rtol=1e-5, atol=1e-5)
    logits, target = batch(16, 9, torch.float64)
    logits = logits + 1e-9 * torch.randn(16, 9, dtype=torch.float64)
    out = scalar(sut.cross_entropy(logits, target), torch.float64)
    assert_close(out, expected(logits, target), rtol=1e-12, atol=1e-12)


def check_own_arithmetic(sut):
    function = sut.get("cross_entropy")
    for smoothing in (0.0, 0.1):
        logits, target = batch(4, 3)
        out = scalar(sut.cross_entropy(logits, target, smoothing))
        assert_close(out, expected(logits, target, smoothing), rtol=1e-4, atol=1e-5)
        for name in sut.scaffold.called(function, logits, target, smoothing):
            ready = "softmax" in name or "logsumexp" in name or "cross_entropy" in name or name.endswith("_loss")
            assert not ready, f"the code calls the ready-made {name}"
