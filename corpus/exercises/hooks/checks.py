import torch
from viva_check import CandidateError, assert_close

WIDTH = 4
ALL = {"stem", "body", "body.0", "body.1", "head", "spare"}


def draw(n=3):
    """(weights, inputs)"""
    return [torch.randn(WIDTH, WIDTH) for _ in range(3)], [torch.randn(5, WIDTH) for _ in range(n)]


def oracle(weights, inputs):
    """Outputs by module name, in the order of the calls."""
    stem, inner, head = weights
    seen = {name: [] for name in ALL | {""}}
    for x in inputs:
        a = x @ stem.T
        b = a @ inner.T
        c = b.relu()
        d = c @ head.T
        e = d @ head.T
        for name, value in (("stem", a), ("body.0", b), ("body.1", c), ("body", c), ("head", d), ("head", e), ("", e)):
            seen[name].append(value)
    return seen


def compare(found, expected, names, what):
    assert isinstance(found, dict), f"{what}: expected a dict, got {type(found).__name__}"
    assert set(found) == set(names), f"{what}: expected the names {sorted(names)}, got {sorted(map(str, found))}"
    for name in names:
        count = len(found[name])
        assert count == len(expected[name]), f"{what}: {name!r} ran {len(expected[name])} times, {count} outputs recorded"
        for i, (a, b) in enumerate(zip(found[name], expected[name])):
            assert_close(a, b, rtol=1e-4, atol=1e-4, msg=lambda m: f"{what}: output {i} of {name!r}: {m}")


def same_form(found, wanted, what):
    assert type(found) is type(wanted), f"{what}: recorded a {type(found).__name__}, expected a {type(wanted).__name__}"
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted), f"{what}: {len(found)} parts, expected {len(wanted)}"
        for a, b in zip(found, wanted):
            same_form(a, b, what)


def check_values(sut):
    weights, inputs = draw()
    model = sut.scaffold.Net(*weights)
    for names, n in ((["stem"], 1), (["head", "stem"], 3), (["body", "body.1"], 2), ([], 1), (["", "head"], 2)):
        found = sut.scaffold.run(sut.record(model, names), model, inputs[:n])
        compare(found, oracle(weights, inputs[:n]), names, f"names {names}, {n} inputs")
    x = torch.randn(3, 2)
    model = sut.scaffold.Recurrent()
    found = sut.scaffold.run(sut.record(model, ["cell"]), model, [x, -x])
    assert isinstance(found, dict) and set(found) == {"cell"}, f"expected one name, got {found!r:.60}"
    wanted = [(t.cumsum(0), (t * 2, t - 1)) for t in (x, -x)]
    assert_close(found["cell"], wanted, msg=lambda m: f"a module that returns a nested tuple: {m}")
    same_form(found["cell"], wanted, "a module that returns a nested tuple")
    nested = [x, (x * 2, [x - 1])]
    model = sut.builtin("torch.nn.Sequential", sut.builtin("torch.nn.Identity"))
    found = sut.scaffold.run(sut.record(model), model, [nested])
    assert isinstance(found, dict) and set(found) == {"0"}, f"expected one name, got {found!r:.60}"
    same_form(found["0"], [nested], "a module that returns a nested list")
    assert_close(found["0"], [nested], msg=lambda m: f"a module that returns a nested list: {m}")


def check_all_modules(sut):
    weights, inputs = draw()
    model = sut.scaffold.Net(*weights)
    expected = oracle(weights, inputs)
    found = sut.scaffold.run(sut.record(model), model, inputs)
    assert set(found) == ALL, f"without names expected {sorted(ALL)}, got {sorted(map(str, found))}"
    compare({k: v for k, v in found.items() if k != "body.0"}, expected, ALL - {"body.0"}, "without names")
    compare(sut.scaffold.run(sut.record(model), model, []), oracle(weights, []), ALL, "no call at all")


