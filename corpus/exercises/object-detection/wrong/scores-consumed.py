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
    kept = []
    iou = box_iou(boxes, boxes)
    while len(scores) and scores.max() > -torch.inf:
        best = scores.argmax()
        kept.append(int(best))
        gone = iou[best] > threshold
        if classes is not None:
            gone &= classes == classes[best]
        gone[best] = True
        scores[gone] = -torch.inf
    return torch.tensor(kept, dtype=torch.int64)
