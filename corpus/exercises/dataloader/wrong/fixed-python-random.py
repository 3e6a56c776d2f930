import random

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset


def pad_collate(
    samples: list[tuple[torch.Tensor, int]], padding_value: float = 0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Pads the sequences of a batch on the right; returns (padded, lengths, labels)."""
    sequences = [sequence for sequence, _ in samples]
    padded = pad_sequence(sequences, batch_first=True, padding_value=padding_value)
    lengths = torch.tensor([len(sequence) for sequence in sequences], dtype=torch.int64)
    labels = torch.tensor([label for _, label in samples], dtype=torch.int64)
    return padded, lengths, labels


def make_loader(
    dataset: Dataset, batch_size: int, seed: int, shuffle: bool = True, num_workers: int = 0
) -> DataLoader:
    """A loader whose order and workers' seeds all come from one private generator."""
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=shuffle,
        num_workers=num_workers,
        collate_fn=pad_collate,
        worker_init_fn=lambda _: random.seed(0),
        generator=torch.Generator().manual_seed(seed),
    )
