import random

import torch
from viva_check import CandidateError, assert_close


def seeds(count):
    return [random.SystemRandom().randrange(1, 2**31) for _ in range(count)]


def data(steps, dtype=torch.float32):
    return [(torch.randn(8, 4, dtype=dtype), torch.randn(8, dtype=dtype)) for _ in range(steps)]


def same(actual, wanted, what):
    assert_close(actual, wanted, rtol=0, atol=0, equal_nan=True, msg=lambda text: f"{what}: {text}")


def same_state(actual, wanted):
    assert sorted(actual) == sorted(wanted), "the model has other entries than before"
    for name, value in wanted.items():
        same(actual[name], value, name)


def check_weights(sut):
    for dtype in (torch.float32, torch.float64):
        one, two, three = seeds(3)
        epoch = one % 1000 + 1
        path, moved = sut.scaffold.new_path("run.pt"), sut.scaffold.new_path("moved.pt")
        run = sut.scaffold.build(one, dtype=dtype)
        sut.scaffold.train(*run, data(3, dtype))
        wanted = run[0].state()
        sut.save_checkpoint(path, *run, epoch)
        sut.scaffold.rename(path, moved)
        sut.scaffold.train(*run, data(2, dtype))
        sut.save_checkpoint(path, *run, epoch + 1)
        later = run[0].state()

        fresh = sut.scaffold.build(two, dtype=dtype)
        got = sut.load_checkpoint(moved, *fresh)
        assert type(got) is int and got == epoch, f"expected epoch {epoch}, got {got!r}"
        same_state(fresh[0].state(), wanted)

        other = sut.scaffold.build(three, dtype=dtype)
        got = sut.load_checkpoint(path, *other)
        assert type(got) is int and got == epoch + 1, f"expected epoch {epoch + 1}, got {got!r}"
        same_state(other[0].state(), later)


def check_passive(sut):
    one, two = seeds(2)
    outcomes = []
    for save in (False, True):
        run = sut.scaffold.build(one, dropout=0.5)
        sut.seed(two)
        sut.scaffold.train_on_random_data(*run, 2)
        if save:
            sut.save_checkpoint(sut.scaffold.new_path("run.pt"), *run, 1)
        losses = sut.scaffold.train_on_random_data(*run, 3)
        outcomes.append((losses, run[0].state()))
    same(outcomes[1][0], outcomes[0][0], "losses of a run that was saved in between")
    same_state(outcomes[1][1], outcomes[0][1])


def check_optimizer(sut):
    one, two = seeds(2)
    path = sut.scaffold.new_path("run.pt")
    run = sut.scaffold.build(one)
    sut.scaffold.train(*run, data(4))
    sut.save_checkpoint(path, *run, 1)
    further = data(4)
    wanted, _ = sut.scaffold.train(*run, further)
    fresh = sut.scaffold.build(two)
    sut.load_checkpoint(path, *fresh)
    got, _ = sut.scaffold.train(*fresh, further)
    same(got, wanted, "losses after resuming on the same batches")
    same_state(fresh[0].state(), run[0].state())


def check_schedule(sut):
    for before in (1, 3, 4):
        one, two = seeds(2)
        path = sut.scaffold.new_path("run.pt")
        run = sut.scaffold.build(one, step_size=3)
        sut.scaffold.train(*run, data(before))
        sut.save_checkpoint(path, *run, 1)
        further = data(7)
        _, wanted = sut.scaffold.train(*run, further)
        fresh = sut.scaffold.build(two, step_size=3)
        sut.load_checkpoint(path, *fresh)
        _, got = sut.scaffold.train(*fresh, further)
        assert got == wanted, f"expected learning rates {wanted}, got {got}"


def check_random(sut):
    for _ in range(2):
        one, two, three = seeds(3)
        path = sut.scaffold.new_path("run.pt")
        run = sut.scaffold.build(one)
        sut.seed(two)
        sut.scaffold.draw()
        sut.save_checkpoint(path, *run, 1)
        wanted = sut.scaffold.draw()
        fresh = sut.scaffold.build(one)
        sut.seed(three)
        sut.load_checkpoint(path, *fresh)
        got = sut.scaffold.draw()
        for k in (0, 1):
            same(got[k], wanted[k], "numbers from torch's generator after loading")
        assert got[2] == wanted[2], f"Python's random: expected {wanted[2]}, got {got[2]}"


def check_resume(sut):
    for before in (1, 5):
        one, two, three = seeds(3)
        path = sut.scaffold.new_path("run.pt")
        run = sut.scaffold.build(one, dropout=0.3, step_size=2)
        sut.seed(two)
        sut.scaffold.train_on_random_data(*run, before)
        sut.save_checkpoint(path, *run, before)
        wanted = sut.scaffold.train_on_random_data(*run, 5)
        fresh = sut.scaffold.build(three, dropout=0.3, step_size=2)
        sut.scaffold.train_on_random_data(*fresh, 2)
        got_epoch = sut.load_checkpoint(path, *fresh)
        assert got_epoch == before, f"expected epoch {before}, got {got_epoch!r}"
        got = sut.scaffold.train_on_random_data(*fresh, 5)
        same(got, wanted, "losses after resuming")
        same_state(fresh[0].state(), run[0].state())


def check_safe(sut):
    one, two = seeds(2)
    path, bad = sut.scaffold.new_path("run.pt"), sut.scaffold.new_path("bad.pt")
    folder = sut.scaffold.new_path("made-by-the-file")
    run = sut.scaffold.build(one)
    sut.save_checkpoint(path, *run, 3)
    assert sut.scaffold.readable_as_plain_data(path) is True, "the file is not plain data"
    sut.scaffold.poison(path, bad, folder)

    fresh = sut.scaffold.build(two)
    before = fresh[0].state()
    refused = False
    try:
        sut.load_checkpoint(bad, *fresh)
    except CandidateError as error:
        if error.kind == "missing":
            raise
        refused = True
    assert sut.scaffold.exists(folder) is False, "loading ran code that came with the file"
    assert refused, "a file that carries code was accepted"
    same_state(fresh[0].state(), before)

    if sut.scaffold.poison_bytes(path, bad, folder):
        try:
            sut.load_checkpoint(bad, *fresh)
        except CandidateError:
            pass
        assert sut.scaffold.exists(folder) is False, "loading ran code that was packed into bytes"

    assert sut.load_checkpoint(path, *fresh) == 3, "a good file is no longer accepted"
    same_state(fresh[0].state(), run[0].state())
