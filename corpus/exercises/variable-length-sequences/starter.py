import torch
from torch import nn


def encode(rnn: nn.RNNBase, batch: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """__DOC__"""
    raise NotImplementedError
