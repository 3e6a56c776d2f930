"""The bank as passages."""

from __future__ import annotations

import doctest
from collections import Counter

import pytest

import interviewer.retrieval.documents as module
from interviewer.domain import Language
from interviewer.retrieval.documents import PIECE, content_hash, documents, pieces
from tests.retrieval.mini_bank import PAIRS


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(module).failed == 0


def test_every_part_of_a_question_is_there_in_every_language() -> None:
    """Its text, its rephrasing with the title, accepted answers, one a criterion, one a misconception."""
    ids = {passage.id for passage in documents(PAIRS)}
    for language in ("en", "ru", "zh"):
        assert {
            f"dropout/question/text/{language}",
            f"dropout/question/rephrased/{language}",
            f"dropout/accepted/concise-1/{language}",
            f"dropout/accepted/full-1/{language}",
            f"dropout/criterion/fact-1/{language}",
            f"dropout/misconception/wrong-1/{language}",
        } <= ids


def test_ids_are_unique_and_stable() -> None:
    once, again = documents(PAIRS), documents(PAIRS)
    assert [passage.id for passage in once] == [passage.id for passage in again]
    assert max(Counter(passage.id for passage in once).values()) == 1


def test_an_id_says_what_its_passage_is() -> None:
    """question/kind/part/language agrees with the fields."""
    for passage in documents(PAIRS):
        question, kind, _part, language = passage.id.split("/")
        assert (question, kind, language) == (passage.question, passage.kind, passage.language)


def test_a_criterion_passage_has_what_it_says_and_phrasings_but_no_lookalikes() -> None:
    (passage,) = [p for p in documents(PAIRS) if p.id == "dropout/criterion/fact-1/en"]
    assert passage.text == "It zeroes random activations.\nIt zeroes random activations."
    assert "vague" not in passage.text


def test_the_hash_follows_content_and_embedder() -> None:
    """Any change to text, order or embedder asks for a new index; nothing else does."""
    passages = documents(PAIRS)
    changed = (passages[0].model_copy(update={"text": "other"}), *passages[1:])
    assert content_hash(passages, "a") == content_hash(documents(PAIRS), "a")
    hashes = [
        content_hash(p, name) for p, name in ((passages, "a"), (passages, "b"), (changed, "a"), (passages[1:], "a"))
    ]
    assert len(set(hashes)) == 4


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "Gradients add up in it. "), ("zh", "梯度会一直累加到里面。")]
)
def test_a_long_answer_is_cut_between_sentences(language: Language, sentence: str) -> None:
    """No piece is over the limit, none is cut inside a sentence, nothing is lost."""
    text = sentence * 60
    found = list(pieces(text, language))
    assert len(found) > 1
    assert all(len(piece) <= PIECE[language] and piece.endswith(sentence.strip()[-1]) for piece in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_a_paragraph_that_fits_is_not_torn() -> None:
    """Neighbours are joined while they fit, and a paragraph starts a piece rather than spill into the next."""
    first, second = "Alpha is first. " * 20, "Beta is second. Gamma is third. " * 4
    found = list(pieces(f"{first}\n\n{second}", "en"))
    assert found[-1] == second.strip()


def test_bold_openings_stay_with_their_sentence_in_chinese() -> None:
    assert list(pieces("**放在哪里。** 每次更新清一次。", "zh")) == ["**放在哪里。** 每次更新清一次。"]


@pytest.mark.parametrize("text", ["```", "```python\nx = 1", "one\n```\n```\ntwo", "  \n\n "])
def test_odd_markdown_does_not_fail(text: str) -> None:
    assert "".join("".join(pieces(text, "en")).split()) == "".join(text.split())
