import math
import random

import torch
from viva_check import CandidateError, assert_close

WIDTH = 4
BAD = (math.nan, math.inf, -math.inf)


def draw_layers(n=3):
    return [(torch.randn(WIDTH, WIDTH).double() * 0.6, torch.randn(WIDTH).double() * 0.3) for _ in range(n)]


def draw_batches(n):
    return [(torch.randn(5, WIDTH).double(), torch.randn(5, WIDTH).double()) for _ in range(n)]


def oracle(layers, batches):
    """Parameters and momenta after one step for each batch."""
    leaves = [t.clone().requires_grad_() for pair in layers for t in pair]
    optimizer = torch.optim.SGD(leaves, lr=0.2, momentum=0.9)
    for x, y in batches:
        for weight, bias in zip(leaves[::2], leaves[1::2]):
            x = torch.tanh(x @ weight.T + bias)
        optimizer.zero_grad()
        ((x - y) ** 2).mean().backward()
        optimizer.step()
    momenta = [optimizer.state[p].get("momentum_buffer", torch.zeros_like(p)) for p in leaves]
    return [p.detach() for p in leaves], momenta


def compare(sut, model, optimizer, layers, batches, what):
    wanted, momenta = oracle(layers, batches)
    assert_close(sut.scaffold.parameters(model), wanted, msg=lambda m: f"{what}, parameters: {m}")
    found = sut.scaffold.momenta(model, optimizer)
    assert_close(found, momenta, msg=lambda m: f"{what}, momentum of the optimizer: {m}")


def run(sut, model, batches, loss=None):
    optimizer = sut.scaffold.sgd(model)
    return sut.train(model, optimizer, sut.scaffold.Loss() if loss is None else loss, batches), optimizer


def expect(result, i, name, what):
    assert isinstance(result, (tuple, list)), f"{what}: expected ({i}, {name!r}), got {result!r:.60}"
    assert list(result) == [i, name], f"{what}: expected ({i}, {name!r}), got {tuple(result)!r:.60}"


def check_healthy_training(sut):
    for n in (5, 1, 0):
        layers, batches = draw_layers(), draw_batches(n)
        model = sut.scaffold.chain(*(sut.scaffold.Layer(*pair) for pair in layers))
        result, optimizer = run(sut, model, batches)
        assert result is None, f"{n} good batches: expected None, got {result!r:.60}"
        compare(sut, model, optimizer, layers, batches, f"after {n} batches")


def check_first_module(sut):
    for bad in BAD:
        at, place = random.randrange(4), random.randrange(3) if math.isnan(bad) else 2
        parts = [sut.scaffold.Layer(*pair) for pair in draw_layers()]
        inner = sut.scaffold.chain(sut.scaffold.Layer(*draw_layers(1)[0]), sut.scaffold.Fault(at, bad))
        parts[place] = sut.scaffold.chain(parts[place], inner)
        model = sut.scaffold.Net(dict(zip(("stem", "body", "head"), parts)))
        name = f"{('stem', 'body', 'head')[place]}.1.1"
        result, _ = run(sut, model, draw_batches(5))
        expect(result, at, name, f"{bad} first appears in {name} at batch {at}")


def check_hidden_by_later_module(sut):
    for bad in BAD:
        at, layers = random.randrange(3), draw_layers(2)
        first, last = (sut.scaffold.Layer(*pair) for pair in layers)
        model = sut.scaffold.chain(first, sut.scaffold.Fault(at, bad), sut.scaffold.Repair(), last)
        expect(run(sut, model, draw_batches(4))[0], at, "1", f"{bad} in module 1, repaired by module 2")


def check_containers(sut):
    for form in ("tuple", "dict"):
        at, layers = random.randrange(3), draw_layers()
        a, b, c = (sut.scaffold.Layer(*pair) for pair in layers)
        fault = sut.scaffold.Fault(at, random.choice(BAD), form)
        model = sut.scaffold.Net({"a": a, "b": sut.scaffold.Block(fault), "c": sut.scaffold.chain(b, c)})
        result, _ = run(sut, model, draw_batches(4))
        expect(result, at, "b.inner", f"b.inner returns a {form} with a bad tensor inside")
    at, layers = random.randrange(3), draw_layers()
    a, b, c = (sut.scaffold.Layer(*pair) for pair in layers)
    model = sut.scaffold.Net({"a": a, "b": sut.scaffold.Block(b, at, random.choice(BAD)), "c": c})
    expect(run(sut, model, draw_batches(4))[0], at, "b", "b spoils the output of its child itself")
    model = sut.scaffold.Block(sut.scaffold.Layer(*layers[0]), at, random.choice(BAD))
    expect(run(sut, model, draw_batches(4))[0], at, "", "the model itself spoils the output of its child")


