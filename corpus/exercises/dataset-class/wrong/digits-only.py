import math
from collections.abc import Callable

import torch
from torch.utils.data import Dataset


class TableDataset(Dataset):
    def __init__(self, source, transform: Callable[[torch.Tensor], torch.Tensor] | None = None) -> None:
        self.source = source
        self.transform = transform

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        n = len(self)
        if not -n <= index < n:
            raise IndexError(f"index {index} is out of range for {n} samples")
        *fields, label = self.source.read(index % n).split(",")
        x = torch.tensor([float(f) if f.strip().removeprefix("-").replace(".", "", 1).isdigit() else math.nan for f in fields], dtype=torch.float32)
        if self.transform is not None:
            x = self.transform(x)
        return x, int(label)
