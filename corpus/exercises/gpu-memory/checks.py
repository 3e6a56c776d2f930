import random

import torch
from viva_check import assert_close

IN, WIDE, OUT = 4, 64, 3


def draw(n=5):
    """(inputs, first weight, second weight, cotangent)"""
    shapes = (n, IN), (IN, WIDE), (WIDE, OUT), (n, OUT)
    return [torch.randn(*shape, dtype=torch.float64) * scale for shape, scale in zip(shapes, (1, 0.5, 0.3, 1))]


def block(x, first, second):
    hidden = torch.tanh(x @ first)
    return torch.sigmoid(hidden * hidden.exp()) @ second


def oracle(function, tensors, cotangent):
    """(output, gradients)"""
    leaves = [t.clone().requires_grad_() for t in tensors]
    out = function(*leaves)
    return out.detach(), torch.autograd.grad(out, leaves, cotangent)


def same(found, expected, what):
    assert found is not None, f"{what}: no gradient"
    assert_close(found, expected, msg=lambda m: f"{what}: {m}")


def check_gradients(sut):
    for n in (5, 1, 0):
        x, first, second, cotangent = draw(n)
        out, grads = oracle(block, (x, first, second), cotangent)
        wrapped = sut.Checkpoint(sut.scaffold.Block(first, second))
        got, inner, parameters = wrapped.vjp(x, cotangent=cotangent)
        assert_close(got, out, msg=lambda m: f"batch of {n}, output: {m}")
        same(inner[0], grads[0], f"batch of {n}, gradient of the input")
        same(parameters.get("module.first"), grads[1], f"batch of {n}, gradient of a parameter")
        same(parameters.get("module.second"), grads[2], f"batch of {n}, gradient of a parameter")


def check_memory(sut):
    for n in (random.randint(3, 9), 1):
        x, first, second, cotangent = draw(n)
        inner = sut.scaffold.Block(first, second)
        plain = sut.scaffold.saved(sut.scaffold.Block(first, second), x)[1]
        out, kept = sut.scaffold.saved(sut.Checkpoint(inner), x)
        assert_close(out, block(x, first, second))
        assert kept <= x.numel(), f"{kept} elements kept for the backward, the input has {x.numel()}, without it {plain}"
        calls = inner.get("calls")
        assert calls == 1, f"the module ran {calls} times in the forward"
        inner = sut.scaffold.Block(first, second)
        grads, _ = sut.scaffold.backward(sut.Checkpoint(inner), [x], [cotangent])
        same(grads[0], oracle(block, (x, first, second), cotangent)[1][0], "gradient of the input")
        calls = inner.get("calls")
        assert calls == 2, f"forward and backward together ran the module {calls} times"
        inner = sut.scaffold.Block(first, second)
        assert_close(sut.scaffold.without_grad(sut.Checkpoint(inner), x), block(x, first, second))
        calls = inner.get("calls")
        assert calls == 1, f"under no_grad the module ran {calls} times"


def check_accumulation(sut):
    x, first, second, one = draw()
    two = torch.randn_like(one)
    wrapped = sut.Checkpoint(sut.scaffold.Block(first, second))
    grads, parameters = sut.scaffold.backward(wrapped, [x], [one, two])
    _, expected = oracle(block, (x, first, second), one + two)
    same(grads[0], expected[0], "input, .grad after two backward calls")
    same(parameters.get("module.first"), expected[1], "parameter, .grad after two backward calls")
    weights = [torch.randn(IN, WIDE).double() * 0.5, torch.randn(WIDE, IN).double() * 0.3]
    parts = [sut.Checkpoint(sut.scaffold.Block(*weights)), sut.Checkpoint(sut.scaffold.Block(first, second))]
    grads, parameters = sut.scaffold.backward(sut.scaffold.chain(*parts), [x], [one])
    _, expected = oracle(lambda x, a, b, c, d: block(block(x, a, b), c, d), (x, *weights, first, second), one)
    same(grads[0], expected[0], "two wrapped blocks in a row, input")
    same(parameters.get("0.module.first"), expected[1], "two wrapped blocks in a row, parameter of the first")
    same(parameters.get("1.module.second"), expected[4], "two wrapped blocks in a row, parameter of the second")


