"""Search by words: BM25 over tokens that work in English, Russian and Chinese. Finds API names that vectors blur.

Words of the trade also count as the idea they stand for (glossary.txt), so "производная" finds "gradient" and 梯度.
Source of the formula: Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

import numpy as np
from rank_bm25 import BM25Okapi

from interviewer.domain import Language, Passage, Slug

STEM = 7
"""Letters of a word that count: gradient and gradients, градиент and градиентов are one token each."""

_CHINESE = "\u3400-\u9fff"
_RUN = re.compile(rf"[{_CHINESE}]+|[^\W{_CHINESE}]+(?:\.[^\W{_CHINESE}]+)*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def tokens(text: str) -> list[str]:
    """Words cut to their stems, Chinese in pairs of characters, dotted and joined names whole and in parts.

    >>> tokens("Call optimizer.zero_grad()")
    ['call', 'optimizer.zero_grad', 'optimiz', 'zero_grad', 'zero', 'grad']
    >>> tokens("градиентов в DataLoader")
    ['градиен', 'в', 'dataloader', 'data', 'loader']
    >>> tokens("梯度累加")
    ['梯度', '度累', '累加']
    """
    found: list[str] = []
    for run in _RUN.findall(unicodedata.normalize("NFKC", text)):
        found.extend(_pairs(run) if re.match(f"[{_CHINESE}]", run) else _names(run))
    return found


def with_ideas(text: str) -> list[str]:
    """The tokens of a text, then the ideas of the glossary that they stand for.

    >>> with_ideas("обнулить") == ["обнулит", *with_ideas("清零")[1:]]
    True
    """
    found = tokens(text)
    return found + [idea for token in found for idea in _glossary().get(token, ())]


class LexicalIndex:
    """`ports.Retriever` by words alone."""

    def __init__(self, documents: Sequence[Passage]) -> None:
        """Reads all documents: about 0.2 s for a thousand."""
        self._documents = tuple(documents)
        self._tokens = [with_ideas(document.text) for document in self._documents]
        self._passages = _bm25(self._tokens)
        self._questions: dict[str, list[int]] = {}
        for place, document in enumerate(self._documents):
            self._questions.setdefault(document.question, []).append(place)
        # A question taken whole is long and repeats its words: a high k1 lets repetition count further.
        whole = [[t for place in places for t in self._tokens[place]] for places in self._questions.values()]
        self._whole = _bm25(whole, k1=8.0, b=0.5)

    def search(
        self, query: str, *, k: int = 5, question: Slug | None = None, language: Language | None = None
    ) -> tuple[Passage, ...]:
        """The k best passages that share a word with the query, best first. `score` is BM25's: above 0."""
        words = list(dict.fromkeys(with_ideas(query)))
        places = [
            place
            for place in (self._questions.get(question, []) if question else range(len(self._documents)))
            if language in (None, self._documents[place].language)
        ]
        if not words or not places or self._passages is None:
            return ()
        scores = np.asarray(self._passages.get_batch_scores(words, places))
        best = [i for i in np.argsort(-scores, kind="stable")[:k] if scores[i] > 0]
        return tuple(self._documents[places[i]].model_copy(update={"score": float(scores[i])}) for i in best)

    def questions(self, query: str) -> Mapping[Slug, float]:
        """BM25 of every question, taken whole in all languages as one document; 0 where no word is shared."""
        words = list(dict.fromkeys(with_ideas(query)))
        if self._whole is None:
            return {}
        return dict(zip(self._questions, map(float, self._whole.get_scores(words)), strict=True))


def _bm25(documents: Sequence[list[str]], *, k1: float = 1.5, b: float = 0.75) -> BM25Okapi | None:
    if not any(documents):
        return None  # the library divides by the number of words
    return BM25Okapi(documents, k1=k1, b=b)


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


@cache
def _glossary() -> Mapping[str, tuple[str, ...]]:
    """Token -> ideas. An idea is written =n, which no text gives as a token."""
    ideas: dict[str, tuple[str, ...]] = {}
    text = files("interviewer.retrieval").joinpath("glossary.txt").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines()):
        for word in () if line.startswith("#") else line.replace("|", " ").split():
            for token in tokens(word):
                if f"={number}" not in ideas.get(token, ()):
                    ideas[token] = (*ideas.get(token, ()), f"={number}")
    return ideas
