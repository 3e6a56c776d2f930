import copy

import torch
from torch import nn
from viva_check import assert_close

DOUBLE = torch.float64


def regression(sizes):
    return [(torch.randn(n, 3, dtype=DOUBLE), torch.randn(n, 2, dtype=DOUBLE)) for n in sizes]


def classification(sizes):
    return [(torch.randn(n, 3, dtype=DOUBLE), torch.randint(4, (n,))) for n in sizes]


def twins(sut, kind="plain"):
    """The same small model here and over there."""
    if kind == "norm":
        here = nn.Sequential(nn.Linear(3, 5), nn.BatchNorm1d(5), nn.Tanh(), nn.Linear(5, 2)).to(DOUBLE)
        parts = [("Linear", 3, 5), ("BatchNorm1d", 5), ("Tanh",), ("Linear", 5, 2)]
    else:
        width = 4 if kind == "classes" else 2
        here = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, width)).to(DOUBLE)
        parts = [("Linear", 3, 6), ("Tanh",), ("Linear", 6, width)]
    there = sut.builtin("torch.nn.Sequential", *[sut.builtin(f"torch.nn.{name}", *sizes) for name, *sizes in parts])
    there.double()
    there.load(here.state_dict())
    return here, there


def plain_fit(model, loss_fn, train, val, epochs, lr, momentum):
    """A slow and plain loop. train: a list of batches, or one such list per epoch."""
    model = copy.deepcopy(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum)
    history = []
    for epoch in range(epochs):
        model.train()
        losses = []
        for x, y in train[epoch] if isinstance(train[0], list) else train:
            for p in model.parameters():
                p.grad = None
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            losses += [loss.item()] * len(y)
        model.eval()
        with torch.no_grad():
            val_losses = [value for x, y in val for value in [loss_fn(model(x), y).item()] * len(y)]
        history.append((sum(losses) / len(losses), sum(val_losses) / len(val_losses)))
    return model, history


def same_weights(there, model, what="weights after training"):
    state = there.state()
    for name, value in model.state_dict().items():
        assert_close(state[name], value, rtol=1e-6, atol=1e-8, msg=lambda text: f"{what}, {name}: {text}")


def same_losses(history, wanted, column, name):
    assert isinstance(history, (list, tuple)), f"fit returned {type(history).__name__}"
    assert len(history) == len(wanted), f"{len(history)} entries for {len(wanted)} epochs"
    for epoch, (got, want) in enumerate(zip(history, wanted)):
        value = got[column]
        assert type(value) is float, f"{name} of epoch {epoch} is {type(value).__name__}, not a float"
        assert abs(value - want[column]) < 1e-6 * (1 + abs(want[column])), (
            f"{name} of epoch {epoch}: expected {want[column]:.6f}, got {value:.6f}"
        )


def check_steps(sut):
    for kind, data, loss in (("plain", regression, "MSELoss"), ("classes", classification, "CrossEntropyLoss")):
        for epochs, momentum in ((1, 0.0), (3, 0.9)):
            here, there = twins(sut, kind)
            train, val = data((4, 4, 3)), data((5, 2))
            wanted, _ = plain_fit(here, getattr(nn, loss)(), train, val, epochs, 0.1, momentum)
            optimizer = sut.scaffold.sgd(there, 0.1, momentum)
            sut.scaffold.soil(there)
            sut.fit(there, sut.builtin(f"torch.nn.{loss}"), optimizer, train, val, epochs)
            same_weights(there, wanted, f"weights after {epochs} epochs with {loss}")


def check_train_loss(sut):
    here, there = twins(sut)
    train, val = regression((8, 8, 1)), regression((2, 2))
    train[2] = (train[2][0], train[2][1] + 5)
    _, wanted = plain_fit(here, nn.MSELoss(), train, val, 3, 0.05, 0.0)
    got = sut.fit(there, sut.builtin("torch.nn.MSELoss"), sut.scaffold.sgd(there, 0.05, 0.0), train, val, 3)
    same_losses(got, wanted, 0, "train_loss")


def check_val_loss(sut):
    here, there = twins(sut)
    train, val = regression((4, 4, 4)), regression((6, 1))
    val[1] = (val[1][0], val[1][1] - 5)
    _, wanted = plain_fit(here, nn.MSELoss(), train, val, 3, 0.1, 0.0)
    got = sut.fit(there, sut.builtin("torch.nn.MSELoss"), sut.scaffold.sgd(there, 0.1, 0.0), train, val, 3)
    same_losses(got, wanted, 1, "val_loss")


