import torch
from viva_check import assert_close


def some(count, dtype=torch.float64, size=100.0, low=0.0):
    """Random boxes with positive width and height."""
    corner = low + size * torch.rand(count, 2, dtype=torch.float64)
    return torch.cat([corner, corner + 1 + 0.5 * size * torch.rand(count, 2, dtype=torch.float64)], 1).to(dtype)


def grid(count, side=12):
    """Boxes with small whole coordinates, in float32: their IoU with 0.5 compares exactly."""
    corner = torch.randint(0, side, (count, 2))
    return torch.cat([corner, corner + torch.randint(1, side, (count, 2))], 1).float()


def slow_iou(a, b):
    out = torch.zeros(len(a), len(b), dtype=torch.float64)
    for i, p in enumerate(a.double().tolist()):
        for j, q in enumerate(b.double().tolist()):
            w, h = min(p[2], q[2]) - max(p[0], q[0]), min(p[3], q[3]) - max(p[1], q[1])
            inter = w * h if w > 0 and h > 0 else 0.0
            union = (p[2] - p[0]) * (p[3] - p[1]) + (q[2] - q[0]) * (q[3] - q[1]) - inter
            out[i, j] = inter / union if union > 0 else 0.0
    return out


def slow_nms(boxes, scores, threshold, classes=None):
    iou = slow_iou(boxes, boxes).tolist()
    values = scores.tolist()
    names = [0] * len(values) if classes is None else classes.tolist()
    kept = []
    for i in sorted(range(len(values)), key=lambda n: (-values[n], n)):
        if all(iou[k][i] <= threshold or names[k] != names[i] for k in kept):
            kept.append(i)
    return torch.tensor(kept, dtype=torch.int64)


def same(found, want, what=""):
    assert found.dtype == torch.int64, f"expected int64 indices, got {found.dtype}"
    assert found.tolist() == want.tolist(), f"{what}expected {want.tolist()}, got {found.tolist()}"


def check_iou(sut):
    for dtype in (torch.float64, torch.float32):
        for n, m in ((5, 7), (1, 4), (6, 6), (1, 1)):
            a, b = some(n, dtype), some(m, dtype)
            found, after = sut.watch("box_iou", a, b)
            assert_close(found, slow_iou(a, b).to(dtype), rtol=1e-4, atol=1e-5)
            assert torch.equal(after[0], a) and torch.equal(after[1], b), "box_iou changed its inputs"
    a, b = some(4, low=-80.0), some(5, low=-80.0)
    assert_close(sut.box_iou(a, b), slow_iou(a, b))
    corner = torch.rand(4, 2, dtype=torch.float64) * 0.05
    small = torch.cat([corner, corner + 0.02 + 0.05 * torch.rand(4, 2, dtype=torch.float64)], 1)
    assert_close(sut.box_iou(small, small), slow_iou(small, small), rtol=1e-3, atol=1e-3)


def check_iou_edges(sut):
    far = torch.tensor([[0.0, 0.0, 1.0, 1.0], [5.0, 5.0, 7.0, 8.0], [1.0, 0.0, 2.0, 1.0], [0.0, 6.0, 1.0, 7.0]])
    far = far + torch.randint(-3, 4, (1, 2)).float().repeat(1, 2)
    assert_close(sut.box_iou(far, far), torch.eye(4))
    flat = torch.tensor([[2.0, 2.0, 2.0, 2.0], [1.0, 3.0, 4.0, 3.0], [0.0, 0.0, 5.0, 5.0]])
    want = torch.zeros(3, 3)
    want[2, 2] = 1
    assert_close(sut.box_iou(flat, flat), want)
    for n, m in ((0, 3), (3, 0), (0, 0)):
        found = sut.box_iou(some(n, torch.float32), some(m, torch.float32))
        assert_close(found, torch.zeros(n, m))
    for dtype in (torch.float16, torch.bfloat16):
        a, b = some(6, dtype, size=1500.0), some(5, dtype, size=1500.0)
        assert_close(sut.box_iou(a, b), slow_iou(a, b).float(), rtol=1e-4, atol=1e-5)


