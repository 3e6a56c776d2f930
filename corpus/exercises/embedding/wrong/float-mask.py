import torch
from torch import nn


class MeanEmbedding(nn.Module):
    """Mean of the looked-up rows of every sequence, padding left out."""

    def __init__(self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None) -> None:
        super().__init__()
        if padding_idx is not None and padding_idx < 0:
            padding_idx += num_embeddings
        self.padding_idx = padding_idx
        self.weight = nn.Parameter(torch.randn(num_embeddings, embedding_dim))
        if padding_idx is not None:
            with torch.no_grad():
                self.weight[padding_idx] = 0.0

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        if ((ids < 0) | (ids >= len(self.weight))).any():
            raise IndexError(f"ids must lie in 0..{len(self.weight) - 1}")
        rows = self.weight[ids]
        padding = torch.zeros_like(ids, dtype=torch.bool)
        if self.padding_idx is not None:
            padding = ids == self.padding_idx
        keep = (~padding).float().unsqueeze(-1)
        rows = torch.where(keep > 0, rows, 0.0) * keep
        return rows.sum(dim=1) / keep.sum(dim=1).clamp(min=1)
