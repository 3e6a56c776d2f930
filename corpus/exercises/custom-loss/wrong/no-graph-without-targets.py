import torch
import torch.nn.functional as F


def focal_loss(
    logits: torch.Tensor,
    target: torch.Tensor,
    gamma: float = 2.0,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> torch.Tensor:
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"unknown reduction {reduction!r}")
    counted = target != ignore_index
    index = torch.where(counted, target, 0)
    if not counted.any():
        return torch.zeros(target.shape if reduction == "none" else ())
    log_p = F.log_softmax(logits, dim=1).gather(1, index.unsqueeze(1)).squeeze(1)
    losses = -((1 - log_p.exp()) ** gamma) * log_p
    losses = torch.where(counted, losses, 0.0)
    if reduction == "none":
        return losses
    total = losses.sum()
    return total if reduction == "sum" else total / counted.sum().clamp(min=1)
