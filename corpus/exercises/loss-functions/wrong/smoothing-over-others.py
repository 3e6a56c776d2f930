import torch


def cross_entropy(logits: torch.Tensor, target: torch.Tensor, label_smoothing: float = 0.0) -> torch.Tensor:
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
    shifted = logits - logits.amax(dim=1, keepdim=True)
    log_probs = shifted - shifted.exp().sum(dim=1, keepdim=True).log()
    classes = logits.shape[1]
    smooth = torch.full_like(log_probs, label_smoothing / max(classes - 1, 1))
    smooth.scatter_(1, target.unsqueeze(1), 1 - label_smoothing)
    losses = -(smooth * log_probs).sum(dim=1)
    return losses.sum() / max(len(losses), 1)
