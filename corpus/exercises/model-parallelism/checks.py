import random

import torch
from viva_check import assert_close


def draw(stages, rows, width=5):
    widths = [random.randint(2, width) for _ in range(stages + 1)]
    weights = [torch.randn(o, i) for i, o in zip(widths, widths[1:])]
    biases = [torch.randn(o) for o in widths[1:]]
    return weights, biases, torch.randn(rows, widths[0]), torch.randn(rows, widths[-1])


def full_batch(weights, biases, x, target):
    """(loss, gradients) of the whole batch at once."""
    leaves = [[w.clone().requires_grad_(), b.clone().requires_grad_()] for w, b in zip(weights, biases)]
    out = x
    for w, b in leaves:
        out = torch.tanh(out @ w.t() + b)
    loss = (out - target).square().mean()
    loss.backward()
    return loss.detach(), [[p.grad for p in pair] for pair in leaves]


def compare(sut, stages, rows, chunks, strict=True):
    weights, biases, x, target = draw(stages, rows)
    machine = sut.scaffold.Machine(weights, biases, strict=strict)
    got = machine.step(sut.get("pipeline_step"), x, target, chunks)
    where = f"{stages} stages, {rows} rows, {chunks} chunks"
    assert isinstance(got, torch.Tensor), f"{where}: the loss is not a tensor"
    want, grads = full_batch(weights, biases, x, target)
    assert_close(got, want, rtol=1e-4, atol=1e-6, msg=lambda m: f"{where}: loss: {m}")
    for i, (found, expected) in enumerate(zip(machine.gradients(), grads)):
        assert all(g is not None for g in found), f"{where}: stage {i} has no gradient"
        assert_close(found, expected, rtol=1e-4, atol=1e-5, msg=lambda m: f"{where}: gradients of stage {i}: {m}")
    return machine, weights, biases


def check_schedule(sut):
    for stages, chunks in ((2, 3), (3, 5), (4, 2), (1, 4), (5, 1), (random.randint(3, 7), random.randint(3, 9))):
        got = sut.schedule(stages, chunks)
        assert isinstance(got, (list, tuple)), f"expected a list of ticks, got {type(got).__name__}"
        ticks = [sorted(tuple(pair) for pair in tick) for tick in got]
        want = [[] for _ in range(stages + chunks - 1)]
        for stage in range(stages):
            for chunk in range(chunks):
                want[stage + chunk].append((stage, chunk))
        where = f"{stages} stages, {chunks} micro-batches"
        assert len(ticks) == len(want), f"{where}: expected {len(want)} ticks, got {len(ticks)}"
        for i, (a, b) in enumerate(zip(ticks, want)):
            assert a == b, f"{where}: tick {i}: expected {b}, got {a}"


def check_same_result(sut):
    for stages, rows, chunks in ((2, 8, 4), (2, 6, 2), (3, 12, 4), (1, 4, 2)):
        compare(sut, stages, rows, chunks, strict=False)


def check_placement(sut):
    for stages, rows, chunks in ((2, 8, 4), (3, 6, 3), (2, 4, 1)):
        compare(sut, stages, rows, chunks)


def check_uneven(sut):
    for stages, rows, chunks in ((2, 7, 3), (3, 10, 4), (2, 3, 8), (2, 1, 4), (2, 5, 1)):
        compare(sut, stages, rows, chunks)


def check_micro_batches(sut):
    for stages, rows, chunks in ((2, 12, 4), (3, 11, 3), (2, 2, 5)):
        machine, *_ = compare(sut, stages, rows, chunks)
        log = machine.get("log")
        most = -(-rows // chunks)
        for stage in range(stages):
            sizes = [n for s, n in log if s == stage]
            assert sum(sizes) == rows, f"stage {stage} saw {sum(sizes)} rows of {rows}"
            assert len(sizes) <= chunks, f"{rows} rows in {chunks} chunks: stage {stage} got {len(sizes)} micro-batches"
            bad = [n for n in sizes if not 0 < n <= most]
            assert not bad, f"{rows} rows in {chunks} chunks: stage {stage} got micro-batches of {sizes} rows"


def check_order(sut):
    for stages, rows, chunks in ((3, 8, 4), (4, 10, 5), (2, 6, 3)):
        machine, *_ = compare(sut, stages, rows, chunks)
        seen, last = [0] * stages, 0
        for stage, _ in machine.get("log"):
            tick = stage + seen[stage]
            assert tick >= last, f"stage {stage}, micro-batch {seen[stage]} (tick {tick}) ran after tick {last}"
            seen[stage], last = seen[stage] + 1, tick


def check_accumulates(sut):
    weights, biases, x, target = draw(2, 6)
    machine = sut.scaffold.Machine(weights, biases)
    for _ in range(2):
        machine.step(sut.get("pipeline_step"), x, target, 3)
    _, grads = full_batch(weights, biases, x, target)
    doubled = [[g * 2 for g in pair] for pair in grads]
    assert_close(machine.gradients(), doubled, rtol=1e-4, atol=1e-5, msg=lambda m: f"gradients after two steps: {m}")
    before = [[w, b] for w, b in zip(weights, biases)]
    assert_close(machine.values(), before, rtol=0, atol=0, msg=lambda m: f"the parameters changed: {m}")
