import os
import pickle
import random
import tempfile

import torch
from torch import nn


def build(seed, dropout=0.0, step_size=1000, dtype=torch.float32):
    """(model, optimizer, scheduler) with initial weights drawn from `seed`."""
    torch.manual_seed(seed)
    model = nn.Sequential(
        nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(dropout), nn.Linear(8, 1)
    ).to(dtype)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=step_size, gamma=0.5)
    return model, optimizer, scheduler


def train(model, optimizer, scheduler, batches):
    """One step for each (x, y). Returns the losses and the learning rates."""
    losses, rates = [], []
    for x, y in batches:
        rates.append(optimizer.param_groups[0]["lr"])
        loss = (model(x).squeeze(1) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.detach())
    return torch.stack(losses), rates


def train_on_random_data(model, optimizer, scheduler, steps):
    """The same on batches drawn from torch's and Python's generators."""
    losses = []
    for _ in range(steps):
        x = torch.randn(8, 4)
        batch = [(x, x.sum(1) * random.random() + random.gauss(0, 1))]
        losses.append(train(model, optimizer, scheduler, batch)[0])
    return torch.cat(losses)


def draw():
    """Numbers from torch's and from Python's generator. Leaves Python's with a spare normal number in stock."""
    return torch.rand(5), torch.randperm(20), [random.random(), random.gauss(0, 1), random.randrange(10**6)]


def new_path(name):
    """Where a file may be written."""
    return os.path.join(tempfile.mkdtemp(), name)


def rename(path, new):
    os.replace(path, new)


def exists(path):
    return os.path.exists(path)


def readable_as_plain_data(path):
    try:
        torch.load(path, map_location="cpu", weights_only=True)
    except Exception:
        return False
    return True


class Intruder:
    """Makes a folder when it is unpickled: harmless, and easy to notice."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (self.folder,)


def poison(path, new, folder):
    """Write a copy of a checkpoint that also carries an Intruder."""
    content = torch.load(path, map_location="cpu", weights_only=True)
    intruder = Intruder(folder)
    torch.save({**content, "note": intruder} if isinstance(content, dict) else [content, intruder], new)


def poison_bytes(path, new, folder):
    """The same with the Intruder pickled inside each bytes value of the file. Returns whether there is any."""
    found = False

    def swap(value):
        nonlocal found
        if isinstance(value, bytes):
            found = True
            return pickle.dumps(Intruder(folder))
        if isinstance(value, dict):
            return {key: swap(item) for key, item in value.items()}
        if type(value) in (list, tuple):
            return type(value)(map(swap, value))
        return value

    content = swap(torch.load(path, map_location="cpu", weights_only=True))
    torch.save(content, new)
    return found