def check_modes(sut):
    for start in ("train", "eval"):
        here, there = twins(sut, "norm")
        train, val = regression((5, 4)), regression((6, 3))
        wanted, history = plain_fit(here, nn.MSELoss(), train, val, 3, 0.1, 0.0)
        getattr(there, start)()
        optimizer = sut.scaffold.sgd(there, 0.1, 0.0)
        got = sut.fit(there, sut.builtin("torch.nn.MSELoss"), optimizer, train, val, 3)
        same_losses(got, history, 0, f"model handed over in {start} mode, train_loss")
        same_losses(got, history, 1, f"model handed over in {start} mode, val_loss")
        same_weights(there, wanted, f"model handed over in {start} mode")


def check_validation_graph(sut):
    here, inner = twins(sut)
    there = sut.scaffold.Watched(inner)
    train, val = regression((3, 2)), regression((4, 1, 2))
    wanted, history = plain_fit(here, nn.MSELoss(), train, val, 2, 0.1, 0.0)
    optimizer = sut.scaffold.sgd(there, 0.1, 0.0)
    got = sut.fit(there, sut.builtin("torch.nn.MSELoss"), optimizer, train, val, 2)
    same_losses(got, history, 1, "val_loss")
    same_weights(inner, wanted)
    calls = there.noted()
    assert len(calls) == 10, f"the model was called {len(calls)} times in 2 epochs of 2 and 3 batches"
    recorded = sum(1 for training, grad in calls if not training and grad)
    assert recorded == 0, f"a graph was recorded in {recorded} validation calls"


def check_loaders(sut):
    loss = sut.builtin("torch.nn.MSELoss")
    here, there = twins(sut)
    epochs, val = [regression((3, 3, 1)) for _ in range(3)], regression((1,))
    wanted, history = plain_fit(here, nn.MSELoss(), epochs, val, 3, 0.1, 0.5)
    loader = sut.scaffold.Passes(epochs)
    got = sut.fit(there, loss, sut.scaffold.sgd(there, 0.1, 0.5), loader, val, 3)
    passes = loader.passes()
    assert passes == 3, f"the training loader was iterated {passes} times in 3 epochs"
    same_weights(there, wanted, "a loader with other batches each epoch")
    same_losses(got, history, 0, "train_loss")

    here, there = twins(sut)
    x, y = torch.randn(7, 3, dtype=DOUBLE), torch.randn(7, 2, dtype=DOUBLE)
    batches = [(x[i : i + 3], y[i : i + 3]) for i in (0, 3, 6)]
    wanted, history = plain_fit(here, nn.MSELoss(), batches, batches, 2, 0.1, 0.0)
    loader = sut.scaffold.dataloader(x, y, 3)
    got = sut.fit(there, loss, sut.scaffold.sgd(there, 0.1, 0.0), loader, loader, 2)
    same_weights(there, wanted, "torch.utils.data.DataLoader")
    same_losses(got, history, 1, "val_loss")

    here, there = twins(sut)
    there.eval()
    sut.scaffold.soil(there)
    got = sut.fit(there, loss, sut.scaffold.sgd(there, 0.1, 0.0), batches, batches, 0)
    assert got == [], f"epochs=0 gave {got!r}"
    same_weights(there, here, "epochs=0")
    assert there.get("training") is False, "epochs=0 changed the model's mode"
    grad = there.get("0.weight.grad")
    assert isinstance(grad, torch.Tensor), "epochs=0 removed the gradients"
    assert_close(grad, torch.ones_like(here[0].weight), msg=lambda m: f"epochs=0 changed a gradient: {m}")


def check_learns(sut):
    x = torch.rand(96, 1) * 4 - 2
    batches = [(part, torch.sin(2 * part)) for part in x.split(32)]
    fresh = torch.linspace(-1.9, 1.9, 50).unsqueeze(1)
    val = [(fresh, torch.sin(2 * fresh))]
    here = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1))
    parts = [("Linear", 1, 32), ("Tanh",), ("Linear", 32, 1)]
    there = sut.builtin("torch.nn.Sequential", *[sut.builtin(f"torch.nn.{name}", *sizes) for name, *sizes in parts])
    there.load(here.state_dict())
    sut.fit(there, sut.builtin("torch.nn.MSELoss"), sut.scaffold.adam(there, 0.01), batches, val, 120)
    here.load_state_dict(there.state())
    with torch.no_grad():
        loss = (here(fresh) - torch.sin(2 * fresh)).square().mean().item()
    assert loss < 0.1, f"mean squared error {loss:.3f} after 120 epochs, required is 0.1"
