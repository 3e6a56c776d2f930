import random

import torch
from torch import nn
from torch.nn import functional as F
from viva_check import assert_close

IN, HIDDEN, FEATURES = 5, 7, 6
FROZEN_NAMES = [f"backbone.layer{i}.{part}" for i in (1, 2) for part in ("linear.weight", "norm.weight", "norm.bias")]
HEAD_NAMES = ["head.bias", "head.weight"]


class Setup:
    """A classifier on a drawn backbone, and what its layers compute."""

    def __init__(self, sut, classes=4):
        self.classes = classes
        self.weights = [torch.randn(HIDDEN, IN).double(), torch.randn(FEATURES, HIDDEN).double()]
        self.means = [torch.randn(HIDDEN).double(), torch.randn(FEATURES).double()]
        self.variances = [torch.rand(HIDDEN).double() + 0.5, torch.rand(FEATURES).double() + 0.5]
        self.backbone = sut.scaffold.Backbone(self.weights, self.means, self.variances)
        self.model = sut.Classifier(self.backbone, FEATURES, classes)
        self.model.double()
        self.head = (torch.randn(classes, FEATURES).double(), torch.randn(classes).double())

    def place_head(self, sut):
        sut.scaffold.move_head(self.model, *self.head)
        return self

    def features(self, x):
        """With the old statistics, without dropout."""
        for weight, mean, variance in zip(self.weights, self.means, self.variances):
            x = torch.relu(F.batch_norm(x @ weight.T, mean, variance))
        return x

    def logits(self, x):
        return F.linear(self.features(x), *self.head)

    def batch(self, n=12):
        return torch.randn(n, IN).double() * 2 + 1, torch.randint(self.classes, (n,))


def check_forward(sut):
    for classes in (2, random.randint(3, 9)):
        setup = Setup(sut, classes)
        head = setup.model.get("head.weight"), setup.model.get("head.bias")
        assert tuple(head[0].shape) == (classes, FEATURES), f"head.weight has shape {tuple(head[0].shape)}"
        assert tuple(head[1].shape) == (classes,), f"head.bias has shape {tuple(head[1].shape)}"
        setup.place_head(sut)
        setup.model.eval()
        x, _ = setup.batch()
        assert_close(setup.model(x), setup.logits(x), msg=lambda m: f"logits in eval mode: {m}")
        keys = {k.split(".")[0] for k in setup.model.state()}
        assert keys == {"backbone", "head"}, f"the state_dict has entries of {sorted(keys)}"


def check_frozen(sut):
    setup = Setup(sut).place_head(sut)
    setup.model.train()
    x, y = setup.batch()
    grads = sut.scaffold.gradients(setup.model, x, y)
    weight, bias = (part.clone().requires_grad_() for part in setup.head)
    F.cross_entropy(F.linear(setup.features(x), weight, bias), y).backward()
    for name, expected in (("head.weight", weight.grad), ("head.bias", bias.grad)):
        assert grads[name] is not None, f"{name} received no gradient"
        assert grads[name].any(), f"the gradient of {name} is all zeros"
    frozen = [name for name in FROZEN_NAMES if grads[name] is not None]
    assert not frozen, f"these got a gradient: {frozen}"
    sut.scaffold.train_steps(setup.model, setup.model, [setup.batch() for _ in range(3)], 0.1)
    state = setup.model.state()
    for i, w in enumerate(setup.weights, 1):
        assert_close(state[f"backbone.layer{i}.linear.weight"], w, rtol=0, atol=0, msg=lambda m: f"a frozen weight: {m}")
    assert not torch.equal(state["head.weight"], setup.head[0]), "the head did not move in three training steps"


def expect_statistics(setup, sut, moved, why):
    found = sut.scaffold.buffers(setup.model)
    for i in (1, 2):
        same = torch.equal(found[f"backbone.layer{i}.norm.running_mean"], setup.means[i - 1]) and torch.equal(
            found[f"backbone.layer{i}.norm.running_var"], setup.variances[i - 1]
        )
        assert same != (i in moved), f"{why}: the statistics of layer{i} {'stayed' if same else 'moved'}"


def check_frozen_mode(sut):
    for case in ("as constructed", "train()", "eval() and train()", "train() of an outer module"):
        setup = Setup(sut).place_head(sut)
        outer = sut.scaffold.Outer(setup.model)
        if case == "train()":
            setup.model.train()
        elif case == "eval() and train()":
            setup.model.eval()
            setup.model.train()
        elif case != "as constructed":
            outer.eval()
            outer.train()
        for n in (12, 1):
            x, _ = setup.batch(n)
            assert_close(outer(x), setup.logits(x), msg=lambda m: f"{case}, {n} sample(s), logits: {m}")
        sut.scaffold.train_steps(setup.model, outer, [setup.batch() for _ in range(2)], 0.1)
        expect_statistics(setup, sut, (), case)
    assert sut.scaffold.returns_itself(setup.model), "train(), eval() and train(False) must return the model"


