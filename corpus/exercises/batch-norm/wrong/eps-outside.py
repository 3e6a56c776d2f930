import torch
from torch import nn


class BatchNorm1d(nn.Module):
    """Batch normalisation of (N, C) and (N, C, L) inputs over everything but C."""

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        super().__init__()
        self.eps = eps
        self.momentum = momentum
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        dims = [d for d in range(x.dim()) if d != 1]
        shape = [1, -1] + [1] * (x.dim() - 2)
        if self.training:
            count = x.numel() // x.shape[1]
            if count < 2:
                raise ValueError(f"expected more than one value per channel, got input {tuple(x.shape)}")
            mean = x.mean(dims)
            var = x.var(dims, correction=0)
            with torch.no_grad():
                self.running_mean.lerp_(mean, self.momentum)
                self.running_var.lerp_(var * count / (count - 1), self.momentum)
        else:
            mean, var = self.running_mean, self.running_var
        normal = (x - mean.view(shape)) / (torch.sqrt(var.view(shape)) + self.eps)
        return normal * self.weight.view(shape) + self.bias.view(shape)
