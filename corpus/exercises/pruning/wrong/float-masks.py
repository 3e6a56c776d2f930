import torch


def global_masks(
    weights: list[torch.Tensor], amount: float, previous: list[torch.Tensor] | None = None
) -> list[torch.Tensor]:
    """Masks (True = keep) that drop the share `amount` of all weights with the smallest magnitude."""
    scores = torch.cat([w.detach().double().abs().flatten() for w in weights])
    count = round(amount * scores.numel())
    if previous is not None:
        pruned = ~torch.cat([mask.flatten() for mask in previous])
        scores[pruned] = -1.0
        count = max(count, int(pruned.sum()))
    keep = torch.ones_like(scores, dtype=torch.bool)
    keep[scores.argsort()[:count]] = False
    parts = keep.split([w.numel() for w in weights])
    return [part.reshape(w.shape).float() for part, w in zip(parts, weights, strict=True)]


@torch.no_grad()
def apply_masks(weights: list[torch.Tensor], masks: list[torch.Tensor]) -> None:
    for weight, mask in zip(weights, masks, strict=True):
        weight.masked_fill_(~mask, 0.0)


def masked_step(optimizer: torch.optim.Optimizer, weights: list[torch.Tensor], masks: list[torch.Tensor]) -> None:
    optimizer.step()
    apply_masks(weights, masks)
