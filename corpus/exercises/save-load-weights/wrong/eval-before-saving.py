import os
import random

import torch


def save_checkpoint(path, model, optimizer, scheduler, epoch):
    """Write everything that training needs to go on. A crash half-way leaves the old file intact."""
    model.eval()
    checkpoint = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "epoch": epoch,
        "torch_rng": torch.get_rng_state(),
        "python_rng": random.getstate(),
    }
    partial = f"{path}.partial"
    torch.save(checkpoint, partial)
    os.replace(partial, path)


def load_checkpoint(path, model, optimizer, scheduler):
    """Restore what save_checkpoint wrote, in place. Returns the epoch."""
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    torch.set_rng_state(checkpoint["torch_rng"])
    random.setstate(checkpoint["python_rng"])
    return checkpoint["epoch"]
