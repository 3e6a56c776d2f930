import random

import torch
from viva_check import assert_close


def tokens(lengths):
    return [torch.randint(1, 1000, (length,)) for length in lengths]


def padded_by_hand(sequences, value):
    shape = (len(sequences), max(len(s) for s in sequences), *sequences[0].shape[1:])
    out = torch.full(shape, value, dtype=sequences[0].dtype)
    for row, sequence in zip(out, sequences):
        row[: len(sequence)] = sequence
    return out


def collated(out):
    assert isinstance(out, (tuple, list)), "expected a tuple (padded, lengths, labels)"
    assert len(out) == 3, f"expected three tensors (padded, lengths, labels), got {len(out)} values"
    for name, value in zip(("padded", "lengths", "labels"), out):
        assert isinstance(value, torch.Tensor), f"{name} is not a tensor"
    return out


def check_labels(sut):
    lengths = random.sample(range(1, 30), 9)
    labels = [random.randrange(1000) for _ in lengths]
    _, _, got = collated(sut.pad_collate(list(zip(tokens(lengths), labels))))
    assert_close(got, torch.tensor(labels), msg=lambda m: f"labels: {m}")


def check_padding(sut):
    lengths = random.sample(range(1, 20), 6)
    feature = random.randint(2, 5)
    for sequences, value in (
        (tokens(lengths), 0),
        (tokens(lengths), -100),
        ([torch.randn(n, feature) for n in lengths], 0),
        ([torch.randn(n, feature, dtype=torch.float64) for n in lengths], -1.5),
        ([torch.randint(0, 9, (n,), dtype=torch.int32) for n in lengths], 7),
    ):
        padded, _, _ = collated(sut.pad_collate([(s, 0) for s in sequences], padding_value=value))
        expected = padded_by_hand(sequences, value)
        assert_close(padded, expected, rtol=0, atol=0, msg=lambda m: f"padding_value={value}: {m}")
    padded, _, _ = collated(sut.pad_collate([(s, 0) for s in tokens([2, 4])]))
    assert padded[0, 2:].eq(0).all(), "without padding_value the padding is not 0"


def check_lengths(sut):
    lengths = random.sample(range(2, 30), 7)
    sequences = tokens(lengths)
    for sequence in sequences:
        sequence[random.randrange(len(sequence))] = 0
        sequence[-1] = 0
    _, got, _ = collated(sut.pad_collate([(s, 1) for s in sequences]))
    assert_close(got, torch.tensor(lengths), msg=lambda m: f"lengths: {m}")
    rows = [torch.randn(n, 3) for n in lengths]
    _, got, _ = collated(sut.pad_collate([(s, 1) for s in rows]))
    assert_close(got, torch.tensor(lengths), msg=lambda m: f"lengths of sequences of features: {m}")


def check_edge_batches(sut):
    wide = torch.randn(6, 10)
    for sequences in (
        tokens([random.randint(2, 9)]),
        tokens([1]),
        tokens([0]),
        tokens([3, 0, 5, 0]),
        tokens([0, 0, 0]),
        [torch.randn(0, 4), torch.randn(2, 4)],
        [torch.randn(0, 4)],
        [wide.t(), wide[:, ::2].t()],
    ):
        labels = list(range(len(sequences)))
        padded, lengths, got = collated(sut.pad_collate(list(zip(sequences, labels)), padding_value=3))
        name = f"lengths {[len(s) for s in sequences]}"
        assert_close(padded, padded_by_hand(sequences, 3), msg=lambda m: f"padded, {name}: {m}")
        assert_close(lengths, torch.tensor([len(s) for s in sequences]), msg=lambda m: f"lengths, {name}: {m}")
        assert_close(got, torch.tensor(labels), msg=lambda m: f"labels, {name}: {m}")


