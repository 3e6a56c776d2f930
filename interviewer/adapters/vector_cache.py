"""Vectors of the bank's own texts, kept on disk: a rubric is ready to listen without being embedded again.

One .npz file a rubric, named after its content, written beside its final name and moved into place, so it is whole or
absent.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from interviewer.ports import Embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

BATCH = 32
"""Texts embedded at once. Small: whoever waits for a turn shares the encoder with a rubric being read."""


class CachedEmbedder:
    """`ports.Embedder` that knows the texts it was told to remember and takes everything else from `inner`."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self.name = inner.name
        self.dimension = inner.dimension
        self._inner = inner
        self._folder = folder
        self._known: dict[str, NDArray[np.float32]] = {}
        self._remembered: dict[str, str] = {}
        self._guard = Lock()
        self._locks: dict[str, Lock] = {}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `ports.Embedder.embed`."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        missing = []
        for i, text in enumerate(texts):
            known = self._known.get(text)
            if known is None:
                missing.append(i)
            else:
                rows[i] = known
        if missing:
            rows[missing] = self._inner.embed([texts[i] for i in missing])
        return rows

    def remember(self, group: str, texts: Sequence[str]) -> None:
        """Make `texts` known under the name `group`: from its file where that is current, else embedded and written.

        Threads that ask for one group wait for each other, so each group is embedded once.
        """
        unique = list(dict.fromkeys(texts))
        digest = hashlib.sha256("\0".join([self.name, *unique]).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        with self._guard:
            lock = self._locks.setdefault(group, Lock())
        with lock:
            if self._remembered.get(group) == digest:
                return
            path = self._folder / f"{group}.{digest}.npz"
            vectors = _read(path, (len(unique), self.dimension))
            if vectors is None:
                batches = [self._inner.embed(unique[i : i + BATCH]) for i in range(0, len(unique), BATCH)]
                vectors = np.concatenate(batches) if batches else np.zeros((0, self.dimension), dtype=np.float32)
                with suppress(OSError):  # a full disk costs time at the next start, not this verdict
                    self._write(group, path, vectors)
            self._known.update(zip(unique, vectors, strict=True))
            self._remembered[group] = digest

    def _write(self, group: str, path: Path, vectors: NDArray[np.float32]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
        with partial.open("wb") as file:
            np.savez(file, vectors=vectors)
        partial.replace(path)
        for old in self._folder.glob(f"{group}.*.npz"):
            if old != path:
                old.unlink(missing_ok=True)


def _read(path: Path, shape: tuple[int, int]) -> NDArray[np.float32] | None:
    """The vectors of a file; None when it is missing, damaged or of another shape."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            vectors = stored["vectors"]
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
        return None
    return np.asarray(vectors, dtype=np.float32) if vectors.shape == shape else None
