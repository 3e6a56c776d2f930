import torch
import torch.nn.functional as F
from torch import nn


def double_conv(before, after):
    layers = []
    for width in (before, after):
        layers += [nn.Conv2d(width, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
    return nn.Sequential(*layers)


def dice_loss(logits, target, smooth=1.0, ignore_index=None):
    """__DOC__"""
    raise NotImplementedError


class UNet(nn.Module):
    def __init__(self, channels, classes, width=8):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        raise NotImplementedError
