import torch
import torch.nn.functional as F


def focal_loss(
    logits: torch.Tensor,
    target: torch.Tensor,
    gamma: float = 2.0,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> torch.Tensor:
    """__DOC__"""
    raise NotImplementedError
