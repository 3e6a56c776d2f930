import torch
from viva_check import assert_close

FEATURES, HIDDEN = 3, 4


def make(sut, kind, dtype=torch.float32, **options):
    """(the judge's layer, the same layer with the same weights over there)."""
    options = {"batch_first": True, "dtype": dtype, **options}
    ours = getattr(torch.nn, kind)(FEATURES, HIDDEN, **options)
    theirs = sut.builtin(f"torch.nn.{kind}", FEATURES, HIDDEN, **options)
    theirs.load(ours.state_dict())
    return ours, theirs


def draw(lengths, width, dtype=torch.float32, filler=0.0):
    batch = torch.randn(len(lengths), width, FEATURES, dtype=dtype)
    for row, length in zip(batch, lengths):
        row[length:] = filler
    return batch, torch.tensor(lengths)


def unsorted(width, rows=5):
    """Random lengths, the only longest one last."""
    return [int(n) for n in torch.randint(1, width, (rows - 1,))] + [width]


def expected(layer, batch, lengths):
    """Each sample by itself, without padding."""
    sides = 2 if layer.bidirectional else 1
    outputs = batch.new_zeros(batch.shape[0], batch.shape[1], sides * HIDDEN)
    last = batch.new_zeros(batch.shape[0], sides * HIDDEN)
    for i, length in enumerate(lengths.tolist()):
        if length:
            out, _ = layer(batch[i : i + 1, :length])
            outputs[i, :length] = out[0]
            last[i, :HIDDEN] = out[0, -1, :HIDDEN]
            if layer.bidirectional:
                last[i, HIDDEN:] = out[0, 0, HIDDEN:]
    return outputs, last


def pair(result):
    assert isinstance(result, (tuple, list)) and len(result) == 2, "expected two results: outputs and last"
    for name, value in zip(("outputs", "last"), result):
        assert isinstance(value, torch.Tensor), f"{name}: expected a tensor, got {type(value).__name__}"
    return result


def compare(name, found, wanted):
    assert_close(found, wanted.detach(), rtol=1e-4, atol=1e-5, msg=lambda m: f"{name}: {m}")


def run(sut, theirs, ours, batch, lengths):
    outputs, last = pair(sut.encode(theirs, batch, lengths))
    wanted = expected(ours, batch, lengths)
    compare("outputs", outputs, wanted[0])
    compare("last", last, wanted[1])


def check_outputs(sut):
    ours, theirs = make(sut, "GRU")
    for lengths in (unsorted(6), unsorted(7, rows=3), [4]):
        batch, lengths = draw(lengths, max(lengths))
        outputs, _ = pair(sut.encode(theirs, batch, lengths))
        compare("outputs", outputs, expected(ours, batch, lengths)[0])


def check_last(sut):
    ours, theirs = make(sut, "GRU")
    for lengths in (unsorted(6), [5, 5, 5], [1]):
        batch, lengths = draw(lengths, max(lengths))
        _, last = pair(sut.encode(theirs, batch, lengths))
        compare("last", last, expected(ours, batch, lengths)[1])


def check_layers(sut):
    for kind, options in (
        ("LSTM", {}),
        ("GRU", {"bidirectional": True}),
        ("RNN", {"num_layers": 2}),
        ("LSTM", {"num_layers": 2, "bidirectional": True, "dtype": torch.float64}),
    ):
        ours, theirs = make(sut, kind, **options)
        lengths = unsorted(6)
        batch, lengths = draw(lengths, 6, options.get("dtype", torch.float32))
        run(sut, theirs, ours, batch, lengths)


def check_width(sut):
    ours, theirs = make(sut, "GRU")
    for lengths in ([2, 4, 1], [1, 1], [3]):
        batch, lengths = draw(lengths, 7)
        run(sut, theirs, ours, batch, lengths)


def unchanged(after, batch, lengths):
    for name, now, before in zip(("batch", "lengths"), after[-2:], (batch, lengths)):
        assert_close(now, before, rtol=0, atol=0, equal_nan=True, msg=lambda m, n=name: f"{n} was changed: {m}")


def check_padding(sut):
    ours, theirs = make(sut, "GRU", bidirectional=True)
    for filler in (1e3, float("nan"), float("inf")):
        lengths = unsorted(6)
        batch, lengths = draw(lengths, 6, filler=filler)
        result, after = sut.watch("encode", theirs, batch, lengths)
        wanted = expected(ours, batch, lengths)
        compare(f"outputs with {filler} in the padding", pair(result)[0], wanted[0])
        compare(f"last with {filler} in the padding", result[1], wanted[1])
        unchanged(after, batch, lengths)
        gradients(sut, theirs, ours, batch, lengths)


def gradients(sut, theirs, ours, batch, lengths):
    leaf = batch.clone().requires_grad_(True)
    wanted = expected(ours, leaf, lengths)
    cotangent = tuple(torch.randn_like(w) for w in wanted)
    (gradient,) = torch.autograd.grad(wanted, leaf, cotangent)
    _, found = sut.vjp("encode", theirs, batch, lengths, cotangent=cotangent)
    assert isinstance(found[1], torch.Tensor), "the batch gets no gradient"
    compare("gradient of the batch", found[1], gradient)


def check_empty(sut):
    ours, theirs = make(sut, "LSTM", bidirectional=True)
    for lengths, filler in (([3, 0, 5], 2.0), ([0, 2, 0, 4], float("nan")), ([0, 0], 1.0)):
        batch, lengths = draw(lengths, 5, filler=filler)
        result, after = sut.watch("encode", theirs, batch, lengths)
        wanted = expected(ours, batch, lengths)
        compare("outputs", pair(result)[0], wanted[0])
        compare("last", result[1], wanted[1])
        unchanged(after, batch, lengths)
        if int(lengths.max()):
            gradients(sut, theirs, ours, batch, lengths)


def check_single_pass(sut):
    ours, theirs = make(sut, "GRU")
    counter = sut.scaffold.Counter(theirs)
    for _ in range(3):
        lengths = unsorted(6)
        batch, lengths = draw(lengths, 6)
        run(sut, theirs, ours, batch, lengths)
    calls = counter.get("calls")
    assert calls <= 3, f"3 batches took {calls} calls of the layer"
