"""Words in three languages, API names, and the glossary."""

from __future__ import annotations

import doctest
from collections import Counter
from importlib.resources import files

import pytest

import interviewer.retrieval.lexical as module
from interviewer.retrieval.documents import documents
from interviewer.retrieval.lexical import LexicalIndex, tokens, with_ideas
from tests.retrieval.mini_bank import PAIRS


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [("gradient", "Gradients"), ("градиент", "градиентов"), ("ёлка", "елка"), ("ｚｅｒｏ", "zero"), ("梯度", "梯度")],
)
def test_forms_of_one_word_are_one_token(one: str, other: str) -> None:
    assert tokens(one) == tokens(other)


@pytest.mark.parametrize("name", ["torch.no_grad", "nn.CrossEntropyLoss", "optimizer.zero_grad"])
def test_an_api_name_counts_whole_and_in_parts(name: str) -> None:
    """So that both `torch.no_grad` and "no grad" find it, in the middle of any language."""
    found = tokens(f"вызови {name}(), 然后")
    assert name.casefold() in found
    assert name.split(".")[1].casefold() in found


@pytest.mark.parametrize("text", ["", "  ", "...", "😀", "\ud800", "\0"])
def test_a_text_without_words_has_no_tokens(text: str) -> None:
    assert tokens(text) == []


@pytest.mark.parametrize("word", ["gradient", "производная", "导数"])
def test_words_of_one_idea_meet_across_languages(word: str) -> None:
    assert set(with_ideas(word)) & set(with_ideas("градиент")) - set(tokens(word))


def test_an_idea_cannot_be_typed() -> None:
    """A candidate's "=4" is no idea of the glossary."""
    assert not any(token.startswith("=") for token in tokens("=4 ==4"))


def test_the_glossary_lists_a_word_once_a_line() -> None:
    """And every line has its three languages."""
    for line in files("interviewer.retrieval").joinpath("glossary.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            words = line.replace("|", " ").split()
            assert max(Counter(words).values()) == 1, line
            assert line.count("|") == 2, line


def test_a_whole_question_is_found_by_its_words() -> None:
    scores = LexicalIndex(documents(PAIRS)).questions("случайно зануляет")
    assert max(scores, key=lambda question: scores[question]) == "dropout"


def test_an_empty_index_finds_nothing() -> None:
    index = LexicalIndex([])
    assert index.search("gradient") == ()
    assert index.questions("gradient") == {}
