import numpy as np
import torch


def kernel(rows):
    return np.logaddexp.reduce(rows, axis=-1)


def row_lse(x: torch.Tensor) -> torch.Tensor:
    """__DOC__"""
    raise NotImplementedError


def scale_rows_(x: torch.Tensor, factor: torch.Tensor) -> None:
    raise NotImplementedError
