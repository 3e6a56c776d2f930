"""Meaning and words together: the retriever that Viva uses.

Within one question, passages are ranked by cosine plus a share of BM25. Over the whole bank the first thing to find is
the question: a single passage misleads often, the best passages of a question together seldom. So questions are
ranked by three standardised scores (dense passages, lexical passages, words of the question taken whole), and the
result shows each question's best passage before any question's second. Measured by `evals/retrieval.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, pstdev

from interviewer.domain import Language, Passage, Slug
from interviewer.ports import Retriever
from interviewer.retrieval.lexical import LexicalIndex

DEPTH = 300
"""Passages each index gives to the ranking of questions."""
VOTES = 5
"""Passages of a question that count for it."""
DENSE_SHARE = 0.8
"""Weight of meaning beside words in ranking questions; 0.5 to 1.2 measure alike."""
LEXICAL_SHARE = 0.3
"""Weight of words beside meaning in ranking passages; BM25 is scaled to 1 for the best."""

Scores = Mapping[Slug, float]


class HybridRetriever:
    """`ports.Retriever` over a dense index and the words of the same documents."""

    def __init__(self, documents: Sequence[Passage], dense: Retriever) -> None:
        """`dense`: any retriever over `documents` whose scores are cosines, such as `adapters.chroma.ChromaIndex`."""
        self._dense = dense
        self._lexical = LexicalIndex(documents)

    def search(
        self, query: str, *, k: int = 5, question: Slug | None = None, language: Language | None = None
    ) -> tuple[Passage, ...]:
        """The k best passages, best first. `score` is 1 / rank: only the order means anything.

        Without `question` every passage comes from a different question, as long as there are questions left.
        """
        if question is not None:
            ranked = self._passages(query, k=k, question=question, language=language)
        else:
            dense, lexical = self._dense.search(query, k=DEPTH), self._lexical.search(query, k=DEPTH)
            if not dense and not lexical:
                return ()
            order = self._order(query, dense, lexical)
            ranked = _one_of_each(_fused(_only(dense, language), _only(lexical, language)), order, k)
            if len(ranked) < k:  # few or none of the passages found are in this language: look among them alone
                known = {passage.id for passage in ranked}
                more = self._passages(query, k=k + len(ranked), language=language)
                ranked = (ranked + [p for p in _one_of_each(more, order, len(more)) if p.id not in known])[:k]
        return tuple(p.model_copy(update={"score": 1.0 / rank}) for rank, p in enumerate(ranked, 1))

    def _passages(
        self, query: str, *, k: int, question: Slug | None = None, language: Language | None = None
    ) -> list[Passage]:
        depth = max(k, DEPTH)
        return _fused(
            self._dense.search(query, k=depth, question=question, language=language),
            self._lexical.search(query, k=depth, question=question, language=language),
        )[:k]

    def _order(self, query: str, dense: Sequence[Passage], lexical: Sequence[Passage]) -> list[Slug]:
        """All questions, likeliest first."""
        whole = self._lexical.questions(query)
        words = _sum((1.0, _standard(whole)), (1.0, _standard(_votes(lexical, whole))))
        scores = _sum((1.0, _standard(words)), (DENSE_SHARE, _standard(_votes(dense, whole))))
        return sorted(scores, key=lambda question: -scores[question])


def _votes(passages: Sequence[Passage], questions: Iterable[Slug]) -> Scores:
    """Mean score of each question's VOTES best passages; a passage that was not found counts as the worst that was."""
    worst = min((passage.score for passage in passages), default=0.0)
    found: dict[Slug, list[float]] = {question: [] for question in questions}
    for passage in sorted(passages, key=lambda passage: -passage.score):
        found.setdefault(passage.question, []).append(passage.score)
    return {
        question: fmean(scores[:VOTES] + [worst] * (VOTES - len(scores[:VOTES]))) for question, scores in found.items()
    }


def _standard(scores: Scores) -> Scores:
    """Scores with mean 0 and deviation 1 over the questions; zeros when they are all alike."""
    if not scores:
        return {}
    mean, deviation = fmean(scores.values()), pstdev(scores.values())
    return {question: (score - mean) / deviation if deviation else 0.0 for question, score in scores.items()}


def _sum(*weighted: tuple[float, Scores]) -> Scores:
    questions = dict.fromkeys(question for _, scores in weighted for question in scores)
    return {q: sum(weight * scores.get(q, 0.0) for weight, scores in weighted) for q in questions}


def _fused(dense: Sequence[Passage], lexical: Sequence[Passage]) -> list[Passage]:
    """Both lists as one, best first. What only words found counts as far in meaning as the farthest found."""
    farthest = min((passage.score for passage in dense), default=0.0)
    top = max((passage.score for passage in lexical), default=1.0)
    cosines = {passage.id: passage.score for passage in dense}
    words = {passage.id: passage.score / top for passage in lexical}
    passages = {passage.id: passage for passage in (*dense, *lexical)}
    scores = {i: cosines.get(i, farthest) + LEXICAL_SHARE * words.get(i, 0.0) for i in passages}
    return [passages[i] for i in sorted(passages, key=lambda i: -scores[i])]


def _only(passages: Sequence[Passage], language: Language | None) -> list[Passage]:
    return [passage for passage in passages if language in (None, passage.language)]


def _one_of_each(passages: Sequence[Passage], order: Sequence[Slug], k: int) -> list[Passage]:
    """The best passage of each question in `order`, then the second best of each, up to k."""
    place = {question: i for i, question in enumerate(order)}
    seen: dict[Slug, int] = {}
    keyed = []
    for passage in passages:
        nth = seen[passage.question] = seen.get(passage.question, 0) + 1
        keyed.append(((nth, place.get(passage.question, len(order))), passage))
    return [passage for _, passage in sorted(keyed, key=lambda pair: pair[0])[:k]]
