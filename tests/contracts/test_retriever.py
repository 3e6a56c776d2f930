"""What every retriever promises: the vector store, words, both fused, and the fake."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.adapters.chroma import build_or_open
from interviewer.adapters.fakes import HashEmbedder, MemoryIndex
from interviewer.ports import Retriever
from interviewer.retrieval.documents import content_hash, documents
from interviewer.retrieval.fusion import HybridRetriever
from interviewer.retrieval.lexical import LexicalIndex
from tests.retrieval.mini_bank import PAIRS

DOCUMENTS = documents(PAIRS)


@pytest.fixture(scope="module", params=["chroma", "lexical", "hybrid", "fake"])
def retriever(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Retriever]:
    embedder = HashEmbedder()
    if request.param == "fake":
        yield MemoryIndex(DOCUMENTS, embedder)
    elif request.param == "lexical":
        yield LexicalIndex(DOCUMENTS)
    else:
        folder: Path = tmp_path_factory.mktemp("index")
        dense = build_or_open(DOCUMENTS, embedder, folder, version=content_hash(DOCUMENTS, embedder.name))
        yield dense if request.param == "chroma" else HybridRetriever(DOCUMENTS, dense)
        dense.close()


def test_a_passage_is_found_by_its_own_text(retriever: Retriever) -> None:
    """And comes back whole: the same passage, with a score."""
    wanted = next(passage for passage in DOCUMENTS if passage.id == "dropout/accepted/concise-1/ru")
    best = retriever.search(wanted.text, k=1)[0]
    assert best.text == wanted.text
    assert best.question == wanted.question
    assert best.score > 0


def test_best_come_first_and_no_more_than_asked(retriever: Retriever) -> None:
    found = retriever.search("gradients", k=4)
    scores = [passage.score for passage in found]
    assert 0 < len(found) <= 4
    assert scores == sorted(scores, reverse=True)
    assert len({passage.id for passage in found}) == len(found)


@pytest.mark.parametrize("blank", ["", " \n", "\0", "\u200b"])
def test_a_blank_query_finds_nothing(retriever: Retriever, blank: str) -> None:
    assert retriever.search(blank) == ()


@pytest.mark.parametrize("hostile", ["lone \ud800 dropout", "dropout \0", '{"$ne": 1} dropout', "dropout " * 5000])
def test_any_query_is_answered(retriever: Retriever, hostile: str) -> None:
    assert retriever.search(hostile, k=1)


def test_filters_hold(retriever: Retriever) -> None:
    """By question, by language, and by both."""
    assert {p.question for p in retriever.search("grad DataLoader", k=9, question="zero-grad")} == {"zero-grad"}
    assert {p.language for p in retriever.search("grad DataLoader", k=9, language="zh")} == {"zh"}
    both = retriever.search("grad DataLoader", k=9, question="dataloader", language="ru")
    assert {(p.question, p.language) for p in both} == {("dataloader", "ru")}


def test_an_unknown_question_has_no_passages(retriever: Retriever) -> None:
    assert retriever.search("gradients", question="no-such-question") == ()


def test_more_than_there_is_gives_what_there_is(retriever: Retriever) -> None:
    found = retriever.search("dropout", k=10_000, question="dropout", language="en")
    assert 0 < len(found) <= sum(p.question == "dropout" and p.language == "en" for p in DOCUMENTS)


def test_the_same_query_gives_the_same_answer(retriever: Retriever) -> None:
    assert retriever.search("overfitting", k=5) == retriever.search("overfitting", k=5)
