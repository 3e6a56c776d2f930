"""Search by words: BM25 over tokens that work in English, Russian and Chinese. Finds API names that vectors blur.

Source of the formula: Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond".
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from rank_bm25 import BM25Okapi

from interviewer.domain import Language, Passage, Slug

STEM = 6
"""Letters of a word that count: gradient, gradients and градиент, градиенты, градиентов are one token each."""

_RUN = re.compile(r"[\u3400-\u9fff]+|[^\W\u3400-\u9fff]+(?:\.[^\W\u3400-\u9fff]+)*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def tokens(text: str) -> list[str]:
    """Words cut to their stems, Chinese in pairs of characters, dotted and joined names whole and in parts.

    >>> tokens("Clear gradients with optimizer.zero_grad()")
    ['clear', 'gradie', 'with', 'optimizer.zero_grad', 'optimi', 'zero_grad', 'zero', 'grad']
    >>> tokens("градиентов в DataLoader")
    ['градие', 'в', 'dataloader', 'data', 'loader']
    >>> tokens("梯度累加")
    ['梯度', '度累', '累加']
    """
    found: list[str] = []
    for run in _RUN.findall(unicodedata.normalize("NFKC", text)):
        found.extend(_pairs(run) if "\u3400" <= run[0] <= "\u9fff" else _names(run))
    return found


class LexicalIndex:
    """`ports.Retriever` by words alone."""

    def __init__(self, documents: Sequence[Passage]) -> None:
        self._documents = tuple(documents)
        self._bm25 = BM25Okapi([tokens(document.text) or [""] for document in documents]) if documents else None
        self._of_question: dict[str, list[int]] = defaultdict(list)
        for place, document in enumerate(self._documents):
            self._of_question[document.question].append(place)

    def search(
        self, query: str, *, k: int = 5, question: Slug | None = None, language: Language | None = None
    ) -> tuple[Passage, ...]:
        """The k best passages that share a word with the query, best first. `score` is BM25's: above 0."""
        words = list(dict.fromkeys(tokens(query)))
        if not words or self._bm25 is None:
            return ()
        places = self._of_question.get(question, []) if question else list(range(len(self._documents)))
        if language:
            places = [place for place in places if self._documents[place].language == language]
        if not places:
            return ()
        scores = np.asarray(self._bm25.get_batch_scores(words, places))
        best = [i for i in np.argsort(-scores, kind="stable")[:k] if scores[i] > 0]
        return tuple(self._documents[places[i]].model_copy(update={"score": float(scores[i])}) for i in best)


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _names(run: str) -> Iterator[str]:
    """A run of letters, digits, dots and underscores: the name whole, then its parts."""
    dotted = run.split(".")
    if len(dotted) > 1:
        yield run.casefold()
    for name in dotted:
        words = [word for part in name.split("_") for word in _CAMEL.split(part) if word]
        if len(words) > 1:
            yield name.casefold()
        yield from (word.casefold().replace("ё", "е")[:STEM] for word in words)
