from collections.abc import Callable

import torch
from torch.utils.data import Dataset


class TableDataset(Dataset):
    """__DOC__"""

    def __init__(self, source, transform: Callable[[torch.Tensor], torch.Tensor] | None = None) -> None:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        raise NotImplementedError
