import torch


def box_iou(a, b):
    if a.dtype in (torch.float16, torch.bfloat16):
        a, b = a.float(), b.float()
    ax1, ay1, ax2, ay2 = (c[:, None] for c in a.unbind(1))
    bx1, by1, bx2, by2 = (c[None, :] for c in b.unbind(1))
    wide = torch.relu(torch.minimum(ax2, bx2) - torch.maximum(ax1, bx1))
    high = torch.relu(torch.minimum(ay2, by2) - torch.maximum(ay1, by1))
    common = wide * high
    union = (ax2 - ax1) * (ay2 - ay1) + (bx2 - bx1) * (by2 - by1) - common
    return torch.where(union > 0, common / torch.where(union > 0, union, torch.ones_like(union)), torch.zeros_like(union))


def nms(boxes, scores, threshold, classes=None):
    values = scores.tolist()
    order = sorted(range(len(values)), key=lambda i: (-values[i], i))
    if classes is not None:
        boxes = boxes + classes[:, None] * 1000
    clash = box_iou(boxes, boxes) > threshold
    clash = clash.numpy()
    kept = []
    for i in order:
        if not kept or not clash[i, kept].any():
            kept.append(i)
    return torch.tensor(kept, dtype=torch.int64)
