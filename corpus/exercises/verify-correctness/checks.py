import random
import string

import torch
from viva_check import assert_close

WIDTH = 4
VERDICT = {"unused": "missing", "detached": "missing", "dead": "zero", "nan": "nonfinite", "inf": "nonfinite"}
HEALTHY = ["plain", "tiny", "balanced", "one"]


def mse(sut):
    return sut.builtin("torch.nn.MSELoss")


def expect_report(sut, kinds, cut=False, leftovers=False):
    """Draw a model whose parameters get the gradients that `kinds` names, and compare the report."""
    labels = ["".join(random.choices(string.ascii_lowercase, k=8)) for _ in kinds]
    model = sut.scaffold.Tree(labels, [torch.randn(WIDTH) for _ in kinds], kinds, cut)
    if leftovers:
        sut.scaffold.leave_gradients(model, [torch.randn(WIDTH) for _ in kinds])
    found = sut.gradient_report(model, mse(sut), torch.rand(6, WIDTH) + 0.5, torch.randn(6) + 30)
    expected = {}
    for label, kind in zip(labels, kinds):
        verdict = None if kind == "frozen" else "missing" if cut else VERDICT.get(kind)
        if verdict:
            expected[f"branches.{label}.weight"] = verdict
    planted = {f"branches.{label}.weight": kind for label, kind in zip(labels, kinds)}
    assert isinstance(found, dict), f"expected a dict, got {type(found).__name__}"
    assert found == expected, f"parameters {planted}, old gradients in place: {leftovers}, output cut: {cut}; got {found}"


def check_report(sut):
    expect_report(sut, ["plain", "plain"])
    for kind in VERDICT:
        expect_report(sut, ["plain", kind])
    expect_report(sut, random.sample([*VERDICT, "plain", "plain"], 7))


def check_no_false_alarm(sut):
    expect_report(sut, HEALTHY)
    expect_report(sut, ["plain", "frozen", "dead"])
    expect_report(sut, random.sample([*VERDICT, *HEALTHY, "frozen"], 10))
    model = sut.builtin("torch.nn.Linear", 2, 1)
    model.load({"weight": torch.zeros(1, 2), "bias": torch.zeros(1)})
    found = sut.gradient_report(model, mse(sut), torch.full((1, 2), 1.2e38), torch.full((1, 1), -1.0))
    assert found == {}, f"two gradients of 2.4e38, finite each, their sum is not: got {found}"
    for row in ([0.0, 2.0], [2.0, 0.0]):
        found = sut.gradient_report(model, mse(sut), torch.tensor([row]), torch.full((1, 1), -1.0))
        assert found == {}, f"a weight whose gradient is {[2 * v for v in row]}: got {found}"
    # Two equal samples: in training nothing of them is left for a BatchNorm to scale, in evaluation there is.
    first, second = (torch.randint(1, 4, shape).double() for shape in ((WIDTH, 5), (5, 1)))
    x, y = torch.randint(1, 4, (1, WIDTH)).double().repeat(2, 1), torch.randn(2, dtype=torch.float64) * 3
    for training in (False, True):
        model = sut.scaffold.Normed(first, second)
        sut.scaffold.set_modes(model, [training] * 5)
        found = sut.gradient_report(model, mse(sut), x, y)
        mode = f"two equal samples through a BatchNorm, training={training}"
        assert (found.get("norm.weight") == "zero") == training, f"{mode}: got {found}"


def check_no_graph(sut):
    expect_report(sut, ["plain", "frozen", "plain", "detached"], cut=True)
    expect_report(sut, ["detached", "unused"])
    expect_report(sut, ["plain", "detached"])


def check_old_gradients(sut):
    kinds = ["unused", "dead", "plain", "nan", "detached"]
    for _ in range(2):
        random.shuffle(kinds)
        expect_report(sut, kinds, leftovers=True)
    expect_report(sut, ["plain", "plain"], cut=True, leftovers=True)


def draw_net(n=8, hidden=16):
    weights = [torch.randn(WIDTH, hidden, dtype=torch.float64), torch.randn(hidden, 1, dtype=torch.float64) * 0.5]
    return weights, torch.randn(n, WIDTH, dtype=torch.float64), torch.randn(n, dtype=torch.float64) * 2


def losses(weights, x, y, steps, lr):
    """The loss before each of `steps` Adam updates and after the last one."""
    leaves = [w.clone().requires_grad_() for w in weights]
    optimizer = torch.optim.Adam(leaves, lr=lr)
    found = []
    for _ in range(steps + 1):
        loss = ((torch.tanh(x @ leaves[0]) @ leaves[1]).squeeze(1) - y).square().mean()
        found.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return found


def expect_verdict(sut, weights, bug, data, steps, lr, target, expected, why):
    model = sut.scaffold.Net(weights, bug)
    found = sut.overfits(model, mse(sut), *data, steps, lr, target)
    assert isinstance(found, bool), f"expected a bool, got {type(found).__name__}"
    assert found == expected, f"{why}: expected {expected}, got {found} (steps={steps}, lr={lr}, target={target:.4g})"