def dataset(sut, count, noise=False):
    sequences = [torch.randint(1, 1000, (random.randint(1, 8),)) for _ in range(count)]
    if noise:
        sequences = [torch.zeros(4) for _ in sequences]
    return sequences, sut.scaffold.Sequences(sequences, list(range(count)), noise)


def epoch(loader):
    return [collated(batch) for batch in loader]


def order(batches):
    return [labels.tolist() for _, _, labels in batches]


def check_coverage(sut):
    sequences, data = dataset(sut, 11)
    loader = sut.make_loader(data, 3, seed=random.randrange(1000), shuffle=False)
    for _ in range(2):
        batches = epoch(loader)
        wanted = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10]]
        assert order(batches) == wanted, f"shuffle=False: expected labels {wanted}, got {order(batches)}"
    loader = sut.make_loader(data, batch_size=3, seed=random.randrange(1000))
    for batches in (batches, epoch(loader)):
        sizes = [len(labels) for labels in order(batches)]
        assert sizes == [3, 3, 3, 2], f"expected batch sizes [3, 3, 3, 2], got {sizes}"
        seen = sorted(sum(order(batches), []))
        assert seen == list(range(11)), f"labels seen in one epoch: {seen}"
        for padded, lengths, labels in batches:
            chosen = [sequences[label] for label in labels.tolist()]
            assert_close(padded, padded_by_hand(chosen, 0), msg=lambda m: f"padded in a batch of the loader: {m}")
            assert_close(lengths, torch.tensor([len(s) for s in chosen]))


def check_reproducible(sut):
    _, data = dataset(sut, 11)
    seed = random.randrange(10_000)

    def epochs(seed, **how):
        sut.seed(random.randrange(10_000))
        loader = sut.make_loader(data, 3, seed=seed, **how)
        out = []
        for _ in range(3):
            sut.seed(random.randrange(10_000))
            out.append(order(epoch(loader)))
        return out

    first = epochs(seed)
    assert first[0] != first[1], "two epochs have the same order"
    contents = {frozenset(frozenset(batch) for batch in batches) for batches in first}
    assert len(contents) > 1, "the batches hold the same samples in every epoch"
    again = epochs(seed)
    assert again == first, "the same seed gave other orders after the global generators changed"
    assert epochs(seed + 1) != first, "another seed gave the same orders"
    assert epochs(seed, num_workers=2) == first, "num_workers=2 gave other orders than num_workers=0"


def check_worker_randomness(sut):
    _, data = dataset(sut, 8, noise=True)
    seed = random.randrange(10_000)

    def epochs():
        sut.seed(random.randrange(10_000))
        loader = sut.make_loader(data, 2, seed=seed, shuffle=False, num_workers=2)
        out = []
        for _ in range(2):
            sut.seed(random.randrange(10_000))
            out.append([padded for padded, _, _ in epoch(loader)])
        return out

    first, again = epochs(), epochs()
    for number, (one, two) in enumerate(zip(first, again)):
        for a, b in zip(one, two):
            assert_close(a, b, msg=lambda m: f"same seed, epoch {number}, random numbers of the workers: {m}")
    for name, a, b in (
        ("two workers", first[0][0], first[0][1]),
        ("two epochs", first[0][0], first[1][0]),
        ("two batches of one worker", first[0][0], first[0][2]),
    ):
        assert (a - b).abs().max() > 1e-4, f"{name} drew the same random numbers"
    # In the mean of a long sequence only Python's random number is left of the noise.
    data = sut.scaffold.Sequences([torch.zeros(20_000)] * 8, list(range(8)), True)
    loader = sut.make_loader(data, 2, seed=seed, shuffle=False, num_workers=2)
    means = [[padded.mean(1) for padded, _, _ in epoch(loader)] for _ in range(2)]
    one, two, later = (torch.cat(parts) for parts in (means[0][::2], means[0][1::2], means[1][::2]))
    for name, a, b in (("two workers", one, two), ("two epochs", one, later)):
        assert (a - b).abs().max() > 0.03, f"{name} drew the same numbers from Python's random"
