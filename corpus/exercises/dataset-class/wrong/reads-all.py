import math

import torch
from torch.utils.data import Dataset


class TableDataset(Dataset):
    def __init__(self, source, transform=None):
        self.rows = [source.read(i) for i in range(len(source))]
        self.transform = transform

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        *fields, label = self.rows[index].split(",")
        x = torch.tensor([float(f) if f.strip() else math.nan for f in fields], dtype=torch.float32)
        if self.transform is not None:
            x = self.transform(x)
        return x, int(label)