def check_verdict(sut):
    weights, x, y = draw_net()
    expect_verdict(sut, weights, "none", (x, y), 300, 0.03, y.var().item() * 0.05, True, "a healthy model")
    expect_verdict(sut, weights, "column", (x, y), 60, 0.03, y.var().item() * 0.3, False, "outputs (n, 1), targets (n,)")
    few = [weights[0][:, :1], weights[1][:1]]
    expect_verdict(sut, few, "detached", (x, y), 60, 0.03, y.var().item() * 0.02, False, "one detached feature")
    expect_verdict(sut, weights, "cut", (x, y), 20, 0.03, y.var().item() * 0.01, False, "an output cut off from the graph")
    bad = y.clone()
    bad[random.randrange(len(y))] = torch.nan
    expect_verdict(sut, weights, "none", (x, bad), 5, 0.03, 1.0, False, "a target that is NaN")
    model = sut.builtin("torch.nn.Sequential", sut.builtin("torch.nn.Linear", 3, 3), sut.builtin("torch.nn.Linear", 3, 1))
    model.load({**model.state(), "1.weight": torch.zeros(1, 3), "1.bias": torch.zeros(1)})
    model[1].requires_grad_(False)
    found = sut.overfits(model, mse(sut), torch.randn(4, 3), torch.ones(4, 1), 40, 0.1, 0.3)
    assert found is False, f"a last layer that is frozen at zero, targets 1: expected False, got {found}"
    first, second = torch.randn(WIDTH, 5, dtype=torch.float64), torch.randn(5, 1, dtype=torch.float64)
    x, y = torch.randn(6, WIDTH, dtype=torch.float64) * 3 + 4, torch.randn(6, dtype=torch.float64)
    hidden, loss = x @ first, {}
    for training in (True, False):
        normed = torch.nn.functional.batch_norm(hidden, torch.zeros(5).double(), torch.ones(5).double(), training=training)
        loss[training] = ((normed @ second).squeeze(1) - y).square().mean().item()
    target = (loss[True] + loss[False]) / 2
    for training in (True, False):
        model = sut.scaffold.Normed(first, second)
        sut.scaffold.set_modes(model, [training] * 5)
        found = sut.overfits(model, mse(sut), x, y, 1, 1e-9, target)
        expected = loss[training] <= target
        assert found == expected, (
            f"a BatchNorm, training={training}, loss {loss[training]:.4g}, other mode {loss[not training]:.4g}, "
            f"target {target:.4g}, one tiny update: expected {expected}, got {found}"
        )


def check_budget(sut):
    k = 0
    while not k:
        weights, x, y = draw_net()
        curve = losses(weights, x, y, 12, 0.02)
        k = random.choice([i for i in range(1, 12) if curve[i] < min(curve[:i]) * 0.98] or [0])
    target = (curve[k] + min(curve[:k])) / 2
    expect_verdict(sut, weights, "none", (x, y), k, 0.02, target, True, f"reached after update {k}")
    expect_verdict(sut, weights, "none", (x, y), k - 1, 0.02, target, False, f"reached only after update {k}")
    expect_verdict(sut, weights, "none", (x, y), 0, 0.02, curve[0] * 1.01, True, "good enough without an update")
    expect_verdict(sut, weights, "none", (x, y), 0, 0.02, curve[0] * 0.99, False, "no update allowed")
    expect_verdict(sut, weights, "cut", (x, y), 3, 0.02, curve[0] * 1.01, True, "cut off, but good enough already")
    model = sut.builtin("torch.nn.Linear", 2, 1)
    model.load({"weight": torch.zeros(1, 2), "bias": torch.zeros(1)})
    found = sut.overfits(model, mse(sut), torch.randn(3, 2), torch.full((3, 1), 2.0), 0, 0.1, 4.0)
    assert found is True, f"the loss is 4, the target too: expected True, got {found}"
    for _ in range(100):
        weights, x, y = draw_net()
        curve = losses(weights, x, y, 12, 1.5)
        k = min(range(12), key=curve.__getitem__)
        if k > 0 and min(curve[k + 1 :]) > curve[k] * 1.1 and min(curve[:k]) > curve[k] * 1.1:
            target = curve[k] * 1.05
            expect_verdict(sut, weights, "none", (x, y), 12, 1.5, target, True, f"reached at update {k} and lost again")
            return


def check_untouched(sut):
    for flags in (None, [False] * 5, [True, False, True, False, True]):
        first, second = torch.randn(WIDTH, 5, dtype=torch.float64), torch.randn(5, 1, dtype=torch.float64)
        x, y = torch.randn(6, WIDTH, dtype=torch.float64), torch.randn(6, dtype=torch.float64) * 3
        model = sut.scaffold.Normed(first, second)
        if flags:
            shapes = ((WIDTH, 5), (5, 1), (5, 1), (5,), (5,))
            sut.scaffold.leave_gradients(model, [torch.randn(s, dtype=torch.float64) for s in shapes])
            sut.scaffold.set_modes(model, flags)
        before = sut.scaffold.state(model)
        assert sut.gradient_report(model, mse(sut), x, y) == {"spare": "missing"}, "the unused parameter was not reported"
        compare(before, sut.scaffold.state(model), "gradient_report")
        assert sut.overfits(model, mse(sut), x, y, 3, 0.1, -1.0) is False, "a loss below -1 was reported"
        assert sut.overfits(model, mse(sut), x, y, 3, 0.1, 1e6) is True, "a loss below a million was denied"
        compare(before, sut.scaffold.state(model), "overfits")


def compare(before, after, who):
    parts = ("parameters", "buffers", ".grad", "training flags", "requires_grad", "the tensors in .grad")
    for what, a, b in zip(parts, after, before):
        if what == ".grad":
            assert [g is None for g in a] == [g is None for g in b], f"{who} changed which parameters have a .grad"
            a, b = ([g for g in part if g is not None] for part in (a, b))
        if what in ("parameters", "buffers", ".grad"):
            assert_close(a, b, rtol=0, atol=0, msg=lambda m, what=what: f"{who} changed {what}: {m}")
        else:
            assert a == b, f"{who} changed {what}: {b} became {a}"
