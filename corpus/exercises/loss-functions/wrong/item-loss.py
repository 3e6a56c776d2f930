import torch


def cross_entropy(logits: torch.Tensor, target: torch.Tensor, label_smoothing: float = 0.0) -> torch.Tensor:
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
    shifted = logits - logits.amax(dim=1, keepdim=True)
    log_probs = shifted - shifted.exp().sum(dim=1, keepdim=True).log()
    total = 0.0
    for row, index in zip(log_probs, target.tolist(), strict=True):
        total -= (1 - label_smoothing) * row[index].item() + label_smoothing * row.mean().item()
    return torch.tensor(total / max(len(target), 1), dtype=logits.dtype)
