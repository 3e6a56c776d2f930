import math
import random

import torch
from viva_check import CandidateError, assert_close


def draw(n, width, missing=0.0):
    """(rows of text, features, labels); numbers are short decimals, so that text and value agree exactly."""
    rows, features, labels = [], [], []
    for _ in range(n):
        values = [math.nan if random.random() < missing else random.randint(-4000, 4000) / 128 for _ in range(width)]
        label = random.randint(0, 99)
        pad = [random.choice(["", " ", "  "]) for _ in range(width + 1)]
        fields = ["" if math.isnan(v) else repr(v) for v in values] + [str(label)]
        rows.append(",".join(p + f + random.choice(["", " "]) for p, f in zip(pad, fields)))
        features.append(torch.tensor(values, dtype=torch.float32))
        labels.append(label)
    return rows, features, labels


def build(sut, n, width=3, missing=0.0, **options):
    rows, features, labels = draw(n, width, missing)
    source = sut.scaffold.Source(rows)
    return sut.TableDataset(source, **options), source, features, labels


def compare(sample, x, y, what):
    assert isinstance(sample, (tuple, list)) and len(sample) == 2, f"{what}: expected a pair (x, y)"
    assert isinstance(sample[0], torch.Tensor), f"{what}: x is a {type(sample[0]).__name__}, not a tensor"
    assert_close(sample[0], x, rtol=0, atol=0, equal_nan=True, msg=lambda m: f"{what}, x: {m}")
    assert type(sample[1]) is int, f"{what}: y is a {type(sample[1]).__name__}, not an int"
    assert sample[1] == y, f"{what}: expected y={y}, got {sample[1]}"


def check_sample(sut):
    for n, width, missing in ((5, 3, 0.0), (1, 1, 0.0), (6, 8, 0.4), (4, 1, 0.5)):
        dataset, _, features, labels = build(sut, n, width, missing)
        assert len(dataset) == n, f"expected len {n}, got {len(dataset)}"
        for i in random.sample(range(n), n):
            compare(dataset[i], features[i], labels[i], f"sample {i} of {n}")
    rows = ["1e-3, +2,-.5, 3E2 ,,7", " 4., -1.25e2,0, .75 , 1e+1,-4"]
    dataset = sut.TableDataset(sut.scaffold.Source(rows))
    compare(dataset[0], torch.tensor([1e-3, 2.0, -0.5, 300.0, math.nan]), 7, f"row {rows[0]!r}")
    compare(dataset[1], torch.tensor([4.0, -125.0, 0.0, 0.75, 10.0]), -4, f"row {rows[1]!r}")
    assert len(build(sut, 0)[0]) == 0, "an empty table should have length 0"


def check_lazy(sut):
    dataset, source, features, labels = build(sut, 40)
    assert len(dataset) == 40
    reads = source.get("reads")
    assert reads == [], f"{len(reads)} rows were read before any sample was asked for"
    i = random.randrange(40)
    compare(dataset[i], features[i], labels[i], f"sample {i}")
    reads = source.get("reads")
    assert reads == [i], f"sample {i} was asked for, rows read: {reads[:5]}"
    (row,), (x,), (y,) = draw(1, 3)
    source.replace(i, row)
    compare(dataset[i], x, y, f"sample {i} after its row has changed in the source")


def check_negative_index(sut):
    for n in (1, 7):
        dataset, _, features, labels = build(sut, n)
        for i in range(-n, 0):
            compare(dataset[i], features[i], labels[i], f"sample {i} of {n}")


def check_out_of_range(sut):
    for n in (0, 1, 6):
        dataset, _, features, labels = build(sut, n)
        for i in (n, n + 1, 3 * n + 2, -n - 1, -2 * n - 3):
            try:
                dataset[i]
            except CandidateError as error:
                assert error.type == "IndexError", f"index {i} of {n} samples: {error.type}, expected IndexError"
            else:
                raise AssertionError(f"index {i} of {n} samples gave a sample")
        if n:
            compare(dataset[n - 1], features[-1], labels[-1], f"sample {n - 1} of {n}")
        found = list(dataset)
        assert len(found) == n, f"a for loop over {n} samples gave {len(found)}"
        for i, sample in enumerate(found):
            compare(sample, features[i], labels[i], f"sample {i} in a for loop")


def check_transform(sut):
    dataset, _, features, labels = build(sut, 5, transform=sut.scaffold.FirstTwo())
    for i in (3, 0, -1):
        compare(dataset[i], features[i][:2] * 2, labels[i], f"sample {i} with a transform")
    dataset, _, features, labels = build(sut, 5, transform=sut.scaffold.Growing())
    for call, i in enumerate((2, 2, 4, 2), start=1):
        compare(dataset[i], features[i] + call, labels[i], f"access number {call} with a transform that varies")


def check_loader(sut):
    n = random.randint(9, 11)
    dataset, source, features, labels = build(sut, n)
    found = sut.scaffold.batches(dataset, 4)
    assert len(found) == 3, f"{n} samples in batches of 4: {len(found)} batches"
    assert_close(torch.cat([b[0] for b in found]), torch.stack(features), rtol=0, atol=0)
    assert_close(torch.cat([b[1] for b in found]), torch.tensor(labels), rtol=0, atol=0)
    other, _, more, others = build(sut, 3)
    both = sut.scaffold.joined(dataset, other)
    assert len(both) == n + 3, f"a + b has {len(both)} samples, expected {n + 3}"
    for i, (x, y) in enumerate(zip(features + more, labels + others)):
        compare(both[i], x, y, f"sample {i} of a + b")
