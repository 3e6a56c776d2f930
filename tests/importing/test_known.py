"""Imported questions beside the bank's."""

from __future__ import annotations

from interviewer.adapters.fakes import HashEmbedder, MemoryIndex
from interviewer.domain import Passage
from interviewer.drafts import Draft
from interviewer.importing.known import KnownQuestions, as_asked

ASKED = {
    "heap": "How does a binary heap keep its order after an insertion?",
    "trie": "Which lookups make a trie worth its memory?",
    "bloom": "What can a Bloom filter get wrong, and what can it not?",
    "mutex": "When does a mutex cost more than the work it guards?",
}


def passages() -> tuple[Passage, ...]:
    """One way to ask each question, and a distractor that asks nothing."""
    asking = [
        Passage(id=f"{name}/question/text/en", question=name, kind="question", language="en", text=text)
        for name, text in ASKED.items()
    ]
    answer = Passage(
        id="mutex/accepted/full-1/en", question="mutex", kind="accepted", language="en", text="What is a rope?"
    )
    return (*asking, answer)


def draft(text: str, **fields: object) -> Draft:
    return Draft.model_validate(
        {"id": "draft-list-01", "language": "en", "title": text, "text": text, "source": "list.txt, line 1", **fields}
    )


def known() -> KnownQuestions:
    embedder = HashEmbedder()
    return KnownQuestions(passages(), MemoryIndex(passages(), embedder), embedder)


def test_the_same_question_is_found() -> None:
    """In other words too, as far as the embedder goes; the nearest question and its similarity are told."""
    same, near, skill = known().marked(
        [
            draft("How does a binary heap keep its order, after an insertion?"),
            draft("What is a rope good for?"),
            draft("Breathe.", kind="skill"),
        ]
    )
    assert (same.duplicate_of, same.nearest) == ("heap", "heap")
    assert same.similarity is not None and same.similarity > 0.9
    assert near.duplicate_of is None
    assert near.nearest in ASKED
    assert skill.nearest is None


def test_an_empty_bank_knows_nothing() -> None:
    """And is no error."""
    embedder = HashEmbedder()
    (found,) = KnownQuestions((), MemoryIndex((), embedder), embedder).marked([draft("Why?")])
    assert (found.nearest, found.duplicate_of) == (None, None)


def test_a_term_is_part_of_what_is_asked() -> None:
    """Where the list gave one; a title that is only the question's beginning is not said twice."""
    assert as_asked(draft("Explain the idea.", title="Heap")) == "Heap: Explain the idea."
    assert as_asked(draft("Why is this so?", title="Why is…")) == "Why is this so?"
