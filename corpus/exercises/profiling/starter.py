from collections.abc import Callable

import torch


def top_operators(records: list[dict], k: int = 5) -> list[tuple[str, int, int]]:
    """__DOC__"""
    raise NotImplementedError


def count_operators(step: Callable[[], object], warmup: int, active: int) -> dict[str, int]:
    raise NotImplementedError
