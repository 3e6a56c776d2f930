"""The bank as passages to search. Pure: content in, passages out, in the bank's order.

A sentence vector is an average, so a long text is a poor passage: accepted answers are cut into short pieces.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from interviewer.domain import LANGUAGES, Exercise, Language, Passage, Question, Rubric

PIECE: Mapping[Language, int] = {"en": 420, "ru": 420, "zh": 160}
"""Characters in a piece of an accepted answer: about three sentences."""

EXAMPLES = 2
"""Phrasings that stand beside what a criterion or misconception says: more of them blur its vector and cost time."""

_FENCE = re.compile(r"^```.*?^```[^\S\n]*$", re.MULTILINE | re.DOTALL)
_BLANK_LINE = re.compile(r"\n\s*\n")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])(?![*”’」』）])")


def documents(
    pairs: Iterable[tuple[Question, Rubric]], exercises: Mapping[str, Exercise] | None = None
) -> tuple[Passage, ...]:
    """Passages of every question in every language. `exercises` is keyed by question id.

    Ids are readable and stable: question/kind/part/language, such as `zero-grad/criterion/accumulates/ru`.
    """
    exercises = exercises or {}
    return tuple(
        Passage.model_validate(
            {"id": f"{question.id}/{kind}/{part}/{language}", "kind": kind, "text": text}
            | {"question": question.id, "language": language}
        )
        for question, rubric in pairs
        for language in LANGUAGES
        for kind, part, text in _parts(question, rubric, exercises.get(question.id), language)
    )


def content_hash(passages: Sequence[Passage], embedder_name: str) -> str:
    """Changes when any passage, their order or the embedder does: then vectors have to be made again."""
    rows = [(p.id, p.question, p.kind, p.language, p.text) for p in passages]
    return hashlib.sha256(json.dumps([embedder_name, rows]).encode()).hexdigest()


def pieces(text: str, language: Language) -> Iterator[str]:
    """A Markdown text in pieces of at most PIECE characters where its sentences allow it.

    Paragraphs are cut between sentences, short neighbours are joined, a fenced block is a piece of its own.

    >>> list(pieces("One. Two.\\n\\n```python\\nx = 1\\n```\\n\\nThree.", "en"))
    ['One. Two.', '```python\\nx = 1\\n```', 'Three.']
    """
    position = 0
    for fence in _FENCE.finditer(text):
        yield from _joined(text[position : fence.start()], language)
        yield fence.group()
        position = fence.end()
    yield from _joined(text[position:], language)


def _parts(
    question: Question, rubric: Rubric, exercise: Exercise | None, language: Language
) -> Iterator[tuple[str, str, str]]:
    """(kind, part of the id, text)."""
    yield "question", "text", question.text[language]
    yield "question", "rephrased", f"{question.title[language]}\n{question.rephrased[language]}"
    if question.asked_as is not None:
        for number, asked in enumerate(question.asked_as[language], 1):
            yield "question", f"asked-{number}", asked
    if exercise is not None:
        for number, piece in enumerate(pieces(exercise.statement[language], language), 1):
            yield "question", f"exercise-{number}", piece
    for form, text in (("concise", question.accepted.concise), ("full", question.accepted.full)):
        for number, piece in enumerate(pieces(text[language], language), 1):
            if language == "en" or not piece.startswith("```"):  # code is the same in every language
                yield "accepted", f"{form}-{number}", piece
    for criterion in rubric.criteria:
        phrasings = criterion.meets[language] if criterion.meets else ()
        yield "criterion", criterion.id, "\n".join((criterion.says[language], *phrasings[:EXAMPLES]))
    for misconception in rubric.misconceptions:
        yield (
            "misconception",
            misconception.id,
            "\n".join((misconception.belief[language], *misconception.sounds_like[language][:EXAMPLES])),
        )


def _joined(text: str, language: Language) -> Iterator[str]:
    piece = ""
    for paragraph in _BLANK_LINE.split(text.strip()):
        separator, coming = "\n\n", len(paragraph)
        for sentence in filter(None, map(str.strip, _SENTENCE_END.split(paragraph))):
            if piece and len(piece) + max(coming, len(sentence)) > PIECE[language]:
                yield piece
                piece = ""
            piece += (separator if piece else "") + sentence
            separator, coming = "" if language == "zh" else " ", 0
    if piece:
        yield piece
