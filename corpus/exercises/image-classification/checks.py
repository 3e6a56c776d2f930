import torch
from viva_check import assert_close

CLASSES = 4
SIZE = 28


def draw(count, classes=CLASSES):
    """uint8 images of disks, squares, triangles and crosses anywhere on a noisy canvas; labels are sorted."""
    labels = torch.arange(count) * classes // count
    kind = labels.view(-1, 1, 1)
    radius = 5 + 2 * torch.rand(count, 1, 1)
    middle, reach = (SIZE - 1) / 2, 6
    spot = middle + reach * (2 * torch.rand(count, 1, 1) - 1)
    other = middle + reach * (2 * torch.rand(count, 1, 1) - 1)
    axis = torch.arange(SIZE)
    dy, dx = axis.view(1, -1, 1) - spot, axis.view(1, 1, -1) - other
    ay, ax = dy.abs(), dx.abs()
    disk = dy**2 + dx**2 <= radius**2
    square = torch.maximum(ay, ax) <= 0.85 * radius
    triangle = (ay <= radius) & (ax <= (dy + radius) / 2)
    cross = (torch.minimum(ay, ax) <= 0.25 * radius) & (torch.maximum(ay, ax) <= radius)
    shape = torch.where(kind == 0, cross, torch.where(kind == 1, square, torch.where(kind == 2, disk, triangle)))
    light = 100 + 100 * torch.rand(count, 1, 1)
    image = shape * light + 30 * torch.rand(count, SIZE, SIZE)
    return image.clamp(0, 255).to(torch.uint8), labels


def scaled(images):
    return images.unsqueeze(1).float() / 255


_trained = {}


def trained(sut):
    """A model that fit() trained once for all checks, and the label of each kind of shape."""
    if not _trained:
        names = torch.randperm(CLASSES)
        images, kinds = draw(400)
        labels = names[kinds]
        sut.seed(int(torch.randint(2**31, ())))
        model, (after, kept, _) = sut.watch("fit", images, labels, CLASSES)
        assert torch.equal(after, images) and torch.equal(kept, labels), "fit changed its inputs"
        _trained.update(model=model, names=names)
    return _trained["model"], _trained["names"]


def check_network(sut):
    for classes in (2, CLASSES, 7):
        net = sut.ShapeNet(classes)
        net.eval()
        for count in (1, 3):
            images, _ = draw(count, 1)
            out = net(scaled(images))
            assert tuple(out.shape) == (count, classes), (
                f"ShapeNet({classes}) on {count} image(s): expected shape {(count, classes)}, got {tuple(out.shape)}"
            )
            assert out.dtype == torch.float32 and torch.isfinite(out).all(), "expected finite float32 outputs"
    images, _ = draw(64)
    net = sut.ShapeNet(CLASSES)
    net.eval()
    sums = net(scaled(images)).exp().sum(1), net(scaled(images)).sum(1)
    assert all((s - 1).abs().max() > 1e-3 for s in sums), "the outputs are normalised: expected logits"


def check_budget(sut):
    count = sum(value.numel() for _, value in sut.ShapeNet(CLASSES).named_parameters())
    assert 0 < count <= 20_000, f"ShapeNet({CLASSES}) has {count} parameters"
    model, _ = trained(sut)
    count = sum(value.numel() for _, value in model.named_parameters())
    assert 0 < count <= 20_000, f"the trained model has {count} parameters"


def check_predict(sut):
    model, _ = trained(sut)
    for count in (400, 37, 1):
        images, _ = draw(count)
        found, (_, after) = sut.watch("predict", model, images)
        assert_close(found, model(scaled(images)).argmax(1), rtol=0, atol=0)
        assert torch.equal(after, images), "predict changed its input"
    images, _ = draw(40)
    beside = torch.cat([images, torch.full((400, SIZE, SIZE), 255, dtype=torch.uint8)])
    assert_close(
        sut.predict(model, beside)[:40],
        model(scaled(beside)).argmax(1)[:40],
        rtol=0,
        atol=0,
        msg=lambda m: f"40 images beside 400 white ones: {m}",
    )
    none = sut.predict(model, torch.zeros(0, SIZE, SIZE, dtype=torch.uint8))
    assert tuple(none.shape) == (0,) and none.dtype == torch.int64, f"no images: got {tuple(none.shape)}, {none.dtype}"


def check_ready(sut):
    model, _ = trained(sut)
    x = scaled(draw(24)[0])
    together = model(x)
    again = model(x)
    assert_close(again, together, rtol=1e-4, atol=1e-4, msg=lambda m: f"two calls of the trained model differ: {m}")
    alone = torch.cat([model(image.unsqueeze(0)) for image in x])
    assert_close(alone, together, rtol=1e-3, atol=1e-3, msg=lambda m: f"an image alone and in a batch: {m}")


def check_accuracy(sut):
    model, names = trained(sut)
    images, kinds = draw(400)
    order = torch.randperm(400)
    images, kinds = images[order], kinds[order]
    found = sut.predict(model, images)
    assert tuple(found.shape) == (400,), f"expected 400 predictions, got shape {tuple(found.shape)}"
    share = (found == names[kinds]).float().mean().item()
    each = [round((found[kinds == k] == names[k]).float().mean().item(), 2) for k in range(CLASSES)]
    assert share >= 0.8, f"accuracy on 400 new images: {share:.3f}; for crosses, squares, disks and triangles: {each}"