def check_other_places(sut):
    at = random.randrange(3)
    for bad in BAD:
        batches = draw_batches(4)
        batches[at][0][1, 2] = bad
        model = sut.scaffold.chain(*(sut.scaffold.Layer(*pair) for pair in draw_layers()))
        expect(run(sut, model, batches)[0], at, "input", f"x of batch {at} holds {bad}")
    model = sut.scaffold.chain(*(sut.scaffold.Layer(*pair) for pair in draw_layers()))
    expect(run(sut, model, draw_batches(4), sut.scaffold.Loss(at))[0], at, "loss", "only the loss is infinite")
    first, last = (sut.scaffold.Layer(*pair) for pair in draw_layers(2))
    model = sut.scaffold.chain(first, sut.scaffold.Slope(at), last)
    expect(run(sut, model, draw_batches(4))[0], at, "backward", "all outputs are finite, a gradient is not")
    x, y = (torch.randn(6, 5, WIDTH).double() for _ in range(2))
    x[at] = math.nan
    loader = sut.builtin("torch.utils.data.DataLoader", sut.builtin("torch.utils.data.TensorDataset", x, y))
    batches = sut.builtin("torch.utils.data.dataloader._SingleProcessDataLoaderIter", loader)
    model = sut.scaffold.chain(*(sut.scaffold.Layer(*pair) for pair in draw_layers()))
    expect(run(sut, model, batches)[0], at, "input", f"x of batch {at} is NaN, batches from a loader")
    taken = batches.get("_num_yielded")
    assert taken == at + 1, f"batch {at} was bad, but {taken} batches were taken from the iterable"
    # Large, but finite: neither the sum of the inputs nor the square of a gradient fits into float32.
    model = sut.builtin("torch.nn.Linear", WIDTH, WIDTH)
    model.load({"weight": torch.zeros(WIDTH, WIDTH), "bias": torch.zeros(WIDTH)})
    x, y = torch.full((1, WIDTH), 1e38), torch.full((1, WIDTH), 0.01)
    result, _ = run(sut, model, [(x, y)], sut.builtin("torch.nn.MSELoss"))
    assert result is None, f"large finite inputs and gradients: expected None, got {result!r:.60}"
    assert_close(model.state()["weight"] / 1e35, torch.ones(WIDTH, WIDTH), rtol=1e-3, atol=0)


def check_state_kept(sut):
    for kind in ("module", "input", "loss", "backward"):
        at, layers, batches = random.randint(1, 3), draw_layers(2), draw_batches(5)
        good = batches[:at]
        first, last = (sut.scaffold.Layer(*pair) for pair in layers)
        between = sut.scaffold.Slope(at) if kind == "backward" else sut.scaffold.Fault(at, math.nan)
        parts = (first, between, last) if kind in ("module", "backward") else (first, last)
        if kind == "input":
            batches[at][0][0, 0] = math.nan
        model = sut.scaffold.chain(*parts)
        loss = sut.scaffold.Loss(at if kind == "loss" else 10**9)
        result, optimizer = run(sut, model, batches, loss)
        assert result is not None, f"bad {kind} at batch {at}: expected a report, got None"
        compare(sut, model, optimizer, layers, good, f"bad {kind} at batch {at}, as of the batch before")


def check_hooks_removed(sut):
    for kind in ("good", "bad", "crash"):
        layers = draw_layers(2)
        extra = {"good": sut.scaffold.Fault(99, 0.0), "bad": sut.scaffold.Fault(1, math.nan), "crash": sut.scaffold.Crash()}[kind]
        first, last = (sut.scaffold.Layer(*pair) for pair in layers)
        model = sut.scaffold.chain(first, extra, last)
        witness = sut.scaffold.Witness(model)
        try:
            result, optimizer = run(sut, model, draw_batches(3))
        except CandidateError as error:
            assert kind == "crash" and error.type == "ArithmeticError", f"raised {error.type}: {error.message}"
        else:
            assert kind != "crash", "an exception of the model's was swallowed"
            assert (result is None) == (kind == "good"), f"{kind} batches: got {result!r:.60}"
        left = sut.scaffold.hooks(model)
        assert left == 4, f"after a {kind} run: {left} hooks on the model, it had 4 before"
        if kind == "good":
            before = witness.get("calls")
            x = torch.randn(2, WIDTH).double()
            assert model(x).shape == (2, WIDTH)
            assert witness.get("calls") == before + 4, "hooks that were there before no longer fire"
