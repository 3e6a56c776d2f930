import random

import torch
from viva_check import assert_close

IN, HIDDEN = 5, 6


def draw_weights(out, dtype=torch.float64):
    return [torch.randn(*shape, dtype=dtype) * 0.7 for shape in ((HIDDEN, IN), (HIDDEN,), (out, HIDDEN))]


def draw_batch(n, out, kind, dtype=torch.float64):
    """Samples whose errors differ a lot, so that it matters how much each of them counts."""
    x = torch.randn(n, IN, dtype=dtype) * torch.linspace(0.2, 3.0, n, dtype=dtype)[torch.randperm(n)][:, None]
    if kind == "cross_entropy":
        return x, torch.randint(out, (n,))
    return x, torch.randn(n, out, dtype=dtype) * 2


def oracle(weights, batches, kind, rate, momentum):
    """Weights after one full-batch step for each batch, and the losses."""
    leaves = [w.clone().requires_grad_() for w in weights]
    optimizer = torch.optim.SGD(leaves, lr=rate, momentum=momentum)
    functions = {
        "mse": torch.nn.functional.mse_loss,
        "cross_entropy": torch.nn.functional.cross_entropy,
        "smooth": torch.nn.functional.smooth_l1_loss,
    }
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        loss = functions[kind](torch.tanh(x @ leaves[0].T + leaves[1]) @ leaves[2].T, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return [w.detach() for w in leaves], losses


def compare(sut, n, micro, kind, out, steps=1, rate=0.3, momentum=0.0, dtype=torch.float64, leftovers=False):
    weights = draw_weights(out, dtype)
    model, optimizer = sut.scaffold.build(weights, rate, momentum)
    if leftovers:
        sut.scaffold.leave_gradients(model, [torch.randn_like(w) for w in weights])
    batches = [draw_batch(n, out, kind, dtype) for _ in range(steps)]
    expected, losses = oracle(weights, batches, kind, rate, momentum)
    found = [
        sut.accumulated_step(model, optimizer, sut.scaffold.loss(kind), x, y, micro) for x, y in batches
    ]
    precise = dtype == torch.float64
    for name, a, b in zip(("first weight", "bias", "second weight"), sut.scaffold.weights(model), expected):
        assert_close(
            a,
            b,
            rtol=1e-6 if precise else 1e-3,
            atol=1e-8 if precise else 1e-4,
            msg=lambda m, name=name: f"{n} samples by {micro}, {steps} step(s), {kind}: {name} after the step: {m}",
        )
    return found, losses


def check_equal_parts(sut):
    compare(sut, 12, 4, "mse", 2)
    compare(sut, 12, 3, "cross_entropy", 4)
    compare(sut, 6, 1, "smooth", 1)
    compare(sut, 8, 8, "mse", 1)


def check_short_last(sut):
    compare(sut, 10, 4, "mse", 2)
    compare(sut, random.choice([7, 9, 11, 13]), 2, "cross_entropy", 3)
    compare(sut, 5, 4, "smooth", 1)
    compare(sut, 3, 8, "mse", 2)
    compare(sut, 1, 4, "mse", 1)
    compare(sut, 17, 6, "mse", 2, dtype=torch.float32)


def check_leftovers(sut):
    compare(sut, 9, 3, "mse", 2, leftovers=True)
    compare(sut, 10, 4, "cross_entropy", 3, steps=4, momentum=0.9)


def check_loss(sut):
    for n, micro, kind in ((12, 4, "mse"), (11, 4, "cross_entropy"), (5, 8, "smooth")):
        found, losses = compare(sut, n, micro, kind, 3, steps=2)
        for a, b in zip(found, losses):
            assert isinstance(a, float), f"expected a float, got {type(a).__name__}"
            assert_close(a, b, rtol=1e-5, atol=1e-7, msg=lambda m: f"{n} samples by {micro}, returned loss: {m}")


def check_memory(sut):
    for n, micro in ((12, 4), (11, 3), (4, 7), (5, 4), (9, 4)):
        weights = draw_weights(2)
        model, optimizer = sut.scaffold.build(weights, 0.1, 0.0)
        x, y = draw_batch(n, 2, "mse")
        expected, _ = oracle(weights, [(x, y)], "mse", 0.1, 0.0)
        sut.accumulated_step(model, optimizer, sut.scaffold.loss("mse"), x, y, micro)
        assert_close(sut.scaffold.weights(model), expected, rtol=1e-6, atol=1e-8)
        events = sut.scaffold.events(model)
        sizes = [size for what, size in events if what == "forward"]
        assert max(sizes) <= micro, f"the model got {max(sizes)} samples at once, micro_batch is {micro}"
        assert sizes == [min(micro, n - i) for i in range(0, n, micro)], f"{n} samples by {micro}: parts {sizes}"
        waiting = most = 0
        for what, _ in events:
            waiting += 1 if what == "forward" else -1
            most = max(most, waiting)
        assert most == 1, f"{most} parts waited for their backward pass at the same time"
    # The running mean of a BatchNorm tells which samples came when.
    model = sut.builtin("torch.nn.Sequential", sut.builtin("torch.nn.BatchNorm1d", IN), sut.builtin("torch.nn.Linear", IN, 2))
    optimizer = sut.builtin("torch.optim.SGD", model.parameters(), lr=0.1)
    x, running = torch.randn(10, IN) + torch.linspace(-9, 9, 10)[:, None], torch.zeros(IN)
    for part in x.split(4):
        running = 0.9 * running + 0.1 * part.mean(0)
    sut.accumulated_step(model, optimizer, sut.scaffold.loss("mse"), x, torch.randn(10, 2), 4)
    found = model.state()["0.running_mean"]
    assert_close(found, running, rtol=1e-3, atol=1e-3, msg=lambda m: f"10 samples by 4, statistics of the parts in order: {m}")
