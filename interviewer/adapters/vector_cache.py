"""Vectors of the bank's own texts, kept on disk: a rubric is ready to listen without embedding it again.

One .npz file in the data folder, written beside its final name and moved into place, so it is whole or absent.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from interviewer.ports import Embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

BATCH = 256

Progress = Callable[[int, int], None]


class CachedEmbedder:
    """`ports.Embedder` that answers known texts from a file and everything else from `inner`."""

    def __init__(self, inner: Embedder, path: Path) -> None:
        self.name = inner.name
        self.dimension = inner.dimension
        self._inner = inner
        self._path = path
        self._known = _read(path, inner)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `ports.Embedder.embed`."""
        keys = [_key(text) for text in texts]
        missing = [i for i, key in enumerate(keys) if key not in self._known]
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for i, key in enumerate(keys):
            if key in self._known:
                rows[i] = self._known[key]
        if missing:
            rows[missing] = self._inner.embed([texts[i] for i in missing])
        return rows

    def remember(self, texts: Iterable[str], progress: Progress | None = None) -> None:
        """Make exactly `texts` known, on disk as well. Only new ones are embedded."""
        wanted = {_key(text): text for text in texts}
        new = [(key, text) for key, text in wanted.items() if key not in self._known]
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            vectors = self._inner.embed([text for _, text in batch])
            self._known |= {key: vectors[i] for i, (key, _) in enumerate(batch)}
            if progress is not None:
                progress(min(start + BATCH, len(new)), len(new))
        if new:
            self._known = {key: self._known[key] for key in wanted}
            self._write()

    def _write(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._path.with_name(f"{self._path.name}.{os.getpid()}.partial")
        with partial.open("wb") as file:
            np.savez(
                file,
                embedder=np.array(self.name),
                keys=np.array(list(self._known)),
                vectors=np.stack(list(self._known.values())),
            )
        partial.replace(self._path)


def _key(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _read(path: Path, inner: Embedder) -> dict[str, NDArray[np.float32]]:
    """What the file holds for this embedder. A missing, foreign or damaged file counts as empty."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            if str(stored["embedder"]) != inner.name or stored["vectors"].shape[1] != inner.dimension:
                return {}
            return dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return {}
