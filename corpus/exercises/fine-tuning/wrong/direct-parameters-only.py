import copy

import torch
import torch.nn.functional as F
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.factor = alpha / rank
        w = base.weight
        self.lora_a = nn.Parameter(torch.empty(rank, w.shape[1], dtype=w.dtype).uniform_(-0.1, 0.1))
        self.lora_b = nn.Parameter(w.new_zeros(w.shape[0], rank))

    def forward(self, x):
        return self.base(x) + F.linear(F.linear(x, self.lora_a), self.lora_b) * self.factor

    def merge(self):
        out = copy.deepcopy(self.base)
        with torch.no_grad():
            out.weight += self.factor * self.lora_b @ self.lora_a
        return out


def layer_groups(layers, lr, decay):
    groups, seen = [], set()
    for level, layer in enumerate(layers):
        fresh = [p for p in layer.parameters(recurse=False) if p.requires_grad and id(p) not in seen]
        seen |= {id(p) for p in fresh}
        if fresh:
            groups.append({"params": fresh, "lr": lr * decay ** (len(layers) - 1 - level)})
    return groups


def warmup(step, warmup_steps, total_steps):
    if step < warmup_steps:
        return (step + 1) / warmup_steps
    if step >= total_steps:
        return 0.0
    return (total_steps - step) / (total_steps - warmup_steps)
