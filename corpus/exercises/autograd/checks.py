import torch
from viva_check import CandidateError, assert_close


def slope(x, limit):
    return torch.exp(x.clamp(max=limit))


def around(limit, *shape, dtype=torch.float64, side=0):
    """Random inputs on both sides of `limit`, or on one (side -1 or 1), never at it."""
    gap = 0.1 + 2 * torch.rand(shape, dtype=torch.float64)
    sign = torch.randint(0, 2, shape) * 2 - 1 if side == 0 else torch.full(shape, side)
    return (limit + sign * gap).to(dtype)


def check_values(sut):
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        for shape in ((3, 5), (7,), (), (1, 1), (0, 4)):
            x = around(1.5, *shape, dtype=dtype)
            out, (after, _) = sut.watch("trunc_exp", x, 1.5)
            assert_close(out, torch.exp(x))
            assert torch.equal(after, x), "the input was changed"
    x = torch.tensor([-1000.0, 0.0, 20.0, 1000.0])
    assert_close(sut.trunc_exp(x), torch.exp(x))


def check_gradient(sut):
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        for shape in ((4, 3), (6,), (), (0, 2)):
            x = torch.randn(shape, dtype=dtype)
            v = torch.randn(shape, dtype=dtype)
            _, grads = sut.vjp("trunc_exp", x, 6.0, cotangent=v)
            assert_close(grads[0], v * torch.exp(x))
    x, v = around(15.0, 40), torch.randn(40, dtype=torch.float64)
    x = torch.where(x > 15, x - 3, x)
    _, grads = sut.vjp("trunc_exp", x, cotangent=v)
    assert_close(grads[0], v * torch.exp(x))


def check_truncation(sut):
    for limit in (2.0, -1.0, 0, float(torch.rand(()) * 4)):
        x, v = around(limit, 5, 7), torch.randn(5, 7, dtype=torch.float64)
        out, grads = sut.vjp("trunc_exp", x, limit, cotangent=v)
        assert_close(out, torch.exp(x))
        assert_close(grads[0], v * slope(x, limit))
    x, v = around(15.0, 30, side=1), torch.randn(30, dtype=torch.float64)
    _, grads = sut.vjp("trunc_exp", x, cotangent=v)
    assert_close(grads[0], v * slope(x, 15.0))
    for dtype in (torch.float32, torch.float64):
        x = torch.tensor([-2000.0, 0.5, 300.0, 1000.0], dtype=dtype)
        v = torch.randn(4, dtype=dtype)
        _, grads = sut.vjp("trunc_exp", x, 3.0, cotangent=v)
        assert_close(grads[0], v * slope(x, 3.0))


def check_context(sut):
    function = sut.get("trunc_exp")
    x, v = around(1.0, 4, 3), torch.randn(4, 3, dtype=torch.float64)
    out, grad = sut.scaffold.transposed(function, x, 1.0, v)
    assert_close(out, torch.exp(x).t())
    assert_close(grad, v * slope(x, 1.0))
    assert_close(sut.scaffold.residual(function, x, 1.0, v), v * slope(x, 1.0) + v)

    y = around(2.0, 5)
    first, second = sut.scaffold.interleaved(function, x, y, (1.0, 2.0))
    assert_close(first, slope(x, 1.0))
    assert_close(second, slope(y, 2.0))

    for change, factor in (("input_changed", 1), ("output_doubled", 2)):
        try:
            grad = getattr(sut.scaffold, change)(function, x, 1.0, v)
        except CandidateError as error:
            assert error.type == "RuntimeError", f"a tensor was changed in place before backward: {error}"
        else:
            assert_close(grad, factor * v * slope(x, 1.0))


def check_second_order(sut):
    for dtype, limit in ((torch.float64, 1.5), (torch.float32, 0.5), (torch.float64, -2)):
        for shape in ((3, 4), (), (9,)):
            x = around(limit, *shape, dtype=dtype)
            v, u = torch.randn(shape, dtype=dtype), torch.randn(shape, dtype=dtype)
            found = sut.vjp2("trunc_exp", x, limit, cotangent=v, cotangent2=u)
            curvature = torch.where(x < limit, torch.exp(x), torch.zeros_like(x))
            by_x = torch.zeros_like(x) if found[0] is None else found[0]
            assert_close(by_x, u * v * curvature)
            assert_close(found[-1], u * slope(x, limit))
    x = torch.tensor([-1.0, 0.5, 100.0, 2000.0], dtype=torch.float64)
    v, u = torch.randn(4, dtype=torch.float64), torch.randn(4, dtype=torch.float64)
    found = sut.vjp2("trunc_exp", x, 3.0, cotangent=v, cotangent2=u)
    by_x = torch.zeros_like(x) if found[0] is None else found[0]
    assert_close(by_x, u * v * torch.where(x < 3.0, slope(x, 3.0), 0.0))
    assert_close(found[-1], u * slope(x, 3.0))


def check_function(sut):
    x = around(1.0, 3)
    made = sut.scaffold.made_by(sut.get("trunc_exp"), x, 1.0, "TruncExpBackward")
    assert made is True, "the graph of the output has no TruncExpBackward node"
