"""Vectors of known texts come from memory or from a file; everything else from the encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import numpy as np

from interviewer.adapters.fakes import HashEmbedder
from interviewer.adapters.vector_cache import CachedEmbedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEXTS = ["gradients add up", "градиенты копятся", "梯度会累加"]


class Counting(HashEmbedder):
    """Counts the texts it really had to embed."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded += len(texts)
        return super().embed(texts)


def test_known_and_unknown_texts_get_the_encoders_vectors(tmp_path: Path) -> None:
    """Remembering changes the cost and nothing else."""
    cached = CachedEmbedder(HashEmbedder(), tmp_path)
    cached.remember("zero-grad", TEXTS[:2])
    np.testing.assert_array_equal(cached.embed(TEXTS), HashEmbedder().embed(TEXTS))


def test_a_second_start_embeds_nothing(tmp_path: Path) -> None:
    """The file of the first start is enough."""
    CachedEmbedder(HashEmbedder(), tmp_path).remember("zero-grad", TEXTS)
    inner = Counting()
    again = CachedEmbedder(inner, tmp_path)
    again.remember("zero-grad", TEXTS)
    again.embed(TEXTS)
    assert inner.embedded == 0


def test_changed_content_replaces_the_file(tmp_path: Path) -> None:
    """A rubric that was edited is embedded again, and its old file goes."""
    CachedEmbedder(HashEmbedder(), tmp_path).remember("zero-grad", TEXTS[:2])
    inner = Counting()
    CachedEmbedder(inner, tmp_path).remember("zero-grad", TEXTS)
    assert inner.embedded == 3
    assert len(list(tmp_path.iterdir())) == 1


def test_a_damaged_file_is_made_again(tmp_path: Path) -> None:
    """Half a file, as a full disk may leave it, costs a new embedding and no exception."""
    CachedEmbedder(HashEmbedder(), tmp_path).remember("zero-grad", TEXTS)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:40])
    inner = Counting()
    CachedEmbedder(inner, tmp_path).remember("zero-grad", TEXTS)
    assert inner.embedded == 3


def test_threads_that_ask_together_embed_once(tmp_path: Path) -> None:
    """The page and the background both prepare the first question's rubric."""
    inner = Counting()
    cached = CachedEmbedder(inner, tmp_path)
    threads = [Thread(target=cached.remember, args=("zero-grad", TEXTS)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert inner.embedded == 3
