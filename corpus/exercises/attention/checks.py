import math

import torch
import torch.nn.functional as F
from viva_check import assert_close

SHAPES = (
    # leading, L, S, D, E
    ((2, 3), 5, 5, 8, 8),
    ((), 4, 7, 3, 5),
    ((3,), 6, 2, 16, 1),
    ((1, 1), 1, 1, 1, 1),
    ((2,), 3, 5, 7, 4),
    ((0, 2), 3, 4, 2, 2),
)


def inputs(lead, length, source, dim, out, dtype=torch.float64):
    return (
        torch.randn(*lead, length, dim, dtype=dtype),
        torch.randn(*lead, source, dim, dtype=dtype),
        torch.randn(*lead, source, out, dtype=dtype),
    )


def oracle(q, k, v, mask=None):
    """(output, weights) with zeros where a query may see nothing. `mask`: True may be seen."""
    weights = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        weights = weights.masked_fill(~mask, -math.inf)
    weights = weights.softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ v, weights


def pair(found):
    assert type(found) is tuple and len(found) == 2, "expected a tuple (output, weights)"
    return found


def check_values(sut):
    for dtype, near in ((torch.float64, {"rtol": 1e-9, "atol": 1e-12}), (torch.float32, {})):
        for shape in SHAPES:
            q, k, v = inputs(*shape, dtype=dtype)
            found, after = sut.watch("attention", q, k, v)
            out, weights = pair(found)
            want, want_weights = oracle(q, k, v)
            assert_close(out, want, **near)
            assert_close(weights, want_weights, **near)
            for given, left in zip((q, k, v), after, strict=True):
                assert torch.equal(given, left), "an input was changed"
    q, k, v = inputs((2, 2), 4, 6, 8, 3)
    out, weights = pair(sut.scaffold.strided(sut.get("attention"), q, k, v))
    assert_close(out, F.scaled_dot_product_attention(q, k, v))
    assert_close(weights, oracle(q, k, v)[1])


def check_stability(sut):
    for dtype, size in ((torch.float32, 15.0), (torch.float64, 300.0)):
        q, k, v = inputs((2,), 4, 6, 8, 8, dtype=dtype)
        q, k = q * size, k * size
        out, weights = pair(sut.attention(q, k, v))
        want, want_weights = oracle(q, k, v)
        assert_close(out, want, rtol=1e-3, atol=1e-3)
        assert_close(weights, want_weights, rtol=1e-3, atol=1e-3)
    low = -torch.full((1, 3, 4), 200.0)
    v = torch.randn(1, 3, 4)
    assert_close(pair(sut.attention(low, -low, v))[0], v.mean(-2, keepdim=True).expand(1, 3, 4))
    q, k, v = inputs((2, 2), 5, 5, 16, 16, dtype=torch.bfloat16)
    out, weights = pair(sut.attention(q, k, v))
    assert out.dtype == torch.bfloat16 and weights.dtype == torch.bfloat16, f"expected bfloat16, got {out.dtype} and {weights.dtype}"
    assert_close(out.double(), oracle(q.double(), k.double(), v.double())[0], rtol=0.05, atol=0.05)


def seeing(*shape):
    """A random mask in which every query sees something, for square or wide shapes also under causality."""
    mask = torch.rand(shape) < 0.5
    mask[..., 0] = True
    return mask


def check_masks(sut):
    for lead, length, source, dim, out in SHAPES:
        q, k, v = inputs(lead, length, source, dim, out)
        causal = torch.ones(length, source, dtype=torch.bool).tril()
        masks = [seeing(*lead, length, source), seeing(length, source), seeing(1, source)]
        if len(lead) == 2:
            masks += [seeing(lead[0], 1, 1, source), seeing(1, lead[1], length, source)]
        for found, mask in (
            [(sut.attention(q, k, v, causal=True), causal)]
            + [(sut.attention(q, k, v, mask=m), m) for m in masks]
            + [(sut.attention(q, k, v, m, True), m & causal) for m in masks]
        ):
            want, want_weights = oracle(q, k, v, mask)
            assert_close(pair(found)[0], want)
            assert_close(found[1], want_weights)
    q, k, v = inputs((2,), 4, 4, 6, 6)
    mask = seeing(2, 4, 4)
    _, (*_, after) = sut.watch("attention", q, k, v, mask)
    assert torch.equal(after, mask), "the mask was changed"
    found = pair(sut.attention(q * 40, k * 40, v, mask))
    assert_close(found[0], oracle(q * 40, k * 40, v, mask)[0], rtol=1e-3, atol=1e-3)


def check_gradients(sut):
    for shape in (((2, 3), 5, 5, 8, 8), ((2,), 4, 7, 3, 5)):
        for causal in (False, True):
            q, k, v = inputs(*shape)
            seen = torch.ones(shape[1], shape[2], dtype=torch.bool)
            seen = seen.tril() if causal else seen
            leaves = [t.clone().requires_grad_() for t in (q, k, v)]
            out, weights = oracle(*leaves, seen)
            a, b = torch.randn_like(out), torch.randn_like(weights)
            ((out * a).sum() + (weights * b).sum()).backward()
            _, grads = sut.vjp("attention", q, k, v, cotangent=(a, b), causal=causal)
            for found, leaf in zip(grads, leaves, strict=True):
                assert found is not None, "an input got no gradient"
                assert_close(found, leaf.grad)


