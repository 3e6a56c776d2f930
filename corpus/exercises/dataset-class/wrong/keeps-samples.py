import math

import torch
from torch.utils.data import Dataset


class TableDataset(Dataset):
    def __init__(self, source, transform=None):
        self.source = source
        self.transform = transform
        self.samples = {}

    def __len__(self):
        return len(self.source)

    def __getitem__(self, index):
        n = len(self)
        if not -n <= index < n:
            raise IndexError(index)
        index %= n
        if index not in self.samples:
            *fields, label = self.source.read(index).split(",")
            x = torch.tensor([float(f) if f.strip() else math.nan for f in fields], dtype=torch.float32)
            self.samples[index] = (x if self.transform is None else self.transform(x)), int(label)
        return self.samples[index]
