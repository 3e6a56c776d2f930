import torch
from torch.utils.data import DataLoader


class Source:
    """A slow table: len() is the number of rows, read(i) returns the text of row i and counts i >= 0 only."""

    def __init__(self, rows):
        self.rows = list(rows)
        self.reads = []

    def __len__(self):
        return len(self.rows)

    def read(self, i):
        self.reads.append(int(i))
        if not 0 <= i < len(self.rows):
            raise OSError(f"the table has no row {i}")
        return self.rows[i]

    def replace(self, i, text):
        self.rows[i] = text


class Growing:
    """A transform that differs at every call: it adds the number of calls made so far."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return x + self.calls


class FirstTwo:
    """A transform that changes the shape."""

    def __call__(self, x):
        return x[:2] * 2


def batches(dataset, batch_size):
    return [list(batch) for batch in DataLoader(dataset, batch_size=batch_size)]


def joined(a, b):
    both = a + b
    return [both[i] for i in range(len(both))]
