import torch
from torch import nn


class Branch(nn.Module):
    """One parameter that contributes to the output in the way `kind` says."""

    def __init__(self, weight, kind):
        super().__init__()
        self.weight = nn.Parameter(weight.clone(), requires_grad=kind != "frozen")
        self.kind = kind

    def forward(self, x):
        w, out = self.weight, x @ self.weight
        match self.kind:
            case "unused":
                return x.sum(1) * 0
            case "detached":
                return out.detach()
            case "dead":
                return torch.relu(out - 1e6)
            case "tiny":
                return out * 1e-25
            case "balanced":
                return x.new_ones(len(x)) * (w[0] - w[1])
            case "one":
                return x[:, 0] + w[0]
            case "nan":
                return x.sum(1) * 0 + torch.sqrt(w * 0).sum() * 0
            case "inf":
                return x.sum(1) * 0 + torch.sqrt(w[0] - w[0].detach())
            case _:
                return out


class Tree(nn.Module):
    """Adds up branches; their parameters are called branches.<name>.weight. A cut tree passes no gradient at all."""

    def __init__(self, names, weights, kinds, cut):
        super().__init__()
        self.branches = nn.ModuleDict({n: Branch(w, k) for n, w, k in zip(names, weights, kinds)})
        self.cut = cut

    def forward(self, x):
        out = sum(branch(x) for branch in self.branches.values())
        return out.detach() if self.cut else out


class Net(nn.Module):
    """A small regression network. `bug`: "none", "column" (wrong output shape), "detached", "cut"."""

    def __init__(self, weights, bug):
        super().__init__()
        first, second = weights
        self.first, self.second = nn.Parameter(first.clone()), nn.Parameter(second.clone())
        self.bug = bug

    def forward(self, x):
        hidden = torch.tanh(x @ self.first)
        out = (hidden.detach() if self.bug == "detached" else hidden) @ self.second
        if self.bug == "cut":
            out = out.detach()
        return out if self.bug == "column" else out.squeeze(1)


class Normed(nn.Module):
    """Linear layers around a BatchNorm, from given weights."""

    def __init__(self, first, second):
        super().__init__()
        hidden = first.shape[1]
        self.first, self.second = nn.Parameter(first.clone()), nn.Parameter(second.clone())
        self.spare = nn.Parameter(second.clone())
        self.norm = nn.BatchNorm1d(hidden, dtype=first.dtype, device=first.device)
        self.inner = nn.Sequential(nn.Dropout(0.0), nn.Identity())

    def forward(self, x):
        return (self.inner(self.norm(x @ self.first)) @ self.second).squeeze(1)


def leave_gradients(model, values):
    model.left = [v.clone() for v in values]
    for p, value in zip(model.parameters(), model.left):
        p.grad = value


def state(model):
    """Values, buffers, gradients, training flags, requires_grad flags, and whether .grad holds the tensors put there."""
    return (
        [p.detach().clone() for p in model.parameters()],
        [b.clone() for b in model.buffers()],
        [None if p.grad is None else p.grad.clone() for p in model.parameters()],
        [m.training for m in model.modules()],
        [p.requires_grad for p in model.parameters()],
        all(p.grad is v for p, v in zip(model.parameters(), getattr(model, "left", []))),
    )


def set_modes(model, flags):
    for module, flag in zip(model.modules(), flags):
        module.training = flag
