import torch


def area(boxes):
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def box_iou(a, b):
    """IoU of every box of a with every box of b, (N, M); boxes are (x1, y1, x2, y2)."""
    if a.dtype in (torch.float16, torch.bfloat16):
        a, b = a.float(), b.float()
    out = torch.zeros(len(a), len(b), dtype=a.dtype)
    for i in range(len(a)):
        for j in range(len(b)):
            wide = (torch.minimum(a[i, 2], b[j, 2]) - torch.maximum(a[i, 0], b[j, 0])).clamp(min=0)
            high = (torch.minimum(a[i, 3], b[j, 3]) - torch.maximum(a[i, 1], b[j, 1])).clamp(min=0)
            inter = wide * high
            union = area(a[i : i + 1])[0] + area(b[j : j + 1])[0] - inter
            out[i, j] = inter / union if union > 0 else 0.0
    return out


def nms(boxes, scores, threshold, classes=None):
    order = scores.argsort(descending=True, stable=True)
    boxes = boxes[order]
    suppresses = box_iou(boxes, boxes) > threshold
    if classes is not None:
        suppresses &= classes[order][:, None] == classes[order]
    alive = torch.ones(len(order), dtype=torch.bool)
    for i in range(len(order)):
        if alive[i]:
            alive[i + 1 :] &= ~suppresses[i, i + 1 :]
    return order[alive]