def check_unfreeze(sut):
    for order in ("train first", "unfreeze first", "by the outer module"):
        setup = Setup(sut).place_head(sut)
        outer = sut.scaffold.Outer(setup.model)
        if order == "train first":
            setup.model.train()
            setup.model.unfreeze("layer2")
        else:
            setup.model.eval()
            setup.model.unfreeze("layer2")
            x, _ = setup.batch()
            assert_close(outer(x), setup.logits(x), msg=lambda m: f"{order}, in eval mode: {m}")
            (setup.model if order == "unfreeze first" else outer).train()
        x, y = setup.batch(40)
        grads = sut.scaffold.gradients(setup.model, x, y)
        reached = sorted(name for name, g in grads.items() if g is not None and g.any())
        expected = sorted([name for name in FROZEN_NAMES if "layer2" in name] + HEAD_NAMES)
        assert reached == expected, f"{order}: gradients reach {reached}"
        expect_statistics(setup, sut, (2,), order)
        assert not torch.equal(setup.model(x), setup.model(x)), f"{order}: the dropout of layer2 does nothing in train mode"
        outer.eval()
        before = sut.scaffold.buffers(setup.model)
        setup.model(x)
        after = sut.scaffold.buffers(setup.model)
        for name, value in after.items():
            assert_close(value, before[name], rtol=0, atol=0, msg=lambda m, name=name: f"{order}, eval mode, {name}: {m}")
        found = setup.model(x), setup.model(x)
        assert_close(found[0], found[1], rtol=0, atol=0, msg=lambda m: f"{order}, eval mode, two calls: {m}")


def check_unfreeze_part(sut):
    setup = Setup(sut).place_head(sut)
    setup.model.train()
    setup.model.unfreeze("layer1.norm")
    setup.model.unfreeze("layer2.linear")
    setup.model.eval()
    setup.model.train()
    grads = sut.scaffold.gradients(setup.model, *setup.batch(40))
    reached = sorted(name for name, g in grads.items() if g is not None and g.any())
    expected = sorted(["backbone.layer1.norm.weight", "backbone.layer1.norm.bias", "backbone.layer2.linear.weight", *HEAD_NAMES])
    assert reached == expected, f"layer1.norm and layer2.linear unfrozen: gradients reach {reached}"
    expect_statistics(setup, sut, (1,), "layer1.norm and layer2.linear unfrozen")
    keys = {k.split(".")[0] for k in setup.model.state()}
    assert keys == {"backbone", "head"}, f"after unfreeze the state_dict has entries of {sorted(keys)}"
    parts = [sut.builtin("torch.nn.Linear", 3, 3) for _ in range(12)]
    model = sut.Classifier(sut.builtin("torch.nn.Sequential", *parts), 3, 2)
    model.unfreeze("1")
    grads = sut.scaffold.gradients(model, torch.randn(5, 3), torch.randint(2, (5,)))
    reached = sorted(name for name, g in grads.items() if g is not None)
    expected = sorted(["backbone.1.weight", "backbone.1.bias", *HEAD_NAMES])
    assert reached == expected, f"submodule '1' of twelve unfrozen: gradients reach {reached}"


def check_groups(sut):
    rates = [random.uniform(0.01, 0.1), random.uniform(0.0001, 0.001)]
    setup = Setup(sut)
    found = sut.scaffold.groups(setup.model, *rates)
    assert found == [(rates[0], HEAD_NAMES)], f"nothing unfrozen, rates {rates}: {found}"
    setup.model.unfreeze("layer2")
    second = sorted(name for name in FROZEN_NAMES if "layer2" in name)
    found = sut.scaffold.groups(setup.model, *rates)
    assert found == [(rates[0], HEAD_NAMES), (rates[1], second)], f"layer2 unfrozen, rates {rates}: {found}"
    setup.model.unfreeze("layer1")
    found = sut.scaffold.groups(setup.model, *rates)
    assert found == [(rates[0], HEAD_NAMES), (rates[1], sorted(FROZEN_NAMES))], f"all unfrozen, rates {rates}: {found}"
    setup.model.unfreeze("layer1.norm")
    setup.model.unfreeze("layer2")
    found = sut.scaffold.groups(setup.model, *rates)
    assert found == [(rates[0], HEAD_NAMES), (rates[1], sorted(FROZEN_NAMES))], f"unfrozen twice, rates {rates}: {found}"
