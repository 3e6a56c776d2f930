"""Where the candidate's tensors live: carried to a device as they arrive, and back to the CPU as they leave.

The judge, its inputs and its expected values stay on the CPU. The copy that went to the device is copied back into the
memory it came from when the call has changed it, so that damage to inputs is seen there as well.
"""

from __future__ import annotations

import os
from typing import Any

import torch


class Carrier:
    """Carries tensors between the CPU and one device. On the CPU it does nothing."""

    def __init__(self, device: str) -> None:
        self.device = device
        self._carried: list[tuple[torch.Tensor, torch.Tensor, int]] = []
        if device == "cuda":
            os.environ["CUDA_VISIBLE_DEVICES"] = "0"  # hidden until now, so that only a run that asks touches it

    def there(self, value: Any) -> Any:
        """`value` with its tensors on the device."""
        if self.device == "cpu":
            return value
        self._carried = []
        return self._map(value, self._put)

    def back(self, value: Any) -> Any:
        """`value` with its tensors on the CPU."""
        if self.device == "cpu":
            return value
        for here, over_there, version in self._carried:
            if over_there._version != version:
                here.copy_(over_there)
        return self._map(value, self._fetch)

    def _put(self, tensor: torch.Tensor) -> torch.Tensor:
        moved = tensor.to(self.device)
        self._carried.append((tensor, moved, moved._version))
        return moved

    def _fetch(self, tensor: torch.Tensor) -> torch.Tensor:
        return tensor.detach().cpu() if tensor.device.type == self.device else tensor

    def _map(self, value: Any, move: Any) -> Any:
        kind = type(value)
        if kind in (torch.Tensor, torch.nn.Parameter):
            return move(value)
        if kind in (list, tuple):
            return kind(self._map(part, move) for part in value)
        if kind is dict:
            return {key: self._map(part, move) for key, part in value.items()}
        return value
