import torch
from viva_check import assert_close

NEAR = {
    torch.float64: {"rtol": 1e-9, "atol": 1e-9},
    torch.float32: {"rtol": 1e-4, "atol": 1e-4},
    torch.float16: {"rtol": 2e-2, "atol": 3e-2},
    torch.bfloat16: {"rtol": 3e-2, "atol": 5e-2},
}


def check_values(sut):
    for dtype, near in NEAR.items():
        for shape in ((3, 5), (7,), (1, 1), (4, 1), (2, 3, 4), (0, 4), (2, 0, 3)):
            x = (2 * torch.randn(shape, dtype=torch.float64)).to(dtype)
            out, (after, *_) = sut.watch("row_lse", x)
            assert_close(out, torch.logsumexp(x.double(), -1).to(dtype), **near)
            assert_close(after, x, rtol=0, atol=0, msg="row_lse changed its input")
    for offset in (-2000.0, 2000.0):
        x = torch.randn(4, 6, dtype=torch.float64) + offset
        assert_close(sut.row_lse(x), torch.logsumexp(x, -1), **NEAR[torch.float64])


def check_registered(sut):
    for shape in ((3, 5), (2, 4, 3)):
        x = torch.randn(shape)
        assert_close(sut.scaffold.call("row_lse", x), torch.logsumexp(x, -1))
        out, _ = sut.scaffold.on_transposed("row_lse", x)
        assert_close(out, torch.logsumexp(x.transpose(-1, -2), -1))


def check_fake(sut):
    for shape in ((3, 5), (7,), (2, 3, 4), (4, 4), (0, 3)):
        for dtype in NEAR:
            x = torch.zeros(shape, dtype=dtype)
            size, kind = sut.scaffold.fake("row_lse", x)
            assert tuple(size) == shape[:-1] and kind == dtype, (
                f"for shape {shape} and {dtype} the fake kernel announces {tuple(size)} and {kind}"
            )
    x = torch.randn(5, 3)
    value, nodes = sut.scaffold.traced_lse(torch.randn(4, 6), x)
    assert nodes == 1, f"the traced graph holds the operator {nodes} times, expected once"
    assert_close(value, 3 * torch.logsumexp(x, -1) + 1)
    report = sut.scaffold.opcheck("row_lse", torch.randn(3, 4))
    bad = {test: text[:200] for test, text in report.items() if text != "SUCCESS"}
    assert not bad, f"opcheck reports {bad}"


def check_gradient(sut):
    for shape in ((4, 4), (3, 5), (6,), (2, 3, 4), (3, 1), (0, 3)):
        x = torch.randn(shape, dtype=torch.float64)
        cotangent = torch.randn(shape[:-1], dtype=torch.float64)
        out, (grad, *_) = sut.vjp("row_lse", x, cotangent=cotangent)
        assert grad is not None, "no gradient reaches x"
        assert_close(out, torch.logsumexp(x, -1))
        assert_close(grad, cotangent[..., None] * torch.softmax(x, -1))
    x, v, u = (torch.randn(3, 4, dtype=torch.float64) for _ in range(3))
    v = v[:, 0].clone()
    leaf, w = x.clone().requires_grad_(), v.clone().requires_grad_()
    (g,) = torch.autograd.grad(torch.logsumexp(leaf, -1), leaf, w, create_graph=True)
    want, want_v = torch.autograd.grad(g, (leaf, w), u)
    second, second_v = sut.vjp2("row_lse", x, cotangent=v, cotangent2=u)
    assert second is not None and second_v is not None, "the gradient cannot be differentiated again"
    assert_close(second, want)
    assert_close(second_v, want_v)


def check_mutation(sut):
    for shape in ((3, 5), (2, 3, 4), (1, 1), (4,), (0, 3)):
        for dtype in (torch.float32, torch.float64, torch.bfloat16):
            x, factor = torch.randn(shape).to(dtype), torch.randn(shape[:-1]).to(dtype)
            want = x * factor.unsqueeze(-1)
            out, (after, kept) = sut.watch("scale_rows_", x, factor)
            assert out is None, "scale_rows_ should return None"
            assert_close(after, want)
            assert_close(kept, factor, rtol=0, atol=0, msg="scale_rows_ changed the factors")
    x, factor = torch.randn(5, 3), torch.randn(3)
    _, after = sut.scaffold.on_transposed("scale_rows_", x, factor)
    assert_close(after, x * factor)
    x, factor = torch.randn(3, 5), torch.randn(3)
    found = sut.scaffold.traced_scale(torch.randn(3, 5), factor, x)
    assert_close(found, x * factor[:, None] + 1, msg=lambda m: f"in a traced graph, after unused nodes are removed: {m}")
    declared = sut.scaffold.operator("scale_rows_").get("_schema.arguments")
    assert len(declared) == 2, f"the schema of scale_rows_ has {len(declared)} arguments, expected 2"
    factors = declared[1].get("alias_info")
    assert factors is None or factors.get("is_write") is False, "the schema says that scale_rows_ changes the factors"
    report = sut.scaffold.opcheck("scale_rows_", x, factor)
    bad = {test: text[:200] for test, text in report.items() if text != "SUCCESS"}
    assert not bad, f"opcheck reports {bad}"
