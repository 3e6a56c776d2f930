import torch


def global_masks(weights, amount, previous=None):
    sizes = [w.numel() for w in weights]
    total = sum(sizes)
    score = torch.cat([w.detach().reshape(-1).abs().double() for w in weights]) if weights else torch.zeros(0)
    drop = int(amount * total + 0.5)
    if previous is not None:
        gone = torch.cat([~m.reshape(-1) for m in previous]) if previous else torch.zeros(0, dtype=torch.bool)
        score = torch.where(gone, -1.0, score)
        drop = max(drop, int(gone.sum()))
    keep = torch.ones(total, dtype=torch.bool)
    keep[score.topk(drop, largest=False).indices] = False
    return [part.view(w.shape) for part, w in zip(keep.split(sizes), weights)]


def apply_masks(weights, masks):
    for w, m in zip(weights, masks):
        w.data[~m] = 0


def masked_step(optimizer, weights, masks):
    optimizer.step()
    apply_masks(weights, masks)
