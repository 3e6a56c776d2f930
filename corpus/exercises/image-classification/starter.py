import torch
import torch.nn.functional as F
from torch import nn


class ShapeNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        raise NotImplementedError


def fit(images, labels, classes):
    """__DOC__"""
    raise NotImplementedError


def predict(model, images):
    raise NotImplementedError
