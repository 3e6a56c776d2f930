import dataclasses

import torch


def move_to(data, device, non_blocking=False):
    """__DOC__"""
    raise NotImplementedError
