from collections.abc import Iterable

import torch


def clip_gradients(
    parameters: Iterable[torch.nn.Parameter], max_norm: float, error_if_nonfinite: bool = False
) -> torch.Tensor:
    """__DOC__"""
    raise NotImplementedError
