import torch


def cross_entropy(logits: torch.Tensor, target: torch.Tensor, label_smoothing: float = 0.0) -> torch.Tensor:
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
    shifted = logits - logits.amax(dim=1, keepdim=True)
    log_probs = shifted - shifted.exp().sum(dim=1, keepdim=True).log()
    classes = logits.shape[1]
    smooth = (1 - label_smoothing) * torch.eye(classes, dtype=logits.dtype)[target] + label_smoothing / classes
    return -(smooth * log_probs).mean()