def check_empty_rows(sut):
    for dtype in (torch.float64, torch.float32):
        q, k, v = inputs((3, 2), 4, 5, 6, 6, dtype=dtype)
        mask = seeing(3, 1, 4, 5)
        mask[1] = False
        mask[2, :, 3] = False
        out, weights = pair(sut.attention(q, k, v, mask))
        want, want_weights = (torch.nan_to_num(x, nan=0.0) for x in oracle(q, k, v, mask))
        dark = ~mask.any(-1, keepdim=True)
        want = want.masked_fill(dark, 0.0)
        assert_close(out, want)
        assert_close(weights, want_weights)

        x = torch.randn(3, 2, 4, 6, dtype=dtype)
        _, grads = sut.vjp("attention", q, k, v, mask, cotangent=(x, torch.zeros_like(weights)))
        leaves = [t.clone().requires_grad_() for t in (q, k, v)]
        seen = mask | dark
        (oracle(*leaves, seen)[0].masked_fill(dark, 0.0) * x).sum().backward()
        for found, leaf in zip(grads, leaves, strict=False):
            assert_close(found, leaf.grad)
    q, k, v = inputs((1,), 3, 4, 2, 2)
    mask = torch.ones(3, 4, dtype=torch.bool)
    mask[:, 0] = False
    out, weights = pair(sut.attention(q, k, v, mask, True))
    assert_close(out[:, 0], torch.zeros(1, 2, dtype=torch.float64))
    assert_close(out[:, 1], v[:, 1])
    assert_close(weights[:, 0], torch.zeros(1, 4, dtype=torch.float64))


def split(x, heads):
    batch, length, dim = x.shape
    return x.reshape(batch, length, heads, dim // heads).permute(0, 2, 1, 3)


def expected(state, x, heads, mask=None):
    q, k, v = (split(F.linear(x, state[f"{n}_proj.weight"], state[f"{n}_proj.bias"]), heads) for n in "qkv")
    out, _ = oracle(q, k, v, mask)
    if mask is not None:
        out = out.masked_fill(~mask.any(-1, keepdim=True), 0.0)
    joined = out.permute(0, 2, 1, 3).reshape(x.shape)
    return F.linear(joined, state["out_proj.weight"], state["out_proj.bias"])


def layer(sut, dim, heads, dtype=torch.float32):
    """(the candidate's layer with the judge's weights, those weights)."""
    made = sut.MultiHeadAttention(dim, heads)
    state = {}
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        state[f"{name}.weight"] = torch.randn(dim, dim, dtype=dtype) / math.sqrt(dim)
        state[f"{name}.bias"] = torch.randn(dim, dtype=dtype)
    made.load(state)
    return made, state


def check_heads(sut):
    for batch, length, dim, heads in ((2, 5, 12, 3), (3, 4, 8, 1), (1, 1, 6, 6), (2, 8, 16, 4)):
        made, state = layer(sut, dim, heads)
        x = torch.randn(batch, length, dim)
        assert_close(made(x), expected(state, x, heads))
        causal = torch.ones(length, length, dtype=torch.bool).tril()
        assert_close(made(x, causal=True), expected(state, x, heads, causal))
    made, state = layer(sut, 12, 4)
    x, cotangent = torch.randn(2, 5, 12), torch.randn(2, 5, 12)
    weights = {n: w.clone().requires_grad_() for n, w in state.items()}
    leaf = x.clone().requires_grad_()
    (expected(weights, leaf, 4) * cotangent).sum().backward()
    _, (found,), by_name = made.vjp(x, cotangent=cotangent)
    assert_close(found, leaf.grad, rtol=1e-4, atol=1e-5)
    for name, weight in weights.items():
        assert by_name.get(name) is not None, f"{name} got no gradient"
        assert_close(by_name[name], weight.grad, rtol=1e-4, atol=1e-5)
    with sut.raises("ValueError"):
        sut.MultiHeadAttention(10, 4)


def check_padding(sut):
    for batch, length, dim, heads in ((4, 6, 12, 3), (1, 3, 4, 2), (5, 5, 10, 5)):
        made, state = layer(sut, dim, heads)
        x = torch.randn(batch, length, dim)
        padding = torch.rand(batch, length) < 0.4
        padding[:, 0] = False
        padding[0, -1] = True
        mask = ~padding[:, None, None, :]
        assert_close(made(x, padding), expected(state, x, heads, mask))
        causal = torch.ones(length, length, dtype=torch.bool).tril()
        assert_close(made(x, padding, True), expected(state, x, heads, mask & causal))
        changed = torch.where(padding[..., None], torch.randn_like(x) * 5, x)
        assert_close(made(changed, padding=padding)[~padding], made(x, padding=padding)[~padding])
    made, state = layer(sut, 8, 2)
    x = torch.randn(2, 3, 8)
    padding = torch.tensor([[False, False, True], [True, True, True]])
    out = made(x, padding)
    assert_close(out, expected(state, x, 2, ~padding[:, None, None, :]))
    assert_close(out[1], state["out_proj.bias"].expand(3, 8))


def check_own(sut):
    q, k, v = inputs((2,), 3, 4, 6, 5)
    mask = seeing(3, 4)
    _, names = sut.scaffold.called(sut.get("attention"), q, k, v, mask)
    made, state = layer(sut, 8, 2)
    x = torch.randn(2, 3, 8)
    padding = torch.tensor([[False, False, True], [False, False, False]])
    found, more = sut.scaffold.called(made, x, padding)
    assert_close(found, expected(state, x, 2, ~padding[:, None, None, :]))
    for name in [*names, *more]:
        ready = "dot_product_attention" in name or "multi_head_attention" in name
        assert not ready, f"the code calls the ready-made function {name}"
