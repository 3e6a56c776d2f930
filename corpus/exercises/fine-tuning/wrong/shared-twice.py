import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.scale = alpha / rank
        self.lora_a = nn.Parameter(base.weight.new_empty(rank, base.in_features))
        self.lora_b = nn.Parameter(base.weight.new_zeros(base.out_features, rank))
        nn.init.normal_(self.lora_a, std=base.in_features**-0.5)

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.lora_a.T) @ self.lora_b.T

    @torch.no_grad()
    def merge(self):
        base = self.base
        merged = nn.Linear(
            base.in_features,
            base.out_features,
            bias=base.bias is not None,
            device=base.weight.device,
            dtype=base.weight.dtype,
        )
        merged.weight.copy_(base.weight + self.scale * self.lora_b @ self.lora_a)
        if base.bias is not None:
            merged.bias.copy_(base.bias)
        return merged


def layer_groups(layers, lr, decay):
    groups = []
    for layer, above in zip(layers, reversed(range(len(layers)))):
        params = [p for p in layer.parameters() if p.requires_grad]
        if params:
            groups.append({"params": params, "lr": lr * decay**above})
    return groups


def warmup(step, warmup_steps, total_steps):
    if step < warmup_steps:
        return (step + 1) / warmup_steps
    if step >= total_steps:
        return 0.0
    return (total_steps - step) / (total_steps - warmup_steps)