def check_what_needs_no_gradient(sut):
    x, first, second, cotangent = draw()
    _, expected = oracle(block, (x, first, second), cotangent)
    wrapped = sut.Checkpoint(sut.scaffold.Block(first, second))
    grads, parameters = sut.scaffold.backward(wrapped, [x], [cotangent], grad=False)
    assert grads == [None], "an input that needs no gradient got one"
    same(parameters.get("module.first"), expected[1], "parameter, when the input needs no gradient")
    wrapped = sut.Checkpoint(sut.scaffold.Block(first, second, frozen=True))
    grads, parameters = sut.scaffold.backward(wrapped, [x], [cotangent])
    same(grads[0], expected[0], "input of a module with a frozen parameter")
    same(parameters.get("module.second"), expected[2], "the other parameter of a module with a frozen one")
    assert parameters.get("module.first") is None, "a frozen parameter got a gradient"
    grads, parameters = sut.scaffold.backward(wrapped, [x], [cotangent])
    same(grads[0], expected[0], "input of a module with a frozen parameter, second call")
    assert parameters.get("module.first") is None, "a frozen parameter got a gradient in the second call"
    table, index = torch.randn(7, 3).double(), torch.randint(7, (6,))
    weight = torch.randn(6, 3).double()
    _, parameters = sut.scaffold.backward(sut.Checkpoint(sut.scaffold.Lookup(table)), [index], [weight])
    _, expected = oracle(lambda t: torch.sin(t[index]).exp(), (table,), weight)
    same(parameters.get("module.weight"), expected[0], "parameter of a module with integer input")


def check_several_inputs(sut):
    a, b, weight = (torch.randn(*shape).double() for shape in ((5, 4), (5, 3), (4, 3)))
    mask, cotangent = torch.randint(2, (5, 3)), torch.randn(5, 3).double()
    wrapped = sut.Checkpoint(sut.scaffold.Mix(weight))
    out, expected = oracle(lambda a, b, w: torch.tanh(a @ w) * b.exp() * mask, (a, b, weight), cotangent)
    got, kept = sut.scaffold.saved(wrapped, a, b, mask)
    assert_close(got, out)
    size = a.numel() + b.numel() + mask.numel()
    assert kept <= size, f"{kept} elements kept for the backward, the inputs have {size}"
    grads, parameters = sut.scaffold.backward(wrapped, [a, b, mask], [cotangent])
    same(grads[0], expected[0], "first of three inputs")
    same(grads[1], expected[1], "second of three inputs")
    same(parameters.get("module.weight"), expected[2], "parameter of a module with three inputs")


def check_randomness(sut):
    for _ in range(3):
        seed = random.randrange(2**31)
        out, grad, between, after = sut.scaffold.random_run(sut.Checkpoint(sut.scaffold.Noise()), seed)
        wanted = sut.scaffold.random_run(sut.scaffold.Noise(), seed)
        assert_close(out, wanted[0], msg=lambda m: f"output of a module with dropout: {m}")
        assert_close(grad, wanted[1], msg=lambda m: f"gradient through dropout: {m}")
        assert_close(between, wanted[2], msg=lambda m: f"random numbers drawn after the forward: {m}")
        assert_close(after, wanted[3], msg=lambda m: f"random numbers drawn after the backward: {m}")
    module, bare = sut.builtin("torch.nn.Dropout", 0.4), sut.builtin("torch.nn.Dropout", 0.4)
    wrapped = sut.Checkpoint(module)
    for call in (1, 2):
        seed = random.randrange(2**31)
        found, wanted = sut.scaffold.random_run(wrapped, seed), sut.scaffold.random_run(bare, seed)
        for what, a, b in zip(("output", "gradient"), found, wanted):
            assert_close(a, b, msg=lambda m: f"nn.Dropout in train mode, call {call}, {what}: {m}")
