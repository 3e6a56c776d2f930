import torch


def global_masks(
    weights: list[torch.Tensor], amount: float, previous: list[torch.Tensor] | None = None
) -> list[torch.Tensor]:
    """__DOC__"""
    raise NotImplementedError


def apply_masks(weights: list[torch.Tensor], masks: list[torch.Tensor]) -> None:
    raise NotImplementedError


def masked_step(optimizer: torch.optim.Optimizer, weights: list[torch.Tensor], masks: list[torch.Tensor]) -> None:
    raise NotImplementedError