def check_later_changes(sut):
    weights, inputs = draw(2)
    model = sut.scaffold.Net(*weights)
    found = sut.scaffold.run(sut.record(model, ["body.0"]), model, inputs)
    compare(found, oracle(weights, inputs), ["body.0"], "a layer followed by an in-place ReLU")


def check_model_unchanged(sut):
    weights, (x,) = draw(1)
    cotangent = torch.randn(5, WIDTH)
    model = sut.scaffold.Net(*weights)
    out, grads, hanging = sut.scaffold.gradients(sut.record(model), model, x, cotangent)
    leaves = [w.clone().requires_grad_() for w in weights]
    expected = ((x @ leaves[0].T) @ leaves[1].T).relu() @ leaves[2].T @ leaves[2].T
    assert_close(out, expected.detach(), rtol=1e-4, atol=1e-4, msg=lambda m: f"output inside the block: {m}")
    wanted = torch.autograd.grad(expected, leaves, cotangent)
    for name, grad in zip(("stem.weight", "body.0.weight", "head.weight"), wanted):
        assert grads.get(name) is not None, f"no gradient reached {name} inside the block"
        assert_close(grads[name], grad, rtol=1e-4, atol=1e-4, msg=lambda m: f"gradient of {name} inside the block: {m}")
    assert not hanging, "a recorded tensor still hangs on the graph"


def check_hooks_removed(sut):
    weights, inputs = draw(2)
    model = sut.scaffold.Net(*weights)
    witness = sut.scaffold.Witness(model)
    before = sut.scaffold.hooks(model)
    for names in (None, ["head", "stem"]):
        found = sut.scaffold.run_then(sut.record(model, names), model, *inputs)
        compare({"head": found["head"]}, oracle(weights, inputs[:1]), ["head"], "looked at after another call outside")
        left = sut.scaffold.hooks(model)
        assert left == before, f"{left} hooks on the model after the block, {before} before"
    calls = witness.get("calls")
    model(inputs[0])
    more = witness.get("calls") - calls
    assert more == 7, f"a hook that was there before fired {more} times, expected 7"
    first, second = sut.record(model, ["head"]), sut.record(model, ["head", "stem"])
    outer, inner = sut.scaffold.nested(first, second, model, inputs[0])
    compare(outer, oracle(weights, inputs[:1] * 3), ["head"], "outer of two nested blocks")
    compare(inner, oracle(weights, inputs[:1]), ["head", "stem"], "inner of two nested blocks")


def check_exception(sut):
    weights, inputs = draw(1)
    model = sut.scaffold.Net(*weights)
    for kind in ("model", "block"):
        if kind == "model":
            error, found = sut.scaffold.crash(sut.record(model, ["stem", "head"]), model, inputs[0])
            assert error == "ArithmeticError", f"the exception of the model's became {error}"
            compare(found, oracle(weights, inputs), ["stem", "head"], "recorded before the exception")
        else:
            error = sut.scaffold.crash_between(sut.record(model), model, inputs[0])
            assert error == "LookupError", f"an exception in the block became {error}"
        left = sut.scaffold.hooks(model)
        assert left == 0, f"{left} hooks on the model after an exception"
    found = sut.scaffold.run(sut.record(model, ["head"]), model, inputs)
    compare(found, oracle(weights, inputs), ["head"], "a block after the exception")


def check_unknown_name(sut):
    weights, inputs = draw(1)
    model = sut.scaffold.Net(*weights)
    for names in (["nowhere"], ["stem", "head", "body.7"]):
        try:
            sut.scaffold.run(sut.record(model, names), model, inputs)
        except CandidateError as error:
            assert error.type == "KeyError", f"names {names}: {error.type}, expected KeyError"
        else:
            raise AssertionError(f"names {names} were accepted")
        left = sut.scaffold.hooks(model)
        assert left == 0, f"{left} hooks on the model after names {names}"
    found = sut.scaffold.run(sut.record(model, ["stem"]), model, inputs)
    compare(found, oracle(weights, inputs), ["stem"], "a known name")
