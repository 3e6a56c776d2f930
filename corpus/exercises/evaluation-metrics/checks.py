import random

import torch
from viva_check import assert_close

KEYS = ("accuracy", "precision", "recall", "f1")


def plain_matrix(predicted, target, classes):
    rows = [[0] * classes for _ in range(classes)]
    for guess, truth in zip(predicted.flatten().tolist(), target.flatten().tolist()):
        rows[truth][guess] += 1
    return torch.tensor(rows).reshape(classes, classes)


def quotient(part, whole):
    return part / whole if whole else 0.0


def plain_scores(matrix, average):
    """The same from the definitions, in Python's whole numbers."""
    rows = matrix.tolist()
    classes = range(len(rows))
    counts = []
    for k in classes:
        hits = rows[k][k]
        missed = sum(rows[k]) - hits
        false = sum(rows[i][k] for i in classes) - hits
        counts.append((hits, false, missed))
    total = sum(map(sum, rows))
    accuracy = quotient(sum(hits for hits, _, _ in counts), total)
    counts = [c for c in counts if sum(c)]
    if average == "micro":
        counts = [tuple(sum(column) for column in zip(*counts))] if counts else []
    per_class = [
        (quotient(tp, tp + fp), quotient(tp, tp + fn), quotient(2 * tp, 2 * tp + fp + fn)) for tp, fp, fn in counts
    ]
    means = [sum(column) / len(per_class) for column in zip(*per_class)] if per_class else [0.0, 0.0, 0.0]
    return dict(zip(KEYS, (accuracy, *means)))


def compare(got, matrix, average, what=""):
    wanted = plain_scores(matrix, average)
    assert isinstance(got, dict), f"scores returned {type(got).__name__}"
    assert sorted(got) == sorted(KEYS), f"keys {sorted(got)}"
    for key in KEYS:
        assert type(got[key]) is float, f"{key} is {type(got[key]).__name__}, not a float"
        assert abs(got[key] - wanted[key]) < 1e-9, (
            f"{what}average={average!r}, {key}: expected {wanted[key]:.10f}, got {got[key]:.10f} for {matrix.tolist()}"
        )


def skewed(classes, scale):
    """Counts in which every class occurs and no two classes are alike."""
    weights = torch.tensor([3.0**k for k in range(classes)])[torch.randperm(classes)]
    counts = torch.rand(classes, classes, dtype=torch.float64) * weights.unsqueeze(1) * scale
    return counts.long() + 1


def check_counts(sut):
    for classes, count in ((2, 30), (3, 50), (5, 40), (7, 1), (1, 4)):
        predicted, target = torch.randint(classes, (count,)), torch.randint(classes, (count,))
        got = sut.confusion_matrix(predicted, target, classes)
        assert_close(got, plain_matrix(predicted, target, classes))
    predicted, target = torch.tensor([0, 0, 0, 1]), torch.tensor([2, 2, 2, 1])
    got = sut.confusion_matrix(predicted, target, 5)
    assert_close(got, plain_matrix(predicted, target, 5))


def check_layouts(sut):
    for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32):
        predicted, target = torch.randint(20, (300,)), torch.randint(20, (300,))
        target[:5], predicted[:5] = 19, 18
        got = sut.confusion_matrix(predicted.to(dtype), target.to(dtype), 20)
        assert_close(got, plain_matrix(predicted, target, 20), msg=lambda text: f"{dtype}: {text}")
    mixed = sut.confusion_matrix(predicted.to(torch.uint8), target, 20)
    assert_close(mixed, plain_matrix(predicted, target, 20), msg=lambda text: f"uint8 and int64: {text}")
    for shape in ((0,), (3, 0), (), (2, 3, 4)):
        predicted, target = torch.randint(4, shape), torch.randint(4, shape)
        got = sut.confusion_matrix(predicted, target, 4)
        assert_close(got, plain_matrix(predicted, target, 4), msg=lambda text: f"shape {shape}: {text}")
    predicted, target = torch.randint(4, (6, 9)), torch.randint(4, (6, 9))
    got, left, right = sut.scaffold.strided(sut.get("confusion_matrix"), predicted, target, 4)
    assert_close(got, plain_matrix(predicted, target, 4), msg=lambda text: f"non-contiguous labels: {text}")
    assert_close((left, right), (predicted, target), msg=lambda text: f"the labels were changed: {text}")
    got, (left, right, _) = sut.watch("confusion_matrix", predicted, target, 4)
    assert_close(got, plain_matrix(predicted, target, 4))
    assert_close((left, right), (predicted, target), msg=lambda text: f"the labels were changed: {text}")
    parts = [(torch.randint(3, (n,)), torch.randint(3, (n,))) for n in (8, 8, 1)]
    total = sum(sut.confusion_matrix(p, t, 3) for p, t in parts)
    whole = plain_matrix(torch.cat([p for p, _ in parts]), torch.cat([t for _, t in parts]), 3)
    assert_close(total, whole, msg=lambda text: f"sum over batches: {text}")


def check_range(sut):
    for bad in (3, 4, -1):
        for place in ("predicted", "target"):
            labels = {"predicted": torch.tensor([0, 1, 2]), "target": torch.tensor([0, 1, 1])}
            labels[place] = torch.tensor([bad, 1, 2])
            with sut.raises("ValueError"):
                sut.confusion_matrix(labels["predicted"], labels["target"], 3)
    predicted, target = torch.randint(3, (10,)), torch.randint(3, (10,))
    assert_close(sut.confusion_matrix(predicted, target, 3), plain_matrix(predicted, target, 3))


def check_speed(sut):
    predicted, target = torch.randint(10, (400_000,)), torch.randint(10, (400_000,))
    got = sut.confusion_matrix(predicted, target, 10)
    seconds = sut.seconds
    assert_close(got, plain_matrix(predicted, target, 10))
    assert seconds < 1.2, f"400,000 labels took {seconds:.1f} s"


def check_micro(sut):
    for classes in (2, 3, 6):
        for scale in (4, 1000, 10**9):
            matrix = skewed(classes, scale)
            compare(sut.scores(matrix, "micro"), matrix, "micro")


def check_macro(sut):
    for classes in (2, 3, 6):
        for scale in (4, 1000, 10**9):
            matrix = skewed(classes, scale)
            compare(sut.scores(matrix, "macro"), matrix, "macro")
    matrix = torch.tensor([[5, 2], [3, 10**12]])
    got, (after, _) = sut.watch("scores", matrix, "macro")
    compare(got, matrix, "macro")
    assert_close(after, matrix)


def check_empty_classes(sut):
    only_predicted = torch.tensor([[4, 1, 2], [1, 5, 1], [0, 0, 0]])
    never_predicted = torch.tensor([[4, 1, 0], [1, 5, 0], [2, 1, 0]])
    absent = torch.zeros(5, 5, dtype=torch.int64)
    keep = sorted(random.sample(range(5), 3))
    absent[torch.tensor(keep).unsqueeze(1), torch.tensor(keep)] = skewed(3, 5)
    cases = {
        "a class is in neither, ": absent,
        "a class is only predicted, ": only_predicted,
        "a class is never predicted, ": never_predicted,
        "nothing is right, ": torch.tensor([[0, 3], [2, 0]]),
        "an empty matrix, ": torch.zeros(4, 4, dtype=torch.int64),
    }
    for what, matrix in cases.items():
        for average in ("macro", "micro"):
            compare(sut.scores(matrix, average), matrix, average, what)
    with sut.raises("ValueError"):
        sut.scores(only_predicted, "mean")
