"""Meaning and words together. What every retriever promises is in contracts/."""

from __future__ import annotations

import pytest

from interviewer.adapters.embedder import UseEmbedder
from interviewer.adapters.fakes import MemoryIndex
from interviewer.domain import Language, Passage, Slug
from interviewer.retrieval.documents import documents
from interviewer.retrieval.fusion import HybridRetriever
from tests.retrieval.mini_bank import PAIRS

DOCUMENTS = documents(PAIRS)


class Nothing:
    """A dense index that finds nothing."""

    def search(
        self, query: str, *, k: int = 5, question: Slug | None = None, language: Language | None = None
    ) -> tuple[Passage, ...]:
        return ()


@pytest.fixture(scope="module")
def retriever() -> HybridRetriever:
    return HybridRetriever(DOCUMENTS, MemoryIndex(DOCUMENTS, UseEmbedder()))


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("do gradients pile up when I forget to reset them", "zero-grad"),
        ("почему производные складываются, если их не сбросить", "zero-grad"),
        ("忘了清空旧的导数会怎样", "zero-grad"),
        ("switching off random units against overfitting", "dropout"),
        ("随机失活在评估的时候还起作用吗", "dropout"),
        ("чтение данных несколькими процессами", "dataloader"),
        ("pin_memory", "dataloader"),
    ],
)
def test_a_paraphrase_finds_its_question(retriever: HybridRetriever, query: str, question: str) -> None:
    assert retriever.search(query, k=1)[0].question == question


def test_the_first_passages_come_from_different_questions(retriever: HybridRetriever) -> None:
    """Then the second of each, so the list is useful at any length."""
    found = [passage.question for passage in retriever.search("gradients in .grad", k=6)]
    assert len(set(found[:3])) == 3
    assert found[3:] == found[:3]


def test_a_passage_in_one_language_answers_a_query_in_another(retriever: HybridRetriever) -> None:
    """The question is found over all languages, the passage shown in the one asked for."""
    (passage,) = retriever.search("обнулить градиенты", k=1, language="zh")
    assert (passage.question, passage.language) == ("zero-grad", "zh")


def test_within_a_question_the_nearest_fact_comes_first(retriever: HybridRetriever) -> None:
    best = retriever.search("what happens in evaluation mode", k=1, question="dropout", language="en")[0]
    assert "eval mode" in best.text


def test_scores_are_reciprocal_ranks(retriever: HybridRetriever) -> None:
    assert [passage.score for passage in retriever.search("dropout", k=4)] == [1, 1 / 2, 1 / 3, 1 / 4]


def test_words_alone_still_find(retriever: HybridRetriever) -> None:
    """A query in no language the embedder knows, but with an API name in it."""
    assert HybridRetriever(DOCUMENTS, Nothing()).search("zero_grad", k=1)[0].question == "zero-grad"


def test_nothing_found_is_empty() -> None:
    assert HybridRetriever(DOCUMENTS, Nothing()).search("xylophone") == ()
