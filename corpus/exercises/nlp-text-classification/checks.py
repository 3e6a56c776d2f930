import random

import torch
from viva_check import assert_close

VOCAB = 12


def sentences(count, first=1, second=2):
    """Lists of token ids 1..11, and labels: 0 where `first` stands before `second`, 1 where it stands after."""
    others = [word for word in range(1, VOCAB) if word not in (first, second)]
    texts, labels = [], []
    for _ in range(count):
        text = random.choices(others, k=random.randint(0, 7))
        label = random.randint(0, 1)
        i, j = sorted(random.sample(range(len(text) + 2), 2))
        text.insert(i, second if label else first)
        text.insert(j, first if label else second)
        texts.append(text)
        labels.append(label)
    return texts, torch.tensor(labels)


def text(length):
    return random.choices(range(1, VOCAB), k=length)


def padded(texts, extra=0):
    width = max(1, max(map(len, texts))) + extra
    tokens = torch.tensor([t + [0] * (width - len(t)) for t in texts], dtype=torch.int64)
    padding = torch.tensor([[n >= len(t) for n in range(width)] for t in texts])
    return tokens, padding


def network(sut, classes=3, vocab=VOCAB):
    sut.seed(random.randrange(2**31))
    net = sut.TextClassifier(vocab, classes)
    net.eval()
    return net


_trained = {}


def trained(sut):
    """A model that fit() trained once for all checks, and the two words that matter."""
    if not _trained:
        first, second = random.sample(range(1, VOCAB), 2)
        texts, labels = sentences(400, first, second)
        sut.seed(random.randrange(2**31))
        _trained.update(model=sut.fit(texts, labels, VOCAB, 2), words=(first, second))
    return _trained["model"], _trained["words"]


def check_collate(sut):
    for lengths in ((3, 1, 5), (4,), (2, 2), (1, 6, 1, 3), (0, 2), (0,)):
        texts = [text(n) for n in lengths]
        found = sut.collate(texts)
        assert type(found) is tuple and len(found) == 2, "collate should return the tuple (tokens, padding)"
        tokens, padding = padded(texts)
        assert_close(found[0], tokens, msg=lambda m: f"tokens for lengths {lengths}: {m}")
        assert_close(found[1], padding, msg=lambda m: f"padding for lengths {lengths}: {m}")


def check_network(sut):
    for vocab, classes in ((VOCAB, 2), (30, 5)):
        net = network(sut, classes, vocab)
        for lengths in ((5, 3, 2), (4,), (1, 1), (40, 7)):
            tokens, padding = padded([random.choices(range(1, vocab), k=n) for n in lengths])
            out = net(tokens, padding)
            assert tuple(out.shape) == (len(lengths), classes), (
                f"lengths {lengths}: expected logits {(len(lengths), classes)}, got {tuple(out.shape)}"
            )
            assert torch.isfinite(out).all(), "expected finite logits"


def check_padding(sut):
    net = network(sut)
    texts = [text(n) for n in (2, 7, 4, 1)]
    together = net(*padded(texts))
    alone = torch.cat([net(*padded([t])) for t in texts])
    assert_close(together, alone, rtol=1e-3, atol=1e-4, msg=lambda m: f"a text alone and beside longer ones: {m}")
    longer = net(*padded(texts, extra=5))
    assert_close(longer, alone, rtol=1e-3, atol=1e-4, msg=lambda m: f"five more padded positions: {m}")
    tokens, padding = padded(texts, extra=2)
    noise = torch.where(padding, torch.randint(1, VOCAB, tokens.shape), tokens)
    assert_close(net(noise, padding), alone, rtol=1e-3, atol=1e-4, msg=lambda m: f"other ids in padded places: {m}")
    spread = (alone - alone.mean(0)).abs().max().item()
    assert spread > 1e-3, f"four different texts have the same logits, up to {spread:.1e}"


def check_empty_text(sut):
    net = network(sut)
    texts = [text(3), [], text(5), []]
    tokens, padding = padded(texts)
    out = net(tokens, padding)
    assert torch.isfinite(out).all(), f"logits of a batch with empty texts: {out.tolist()}"
    assert_close(out[1], out[3], rtol=1e-4, atol=1e-5)
    assert_close(out[[0, 2]], net(*padded([texts[0], texts[2]])), rtol=1e-3, atol=1e-4)
    net.train()
    *_, grads = net.vjp(tokens, padding, cotangent=torch.ones_like(out))
    bad = [name for name, grad in grads.items() if grad is not None and not torch.isfinite(grad).all()]
    assert not bad, f"a batch with empty texts gives gradients that are not finite: {bad[:3]}"
    assert any(grad is not None and (grad != 0).any() for grad in grads.values()), "no gradient reaches the parameters"


def check_order(sut):
    moved = []
    for _ in range(3):
        net = network(sut)
        words = random.sample(range(1, VOCAB), 6)
        a, b = net(*padded([words])), net(*padded([words[::-1]]))
        moved.append((a - b).abs().max().item())
    assert max(moved) > 1e-4, f"reversing a text changes its logits by {max(moved):.1e} at most"


def check_predict(sut):
    model, words = trained(sut)
    texts, _ = sentences(30, *words)
    for some in (texts, texts[:1]):
        found = sut.predict(model, some)
        assert_close(found, model(*padded(some)).argmax(1), rtol=0, atol=0)
    tokens, padding = padded(texts)
    assert_close(model(tokens, padding), model(tokens, padding), msg=lambda m: f"two calls of the trained model differ: {m}")


def check_accuracy(sut):
    model, words = trained(sut)
    texts, labels = sentences(400, *words)
    found = sut.predict(model, texts)
    assert tuple(found.shape) == (400,), f"expected 400 predictions, got shape {tuple(found.shape)}"
    share = (found == labels).float().mean().item()
    assert share >= 0.85, f"accuracy on 400 new texts: {share:.3f}"
