import torch


def area(boxes):
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def box_iou(a, b):
    """IoU of every box of a with every box of b, (N, M); boxes are (x1, y1, x2, y2)."""
    if a.dtype in (torch.float16, torch.bfloat16):
        a, b = a.float(), b.float()
    top_left = torch.maximum(a[:, None, :2], b[:, :2])
    bottom_right = torch.minimum(a[:, None, 2:], b[:, 2:])
    inter = (bottom_right - top_left).clamp(min=0).prod(-1)
    union = area(a)[:, None] + area(b) - inter
    return torch.where(union > 0, inter / union, torch.zeros_like(inter))


def nms(boxes, scores, threshold, classes=None):
    order = scores.argsort(descending=True, stable=True)
    boxes = boxes[order]
    suppresses = box_iou(boxes, boxes) > threshold
    if classes is not None:
        suppresses &= classes[order][:, None] == classes[order]
    alive = torch.ones(len(order), dtype=torch.bool)
    for i in range(len(order)):
        alive[i + 1 :] &= ~suppresses[i, i + 1 :]
    return order[alive]
