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
    log_p = F.log_softmax(logits, dim=1).gather(1, index.unsqueeze(1)).squeeze(1)
    losses = torch.where(counted, -log_p, 0.0)
    if reduction == "none":
        return (1 - torch.exp(-losses)) ** gamma * losses
    total = losses.sum() if reduction == "sum" else losses.sum() / counted.sum().clamp(min=1)
    return (1 - torch.exp(-total)) ** gamma * total
