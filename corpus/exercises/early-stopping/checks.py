import random

import torch
from viva_check import assert_close

NAN = float("nan")


def new_model(sut):
    linear, norm = sut.builtin("torch.nn.Linear", 3, 2), sut.builtin("torch.nn.BatchNorm1d", 2)
    return sut.builtin("torch.nn.Sequential", linear, norm)


def random_state(model):
    """A state of the model's shape with fresh values, buffers included."""
    state = {}
    for name, value in model.state().items():
        state[name] = torch.rand(value.shape) + 0.5 if value.is_floating_point() else value + random.randrange(1, 100)
    return state


def assert_state(model, state, text):
    got = model.state()
    assert sorted(got) == sorted(state), f"{text}: state_dict keys {sorted(got)}"
    for name, value in state.items():
        assert_close(got[name], value, rtol=0, atol=0, msg=lambda m: f"{text}, {name}: {m}")


def play(sut, metrics, patience=3, min_delta=0.0, mode="min"):
    """Compare every step with a plain simulation."""
    stopper = sut.EarlyStopper(patience=patience, min_delta=min_delta, mode=mode)
    model = sut.builtin("torch.nn.Linear", 1, 1)
    best, where, waited = None, None, 0
    for i, metric in enumerate(metrics):
        gain = 0.0 if best is None else (best - metric if mode == "min" else metric - best)
        if metric == metric and (best is None or gain > min_delta):
            best, where, waited = metric, i, 0
        else:
            waited += 1
        out = stopper.step(metric, model)
        text = f"patience={patience}, min_delta={min_delta}, mode={mode}, metrics {metrics[: i + 1]}"
        assert isinstance(out, bool), f"step returned {type(out).__name__}, expected bool"
        assert out == (waited >= patience), f"{text}: step returned {out}"
        if best is not None:
            got = stopper.get("best")
            assert isinstance(got, float), f"best is {type(got).__name__}, expected float"
            assert got == best, f"{text}: best is {got}, expected {best}"
            assert stopper.get("best_step") == where, f"{text}: best_step is {stopper.get('best_step')}"


def check_patience(sut):
    play(sut, [0.9, 0.8, 0.85, 0.7, 0.75, 0.72, 0.71, 0.6], patience=3)
    play(sut, [0.9, 0.95, 0.85, 0.88, 0.8, 0.82], patience=2)
    play(sut, [0.5, 0.6], patience=1)
    play(sut, [0.5, 0.9, 0.8, 0.7], patience=2)
    for _ in range(4):
        metrics = [round(1 - 0.02 * i + 0.3 * random.random(), 6) + i * 1e-9 for i in range(15)]
        play(sut, metrics, patience=random.randrange(1, 5))


def check_min_delta(sut):
    play(sut, [1.0, 1.0, 1.0, 1.0], patience=2)
    play(sut, [1.0, 0.75, 0.5, 0.5, 0.5], patience=2, min_delta=0.25)
    play(sut, [4.0, 3.75, 3.5, 3.25, 2.5, 2.25], patience=4, min_delta=0.5)
    play(sut, [1.0, 0.875, 0.75, 0.625, 0.5], patience=2, min_delta=0.25)
    for _ in range(4):
        metrics = [random.randrange(0, 33) / 8 for _ in range(12)]
        play(sut, metrics, patience=random.randrange(1, 4), min_delta=random.choice((0.125, 0.5, 1.0)))


def check_mode(sut):
    play(sut, [0.1, 0.2, 0.15, 0.3, 0.25, 0.2], patience=2, mode="max")
    play(sut, [0.0, 0.25, 0.5, 1.0, 1.25, 1.5], patience=2, min_delta=0.5, mode="max")
    play(sut, [-5.0, -4.0, -4.5, -3.0], patience=2, mode="max")
    for _ in range(3):
        metrics = [random.randrange(-16, 17) / 8 for _ in range(12)]
        play(sut, metrics, patience=random.randrange(1, 4), min_delta=random.choice((0.0, 0.5)), mode="max")
    for options in ({"mode": "best"}, {"patience": 0}, {"patience": -1}):
        with sut.raises("ValueError"):
            sut.EarlyStopper(**options)


def check_nan(sut):
    play(sut, [0.5, NAN, 0.4, NAN, NAN], patience=2)
    play(sut, [NAN, 0.9, 0.8, 0.85, 0.7], patience=3)
    play(sut, [NAN, NAN, NAN, 0.5], patience=2)
    play(sut, [0.5, NAN, 0.6, 0.7], patience=3, mode="max")


def check_best_state(sut):
    for mode, metrics in (("min", (0.9, 0.5, 0.7, 0.6)), ("max", (0.1, 0.8, 0.3, NAN))):
        stopper, model = sut.EarlyStopper(patience=10, mode=mode), new_model(sut)
        states = []
        for metric in metrics:
            states.append(random_state(model))
            model.load(states[-1])
            stopper.step(metric, model)
            assert_state(model, states[-1], "the model after step")
        model.load(random_state(model))
        stopper.restore(model)
        assert_state(model, states[1], f"restored after metrics {metrics}, mode={mode}")
    for training in (True, False):
        stopper, model = sut.EarlyStopper(patience=10), new_model(sut)
        model.train(training)
        for metric in (0.5, 0.7, 0.4):
            stopper.step(metric, model)
            before = model.state()["1.num_batches_tracked"].item()
            model(torch.randn(4, 3))
            counted = model.state()["1.num_batches_tracked"].item() - before
            assert counted == training, f"after step with training={training}, a pass counted {counted} batches in BatchNorm"


def check_after_restore(sut):
    stopper, model = sut.EarlyStopper(patience=5), new_model(sut)
    with sut.raises("RuntimeError"):
        stopper.restore(model)
    stopper.step(NAN, model)
    with sut.raises("RuntimeError"):
        stopper.restore(model)
    state = random_state(model)
    model.load(state)
    optimizer = sut.scaffold.make_optimizer(model)
    stopper.step(0.5, model)
    for _ in range(2):
        model.load(random_state(model))
        stopper.restore(model)
        assert_state(model, state, "restored")
        for _ in range(3):
            sut.scaffold.train(model, optimizer, torch.randn(6, 3))
        moved = (model.state()["1.weight"] - state["1.weight"]).abs().max().item()
        assert moved > 0, "after restore the optimizer no longer moves the model's weights"
    stopper.restore(model)
    assert_state(model, state, "restored again after further training")


def check_metric_types(sut):
    stopper, model = sut.EarlyStopper(patience=2), new_model(sut)
    metrics = (torch.tensor(0.75), 1, torch.tensor(0.5, dtype=torch.float64), torch.tensor(2), 0.625)
    for metric, stop in zip(metrics, (False, False, False, False, True), strict=True):
        assert stopper.step(metric, model) == stop, f"metric {metric}: expected {stop}"
        assert isinstance(stopper.get("best"), float), f"best is {type(stopper.get('best')).__name__}, expected float"
    assert stopper.get("best") == 0.5, f"best is {stopper.get('best')}, expected 0.5"
    stopper = sut.EarlyStopper(patience=2)
    loss = sut.scaffold.loss_with_graph(0.25)
    stopper.step(loss, model)
    sut.scaffold.zero(loss)
    assert stopper.get("best") == 0.25, f"best is {stopper.get('best')} after the loss tensor was overwritten"
    assert isinstance(stopper.get("best"), float), f"best is {type(stopper.get('best')).__name__}, expected float"
    assert stopper.step(0.125, model) is False, "an improvement must not stop the training"
    assert stopper.get("best") == 0.125, f"best is {stopper.get('best')}, expected 0.125"
