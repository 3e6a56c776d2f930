import torch
from torch.optim import Optimizer


class AdamW(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    def step(self, closure=None):
        loss = None if closure is None else torch.enable_grad()(closure)()
        for group in self.param_groups:
            for p in filter(lambda q: q.grad is not None, group["params"]):
                self._update(p, p.grad.detach(), self.state[p], **{k: group[k] for k in ("lr", "betas", "eps", "weight_decay")})
        return loss

    @torch.no_grad()
    def _update(self, p, g, s, lr, betas, eps, weight_decay):
        # the moments are kept as one stacked tensor, the count as a tensor
        beta = torch.tensor(betas, dtype=p.dtype).view(2, *[1] * p.dim())
        now = torch.stack([g, g * g])
        s["moments"] = beta * s.get("moments", torch.zeros_like(now)) + (1 - beta) * now
        s["step"] = s.get("step", torch.zeros((), dtype=torch.float64)) + 1
        s["left"] = [a * b for a, b in zip(s.get("left", [1.0, 1.0]), betas)]
        m = s["moments"][0] / (1 - s["left"][0])
        v = s["moments"][1] / (1 - s["left"][1])
        p.data.copy_(p - lr * weight_decay * p - lr * m / (v.sqrt() + eps))
