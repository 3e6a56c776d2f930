"""Vector-Jacobian products of a candidate's function, with the judge's cotangents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

Grads = tuple[torch.Tensor | None, ...]


def _differentiable(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex())


def _leaves(inputs: Sequence[Any]) -> list[Any]:
    return [x.detach().clone().requires_grad_(True) if _differentiable(x) else x for x in inputs]


def _aligned(inputs: Sequence[Any], gradient: Callable[[list[torch.Tensor]], Sequence[torch.Tensor | None]]) -> Grads:
    """Gradients for the differentiable inputs, None in the places of the others."""
    found = iter(gradient([x for x in inputs if _differentiable(x)]))
    return tuple(next(found) if _differentiable(x) else None for x in inputs)


def _seeded(out: Any, cotangent: Any) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """(outputs, cotangents) as autograd takes them; parts of a tuple without a gradient are left out."""
    outs, cotangents = (out, cotangent) if isinstance(cotangent, tuple) else ((out,), (cotangent,))
    if len(outs) != len(cotangents):
        raise ValueError(f"{len(outs)} outputs for {len(cotangents)} cotangents")
    pairs = [(part, weight) for part, weight in zip(outs, cotangents, strict=True) if part.requires_grad]
    if not pairs:
        raise RuntimeError("the output has no gradient: it is not connected to the inputs")
    return [part for part, _ in pairs], [weight for _, weight in pairs]


def _grad(outs: tuple[list[torch.Tensor], list[torch.Tensor]], inputs: Sequence[torch.Tensor]) -> Grads:
    return torch.autograd.grad(outs[0], list(inputs), outs[1], allow_unused=True) if inputs else ()


def vjp(
    function: Callable[..., Any], inputs: Sequence[Any], kwargs: dict[str, Any], cotangent: Any
) -> tuple[Any, Grads]:
    """(out, d<out, cotangent>/d inputs)."""
    with torch.enable_grad():
        leaves = _leaves(inputs)
        out = function(*leaves, **kwargs)
        return out, _aligned(leaves, lambda xs: _grad(_seeded(out, cotangent), xs))


def vjp_params(
    module: Any, inputs: Sequence[Any], kwargs: dict[str, Any], cotangent: Any
) -> tuple[Any, Grads, dict[str, torch.Tensor | None]]:
    """The same for a module, with the gradients of its parameters by name."""
    named = dict(module.named_parameters()) if hasattr(module, "named_parameters") else {}
    trained = {name: p for name, p in named.items() if p.requires_grad}
    with torch.enable_grad():
        leaves = _leaves(inputs)
        out = module(*leaves, **kwargs)
        wanted = [x for x in leaves if _differentiable(x)]
        found = _grad(_seeded(out, cotangent), [*wanted, *trained.values()])
    grads = _aligned(leaves, lambda xs: found[: len(xs)])
    by_name: dict[str, torch.Tensor | None] = dict.fromkeys(named)
    by_name.update(zip(trained, found[len(wanted) :], strict=True))
    return out, grads, by_name


def vjp2(function: Callable[..., Any], inputs: Sequence[Any], kwargs: dict[str, Any], cotangents: Any) -> Grads:
    """g = d<out, v>/d inputs[0]; then d<g, u>/d(inputs..., v), for cotangents (v, u)."""
    first, second = cotangents
    with torch.enable_grad():
        leaves = _leaves([*inputs, first])
        out = function(*leaves[:-1], **kwargs)
        (inner,) = torch.autograd.grad(out, leaves[0], leaves[-1], create_graph=True)
        return _aligned(leaves, lambda xs: _grad(_seeded(inner, second), xs))
