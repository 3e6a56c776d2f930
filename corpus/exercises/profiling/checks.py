import random

import torch

NAMES = ["aten::linear", "aten::addmm", "aten::mm", "aten::copy_", "aten::softmax", "aten::add", "aten::sum"]


def record(name, start, end, thread=1):
    return {"name": name, "thread": thread, "start": start, "end": end}


def grow(start, thread, depth, own):
    """A random tree of events beginning at `start`: its records, and the time after it; `own` collects self times."""
    name = random.choice(NAMES)
    entry = own.setdefault(name, [0, 0])
    entry[1] += 1
    now, inner = start, []
    for _ in range(random.randint(1, 3) if depth else 0):
        gap = random.choice([0, 0, random.randint(1, 40)])
        entry[0] += gap
        children, now = grow(now + gap, thread, depth - 1, own)
        inner += children
    tail = random.randint(1, 60)
    entry[0] += tail
    return [record(name, start, now + tail, thread), *inner], now + tail


def expected(own):
    return sorted(((n, t, c) for n, (t, c) in own.items()), key=rank)


def rank(row):
    return -row[1], row[0]


def compare(sut, records, want, k=100, ordered=False):
    """Compare all rows; their order only where the check is about it."""
    got = sut.top_operators(records, k)
    assert isinstance(got, list), f"expected a list, got {type(got).__name__}"
    assert all(isinstance(row, (tuple, list)) and len(row) == 3 for row in got), "every row has three parts"
    rows = [tuple(row) for row in got] if ordered else sorted((tuple(row) for row in got), key=rank)
    assert rows == want, f"expected {want[:4]}, got {rows[:4]}"


def check_self_time(sut):
    for _ in range(5):
        a, b, c = (random.randint(5, 90) for _ in range(3))
        outer = record("aten::linear", 100, 100 + a + b + c)
        inner = record("aten::addmm", 100 + a, 100 + a + b)
        want = {"aten::linear": [a + c, 1], "aten::addmm": [b, 1]}
        compare(sut, [outer, inner], expected(want))
    compare(sut, [record("aten::mm", 7, 19)], [("aten::mm", 12, 1)])
    compare(sut, [], [])


def check_aggregation(sut):
    for _ in range(5):
        own, now, records = {}, 0, []
        for _ in range(random.randint(8, 14)):
            outer, inner = random.sample(NAMES, 2)
            a, b, c = (random.randint(1, 50) for _ in range(3))
            records += [record(outer, now, now + a + b + c), record(inner, now + a, now + a + b)]
            for name, time in ((outer, a + c), (inner, b)):
                entry = own.setdefault(name, [0, 0])
                entry[0] += time
                entry[1] += 1
            now += a + b + c + random.randint(1, 9)
        compare(sut, records, expected(own))


def check_nesting(sut):
    for _ in range(5):
        records, now, own = [], 0, {}
        for _ in range(4):
            tree, now = grow(now + random.randint(1, 9), 1, 4, own)
            records += tree
        compare(sut, records, expected(own))


def check_any_order(sut):
    for _ in range(5):
        records, now, own = [], 0, {}
        for _ in range(5):
            tree, now = grow(now, 1, 3, own)
            records += tree
        for shuffled in (records[::-1], random.sample(records, len(records))):
            compare(sut, shuffled, expected(own))


def check_threads(sut):
    for _ in range(5):
        records, own = [], {}
        for thread in random.sample(range(1000), 3):
            now = random.randint(0, 20)
            for _ in range(3):
                tree, now = grow(now + random.randint(0, 5), thread, 2, own)
                records += tree
        random.shuffle(records)
        compare(sut, records, expected(own))


def check_ranking(sut):
    for _ in range(5):
        time = random.randint(3, 30)
        order = random.sample(NAMES, len(NAMES))
        records = [record(n, 100 * i, 100 * i + time) for i, n in enumerate(order)]
        records += [record("aten::view", 5000 + 10 * i, 5000 + 10 * i) for i in range(90)]
        want = [*((n, time, 1) for n in sorted(NAMES)), ("aten::view", 0, 90)]
        for k in (1, 3, len(want), 50):
            compare(sut, records, want[:k], k, ordered=True)
        got = [tuple(row) for row in sut.top_operators(records)]
        assert got == want[:5], f"without k expected five rows, got {len(got)}"


def check_profiled_steps(sut):
    for _ in range(2):
        mm, cumsum = random.randint(1, 6), random.randint(7, 12)
        warmup, active = random.randint(1, 3), random.randint(2, 4)
        step = sut.scaffold.Step(mm, cumsum, first_extra=random.randint(1, 5))
        counts = sut.count_operators(step, warmup, active)
        assert isinstance(counts, dict), f"expected a dict, got {type(counts).__name__}"
        for name, want in (("aten::mm", mm * active), ("aten::cumsum", cumsum * active)):
            got = counts.get(name)
            assert got == want, f"{name}: {want} calls in {active} active steps, counted {got}"
        strange = [name for name in counts if not str(name).startswith("aten::")]
        assert not strange, f"not an operator: {strange[:3]}"
        calls = step.get("calls")
        assert calls == warmup + active, f"the step ran {calls} times, expected {warmup} + {active}"
    # an optimizer's step is a record of its own, and no operator
    optimizer = sut.builtin("torch.optim.SGD", [torch.ones(3)], lr=0.1)
    strange = [name for name in sut.count_operators(optimizer.get("step"), 1, 2) if not str(name).startswith("aten::")]
    assert not strange, f"not an operator: {strange[:3]}"
    step = sut.scaffold.Step(2, 1, first_extra=3)
    counts = sut.count_operators(step, 0, 1)
    assert counts.get("aten::mm") == 5, (
        f"without warm-up the first step counts: expected 5, got {counts.get('aten::mm')}"
    )
