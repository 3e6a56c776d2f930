import torch
from torch import nn


class _Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, module, count, *tensors):
        inputs = tensors[:count]
        ctx.module, ctx.random = module, torch.get_rng_state()
        ctx.save_for_backward(*inputs)
        return module(*inputs)

    @staticmethod
    def backward(ctx, grad):
        needs = ctx.needs_input_grad[2:]
        inputs = [x.detach().requires_grad_(n) for x, n in zip(ctx.saved_tensors, needs)]
        with torch.enable_grad(), torch.random.fork_rng(devices=[]):
            torch.set_rng_state(ctx.random)
            out = ctx.module.requires_grad_(True)(*inputs)
        wanted = [t for t, n in zip([*inputs, *ctx.module.parameters()], needs) if n]
        found = iter(torch.autograd.grad(out, wanted, grad, allow_unused=True))
        return None, None, *(next(found) if n else None for n in needs)


class Checkpoint(nn.Module):
    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
        return _Recompute.apply(self.module, len(inputs), *inputs, *self.module.parameters())
