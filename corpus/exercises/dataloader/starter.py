import torch
from torch.utils.data import DataLoader, Dataset


def pad_collate(
    samples: list[tuple[torch.Tensor, int]], padding_value: float = 0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """__DOC__"""
    raise NotImplementedError


def make_loader(
    dataset: Dataset, batch_size: int, seed: int, shuffle: bool = True, num_workers: int = 0
) -> DataLoader:
    raise NotImplementedError
