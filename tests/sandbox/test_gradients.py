"""Vector-Jacobian products, against what torch computes directly."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from interviewer.sandbox.gradients import vjp, vjp2, vjp_params  # noqa: E402


def test_the_product_weighs_each_output() -> None:
    """d<x^2, v>/dx = 2 x v."""
    x, v = torch.randn(4), torch.randn(4)
    out, (grad,) = vjp(lambda a: a**2, (x,), {}, v)
    torch.testing.assert_close(out.detach(), x**2)
    torch.testing.assert_close(grad, 2 * x * v)


def test_gradients_stand_where_their_inputs_stand() -> None:
    """None for what has none: other types, integers, inputs that do not matter."""
    x = torch.ones(2)
    _, grads = vjp(lambda n, a, i, b, scale: a * n * scale, (3, x, torch.arange(2), x), {"scale": 2.0}, x)
    assert [g is None for g in grads] == [True, False, True, True]
    torch.testing.assert_close(grads[1], 6 * x)


def test_inputs_are_not_touched() -> None:
    """The function works on copies: an in-place operation fails on a leaf, and does not reach the caller's tensor."""
    x = torch.ones(2)
    with pytest.raises(RuntimeError, match="in-place"):
        vjp(lambda a: a.mul_(2), (x,), {}, x)
    torch.testing.assert_close(x, torch.ones(2))
    assert not x.requires_grad


def test_complex_inputs_have_gradients_too() -> None:
    """By torch's convention for complex cotangents."""
    z, v = torch.randn(3, dtype=torch.complex64), torch.randn(3, dtype=torch.complex64)
    _, (grad,) = vjp(lambda a: a * 2j, (z,), {}, v)
    torch.testing.assert_close(grad, v * -2j)


def test_a_tuple_of_outputs_takes_a_tuple_of_cotangents() -> None:
    """Their number must agree; parts outside the graph are left out."""
    x = torch.ones(2)
    _, (grad,) = vjp(lambda a: (a * 3, a.detach()), (x,), {}, (x, x))
    torch.testing.assert_close(grad, 3 * x)
    with pytest.raises(ValueError, match="2 outputs for 1 cotangents"):
        vjp(lambda a: (a, a), (x,), {}, (x,))


def test_a_cut_graph_is_an_error() -> None:
    """Not a gradient of zeros."""
    with pytest.raises(RuntimeError, match="no gradient"):
        vjp(lambda a: a.detach(), (torch.ones(2),), {}, torch.ones(2))


def test_parameters_come_by_name() -> None:
    """Frozen and unused ones as None."""
    module = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
    module[0].weight.requires_grad_(False)
    x = torch.randn(3, 2)
    _, (grad,), params = vjp_params(module, (x,), {}, torch.ones(3, 1))
    assert params["0.weight"] is None
    torch.testing.assert_close(params["1.bias"], torch.tensor([3.0]))
    torch.testing.assert_close(grad, (module[1].weight @ module[0].weight).expand(3, 2).detach())


def test_the_second_order() -> None:
    """g = 3 x^2 v, then d<g, u>/dx = 6 x v u and d<g, u>/dv = 3 x^2 u; an input beside x counts too."""
    x, y, v, u = (torch.randn(3, dtype=torch.float64) for _ in range(4))
    dx, dy, dv = vjp2(lambda a, b: a**3 + a * b, (x, y), {}, (v, u))
    torch.testing.assert_close(dx, 6 * x * v * u)
    torch.testing.assert_close(dy, v * u)
    torch.testing.assert_close(dv, (3 * x**2 + y) * u)
