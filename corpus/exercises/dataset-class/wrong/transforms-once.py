import math

import torch
from torch.utils.data import Dataset


class TableDataset(Dataset):
    def __init__(self, source, transform=None):
        self.source = source
        self.transform = transform
        self.transformed = {}

    def __len__(self):
        return len(self.source)

    def __getitem__(self, index):
        n = len(self)
        if not -n <= index < n:
            raise IndexError(index)
        *fields, label = self.source.read(index % n).split(",")
        x = torch.tensor([float(f) if f.strip() else math.nan for f in fields], dtype=torch.float32)
        if self.transform is not None:
            x = self.transformed.setdefault(index, self.transform(x))
        return x, int(label)
