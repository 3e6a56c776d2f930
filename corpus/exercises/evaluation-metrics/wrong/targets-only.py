import torch


def confusion_matrix(predicted, target, num_classes):
    predicted, target = predicted.reshape(-1).long(), target.reshape(-1).long()
    for labels in (predicted, target):
        if labels.numel() and not (0 <= labels.min() and labels.max() < num_classes):
            raise ValueError(f"labels must be in 0..{num_classes - 1}")
    cells = target * num_classes + predicted
    return torch.bincount(cells, minlength=num_classes**2).reshape(num_classes, num_classes)


def scores(matrix, average):
    if average not in ("micro", "macro"):
        raise ValueError(f"average must be 'micro' or 'macro', not {average!r}")
    matrix = matrix.double()
    hits, actual, claimed = matrix.diagonal(), matrix.sum(1), matrix.sum(0)
    accuracy = ratio(hits.sum(), matrix.sum())
    if average == "micro":
        hits, actual, claimed = (part.sum().reshape(1) for part in (hits, actual, claimed))
    seen = actual > 0
    parts = ratio(hits, claimed), ratio(hits, actual), ratio(2 * hits, actual + claimed)
    precision, recall, f1 = (part[seen].mean().item() if seen.any() else 0.0 for part in parts)
    return {"accuracy": accuracy.item(), "precision": precision, "recall": recall, "f1": f1}


def ratio(part, whole):
    return part / whole.clamp(min=1)
