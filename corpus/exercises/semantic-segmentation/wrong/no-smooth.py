import torch
import torch.nn.functional as F
from torch import nn


def double_conv(before, after):
    layers = []
    for width in (before, after):
        layers += [nn.Conv2d(width, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
    return nn.Sequential(*layers)


def dice_loss(logits, target, smooth=1.0, ignore_index=None):
    """Soft Dice loss, the mean over classes; sums go over all valid pixels of the batch."""
    classes = logits.size(1)
    if logits.dtype in (torch.float16, torch.bfloat16):
        logits = logits.float()
    valid = torch.ones_like(target, dtype=torch.bool) if ignore_index is None else target != ignore_index
    truth = F.one_hot(target.masked_fill(~valid, 0), classes).movedim(-1, 1).to(logits.dtype)
    truth, probs = truth * valid.unsqueeze(1), logits.softmax(1) * valid.unsqueeze(1)
    inter = (probs * truth).sum((0, 2, 3))
    total = probs.sum((0, 2, 3)) + truth.sum((0, 2, 3))
    return 1 - (2 * inter / total).mean()


class UNet(nn.Module):
    def __init__(self, channels, classes, width=8):
        super().__init__()
        self.enc = double_conv(channels, width)
        self.mid = double_conv(width, 2 * width)
        self.dec = double_conv(3 * width, width)
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        skip = self.enc(x)
        deep = self.mid(F.max_pool2d(skip, 2))
        up = F.interpolate(deep, size=skip.shape[-2:], mode="bilinear", align_corners=False)
        return self.head(self.dec(torch.cat([skip, up], 1)))
