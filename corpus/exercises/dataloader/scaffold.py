import random

import torch
from torch.utils.data import Dataset


class Sequences(Dataset):
    """Pairs (sequence, label); with noise=True each reading adds fresh random numbers."""

    def __init__(self, sequences: list[torch.Tensor], labels: list[int], noise: bool = False) -> None:
        self.sequences, self.labels, self.noise = sequences, labels, noise

    def __len__(self) -> int:
        return len(self.sequences)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        sequence = self.sequences[index]
        if self.noise:
            sequence = sequence + torch.rand(len(sequence)) + random.random()
        return sequence, self.labels[index]
