import torch


def box_iou(a, b):
    """__DOC__"""
    raise NotImplementedError


def nms(boxes, scores, threshold, classes=None):
    raise NotImplementedError