def check_nms(sut):
    for count in (2, 13, 40):
        for threshold in (0.2, 0.5, 0.8):
            boxes, scores = some(count), torch.randn(count)
            found, after = sut.watch("nms", boxes, scores, threshold)
            same(found, slow_nms(boxes, scores, threshold), f"threshold {threshold}: ")
            assert torch.equal(after[0], boxes) and torch.equal(after[1], scores), "nms changed its inputs"
    chain = torch.tensor([[0.0, 0.0, 10.0, 10.0], [4.0, 0.0, 14.0, 10.0], [8.0, 0.0, 18.0, 10.0]])
    order = torch.randperm(3)
    scores = torch.tensor([0.9, 0.8, 0.7])
    same(sut.nms(chain[order], scores[order], 0.3), slow_nms(chain[order], scores[order], 0.3), "a row of three boxes: ")


def check_nms_edges(sut):
    none = sut.nms(torch.zeros(0, 4), torch.zeros(0), 0.5)
    assert tuple(none.shape) == (0,) and none.dtype == torch.int64, f"no boxes: got {tuple(none.shape)}, {none.dtype}"
    same(sut.nms(some(1), torch.tensor([0.3]), 0.5), torch.tensor([0]), "one box: ")
    for _ in range(4):
        boxes, scores = grid(24), torch.randint(0, 4, (24,)).float()
        same(sut.nms(boxes, scores, 0.5), slow_nms(boxes, scores, 0.5), "whole coordinates, equal scores: ")
    half = torch.tensor([[0.0, 0.0, 4.0, 2.0], [0.0, 0.0, 4.0, 4.0], [0.0, 0.0, 4.0, 3.0]])
    scores = torch.tensor([0.9, 0.8, 0.1])
    same(sut.nms(half, scores, 0.5), torch.tensor([0, 1]), "IoU equal to the threshold: ")
    twins = some(1).repeat(5, 1)
    same(sut.nms(twins, torch.ones(5), 0.99), torch.tensor([0]), "five equal boxes: ")
    same(sut.nms(twins, torch.ones(5), 1.0), torch.arange(5), "threshold 1: ")


def check_classes(sut):
    for negative in (False, True):
        boxes, scores = some(40), torch.randn(40)
        if negative:
            boxes = boxes - boxes.max() + 0.5
        classes = torch.tensor([1, 0, 70])[torch.randint(3, (40,))]
        found, (*_, after) = sut.watch("nms", boxes, scores, 0.3, classes)
        same(found, slow_nms(boxes, scores, 0.3, classes), "with classes: ")
        assert torch.equal(after, classes), "nms changed the classes"
    for shift in (1000.0, 4096.0, 7680.0, 1e4, 1e5):
        boxes = torch.tensor([[0.0, 0.0, 9.0, 9.0]]) + shift * torch.tensor([3.0, 2.0, 0.0]).unsqueeze(1)
        found = sut.nms(boxes, torch.tensor([3.0, 2.0, 1.0]), 0.5, torch.tensor([0, 1, 3]))
        same(found, torch.tensor([0, 1, 2]), f"distant boxes of different classes, {shift:.0f} apart: ")
    twins = some(1).repeat(4, 1)
    same(sut.nms(twins, torch.arange(4.0), 0.5, torch.tensor([1, 0, 1, 2])), torch.tensor([3, 2, 1]), "with classes: ")


def check_speed(sut):
    a, b = some(200, torch.float32), some(150, torch.float32)
    found = sut.box_iou(a, b)
    seconds = sut.seconds
    assert_close(found[:5, :5], slow_iou(a[:5], b[:5]).float(), rtol=1e-4, atol=1e-5)
    assert seconds < 1.0, f"box_iou of 200 and 150 boxes took {seconds:.1f} s"
    boxes, scores = some(1000, size=2000.0), torch.rand(1000)
    kept = sut.nms(boxes, scores, 0.6)
    seconds = sut.seconds
    first = slow_nms(boxes[scores.argsort(descending=True, stable=True)[:20]], torch.arange(20.0, 0.0, -1.0), 0.6)
    same(kept[: len(first)], scores.argsort(descending=True, stable=True)[:20][first], "1000 boxes, the first kept ones: ")
    assert seconds < 2.5, f"nms of 1000 boxes took {seconds:.1f} s"
