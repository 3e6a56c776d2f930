import torch
from torch import nn


class MeanEmbedding(nn.Module):
    """__DOC__"""

    def __init__(self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError
