import random

import torch
from viva_check import assert_close

SHAPES = ((3, 4), (5,), (), (1, 1), (0, 2), (2, 3, 2))


def tensors(dtype, shapes=SHAPES):
    return [torch.randn(shape, dtype=dtype) for shape in shapes]


def away(dtype, shapes=SHAPES):
    """Gradients that are not near zero."""
    return [torch.where(torch.rand(s) < 0.5, -1.0, 1.0).to(dtype) * (0.5 + torch.rand(s, dtype=dtype)) for s in shapes]


def options(**fixed):
    drawn = {
        "lr": random.uniform(0.01, 0.1),
        "betas": (random.uniform(0.3, 0.9), random.uniform(0.7, 0.99)),
        "eps": 1e-8,
        "weight_decay": 0.0,
    }
    return drawn | fixed


class Mirror:
    """The same run with torch's own optimizer, in the judge's process."""

    def __init__(self, groups, opts):
        self.params = []
        self.optimizer = torch.optim.AdamW([self.group(*g) for g in groups], **opts, foreach=False)

    def group(self, values, opts):
        params = [value.clone().requires_grad_() for value in values]
        self.params += params
        return {"params": params, **opts}

    def add(self, values, opts):
        self.optimizer.add_param_group(self.group(values, opts))

    def change(self, group, name, value):
        self.optimizer.param_groups[group][name] = value

    def step(self, grads):
        for p, grad in zip(self.params, grads):
            p.grad = None if grad is None else grad.clone()
        self.optimizer.step()
        return [p.detach().clone() for p in self.params]


def compare(actual, wanted, what):
    assert len(actual) == len(wanted)
    for one, two in zip(actual, wanted):
        tolerance = {"rtol": 1e-9, "atol": 1e-11} if two.dtype == torch.float64 else {"rtol": 1e-4, "atol": 1e-5}
        assert_close(one, two, **tolerance, msg=lambda text: f"{what}: {text}")


def both(sut, groups, opts):
    return sut.scaffold.Run(sut.get("AdamW"), groups, opts), Mirror(groups, opts)


def follow(run, mirror, gradients, what):
    for n, grads in enumerate(gradients, 1):
        wanted = mirror.step(grads)
        values, after = run.step(grads)
        compare(values, wanted, f"{what}, step {n}")
        for grad, left in zip(grads, after):
            if grad is not None:
                assert_close(left, grad, rtol=0, atol=0, msg=lambda text: f"{what}, step {n} changed a gradient: {text}")


def check_first_step(sut):
    for dtype in (torch.float32, torch.float64):
        values, grads, opts = tensors(dtype), away(dtype), options()
        run, _ = both(sut, [(values, {})], opts)
        after, _ = run.step(grads)
        for value, grad, got in zip(values, grads, after):
            assert_close(got, value - opts["lr"] * grad.sign(), rtol=1e-4, atol=1e-5)


def check_trajectory(sut):
    double = torch.float64
    for opts in (options(), options(betas=(0.9, 0.999))):
        run, mirror = both(sut, [(tensors(double), {})], opts)
        follow(run, mirror, [tensors(double) for _ in range(6)], "float64")
    run, mirror = both(sut, [(tensors(torch.float32), {})], options())
    follow(run, mirror, [away(torch.float32) for _ in range(5)], "float32")
    for scale, eps in ((1e-6, 1e-6), (1.0, 0.1), (1e4, 1e-8)):
        run, mirror = both(sut, [(tensors(double), {})], options(eps=eps))
        gradients = [[grad * scale for grad in tensors(double)] for _ in range(4)]
        follow(run, mirror, gradients, f"gradients of about {scale:g} with eps={eps:g}")
    run, mirror = both(sut, [(tensors(double), {})], {"weight_decay": 0.0})
    follow(run, mirror, [tensors(double) for _ in range(3)], "default lr, betas and eps")


def check_decay(sut):
    values, opts = tensors(torch.float64), options(weight_decay=random.uniform(0.1, 0.9))
    run, _ = both(sut, [(values, {})], opts)
    after, _ = run.step([torch.zeros_like(value) for value in values])
    factor = 1 - opts["lr"] * opts["weight_decay"]
    compare(after, [value * factor for value in values], "zero gradients")
    run, mirror = both(sut, [(values, {})], opts)
    follow(run, mirror, [tensors(torch.float64) for _ in range(5)], "with weight_decay")
    run, mirror = both(sut, [(values, {})], {})
    follow(run, mirror, [tensors(torch.float64) for _ in range(2)], "all defaults")


def check_missing_grads(sut):
    double = torch.float64
    run, mirror = both(sut, [(tensors(double), {})], options(weight_decay=0.3))
    frozen = random.randrange(2)
    gradients = []
    for n in range(6):
        grads = tensors(double)
        grads[frozen] = None if n < 2 or n == 4 else grads[frozen]
        grads[5] = None
        gradients.append(grads)
    follow(run, mirror, gradients, "some gradients are None")


def check_groups(sut):
    double = torch.float64
    groups = [
        (tensors(double), {"lr": 0.07, "weight_decay": 0.5}),
        (tensors(double), {"betas": (0.2, 0.6), "eps": 0.01}),
    ]
    run, mirror = both(sut, groups, options())
    follow(run, mirror, [tensors(double, SHAPES * 2) for _ in range(3)], "two groups")
    for one in (run, mirror):
        one.change(0, "lr", 0.003)
        one.change(1, "weight_decay", 0.4)
    follow(run, mirror, [tensors(double, SHAPES * 2) for _ in range(2)], "after a change of lr and weight_decay")
    betas = (random.uniform(0.3, 0.9), random.uniform(0.7, 0.99))
    for one in (run, mirror):
        one.change(0, "betas", betas)
        one.change(1, "eps", 0.1)
    follow(run, mirror, [tensors(double, SHAPES * 2) for _ in range(2)], "after a change of betas and eps")
    late = tensors(double)
    for one in (run, mirror):
        one.add(late, {"lr": 0.2})
    follow(run, mirror, [tensors(double, SHAPES * 3) for _ in range(3)], "a group added later")


def check_resume(sut):
    double = torch.float64
    values, opts = tensors(double), options(weight_decay=0.2)
    run, mirror = both(sut, [(values, {})], opts)
    follow(run, mirror, [tensors(double) for _ in range(3)], "before saving")
    state, now = run.saved(), run.values()
    other, _ = both(sut, [(tensors(double), {})], options())
    other.step(tensors(double))
    other.resume(state, now)
    follow(other, mirror, [tensors(double) for _ in range(3)], "after loading state_dict()")


def check_closure(sut):
    values, opts = tensors(torch.float64), options(weight_decay=0.1)
    target = random.uniform(-2, 2)
    run, mirror = both(sut, [(values, {})], opts)
    for n in (1, 2, 3):
        leaves = [p.detach().clone() for p in mirror.params]
        wanted_loss = sum((p - target).square().sum() for p in leaves)
        wanted = mirror.step([2 * (p - target) for p in leaves])
        loss, calls, after = run.step_with_closure(target)
        assert calls == 1, f"step(closure) called the closure {calls} times"
        assert isinstance(loss, torch.Tensor), f"step(closure) returned {loss!r}"
        assert_close(loss, wanted_loss, msg=lambda text: f"returned loss, step {n}: {text}")
        compare(after, wanted, f"closure, step {n}")
    got = sut.scaffold.step_without_closure(sut.get("AdamW"), torch.randn(3))
    assert got is None, f"step() returned {got!r}"
