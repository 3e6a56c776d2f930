"""Saying the next thing: the authored text, or a model's phrasing of it where one is set up and behaves.

A model only words what policy chose. Its text passes the leak gate sentence by sentence before anyone sees it; a slow,
failing, leaking or language-switching model costs nothing but its own text: the authored one is said instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from interviewer import prompts
from interviewer.domain import Criterion, Language, Misconception, Question, Rubric
from interviewer.errors import OperatorError
from interviewer.judging.leak import LeakGate
from interviewer.ports import LLM, ModelError, Retriever

Why = Literal["slow", "error", "leak", "empty", "language"]
OnText = Callable[[str], None]

LANGUAGE_NAMES: dict[Language, str] = {"en": "English", "ru": "Russian", "zh": "Simplified Chinese"}
MAX_CHARS = 600
_SENTENCE = re.compile(r".+?(?:[.!?…]+(?=\s|$)|[。！？]+|$)", re.DOTALL)


@dataclass(frozen=True)
class FollowUp:
    """What there is to phrase. `open_ids`: criteria that must not be given away."""

    question: Question
    rubric: Rubric
    target: Criterion | Misconception
    language: Language
    answer: str
    shown: tuple[str, ...]
    open_ids: frozenset[str]
    authored: str


@dataclass(frozen=True)
class Phrased:
    """The text to say, who worded it, and why the model did not when it should have."""

    text: str
    by: Literal["authored", "model"]
    failure: Why | None = None
    detail: str = ""


class Phraser:
    """Words follow-ups with `llm`, within `deadline` seconds, or leaves them as authored."""

    def __init__(
        self, gate: LeakGate, *, llm: LLM | None = None, retriever: Retriever | None = None, deadline: float = 8.0
    ) -> None:
        self._gate = gate
        self._llm = llm
        self._retriever = retriever
        self._deadline = deadline

    def follow_up(self, what: FollowUp, on_text: OnText | None = None) -> Phrased:
        """Phrase a follow-up. `on_text` receives the text so far each time a sentence has passed the gate."""
        if self._llm is None:
            return Phrased(what.authored, "authored")
        said = ""
        try:
            for sentence in _sentences(self._stream(what)):
                if why := self._refusal(said + sentence, what):
                    return Phrased(what.authored, "authored", why)
                said += sentence
                if on_text is not None:
                    on_text(said.strip())
        except ModelError as error:
            kind: Why = "slow" if error.kind == "slow" else "empty" if error.kind == "empty" else "error"
            return Phrased(what.authored, "authored", kind, error.detail[:200])
        text = " ".join(said.split())
        if not text or not text.endswith(("?", "？")):
            return Phrased(what.authored, "authored", "empty", "the model asked nothing")
        return Phrased(text, "model")

    def _stream(self, what: FollowUp) -> Iterator[str]:
        assert self._llm is not None
        system = prompts.render("interviewer", language=LANGUAGE_NAMES[what.language])
        aim = what.target.says if isinstance(what.target, Criterion) else what.target.belief
        user = prompts.render(
            "follow_up",
            question=what.question.text[what.language],
            answer=prompts.fence(what.answer) or "(nothing)",
            shown="; ".join(what.shown) or "none",
            aim=aim[what.language],
            probe=what.target.probe[what.language] if what.target.probe else "",
            passages=prompts.fence(self._background(what)),
        )
        return self._llm.stream(system, user, timeout=self._deadline)

    def _background(self, what: FollowUp) -> str:
        if self._retriever is None:
            return ""
        query = f"{what.target.probe[what.language] if what.target.probe else ''} {what.answer[:500]}"
        try:
            found = self._retriever.search(query, k=3, question=what.question.id, language=what.language)
        except OperatorError:  # the model can do without, the candidate should not have to
            return ""
        return "\n".join(passage.text for passage in found)

    def _refusal(self, text: str, what: FollowUp) -> Why | None:
        """Why this much of a model's text must not be said, or None."""
        if len(text) > MAX_CHARS:
            return "error"
        if not in_language(text, what.language):
            return "language"
        if self._gate.leaks(what.question, what.rubric, text, what.language, what.open_ids):
            return "leak"
        return None


def in_language(text: str, language: Language) -> bool:
    """Whether prose is in the language, leaving API names and code aside. Too little prose passes.

    >>> in_language("Что лежит в .grad?", "ru"), in_language("What is left in .grad?", "ru")
    (True, False)
    """
    prose = re.sub(r"`[^`]*`|[\w.]*[._]\w[\w.]*(?:\(\))?", " ", text)
    cyrillic, chinese, latin = (len(re.findall(p, prose)) for p in ("[А-Яа-яЁё]", "[一-鿿]", "[A-Za-z]"))
    if cyrillic + chinese * 3 + latin < 12:
        return True
    own = {"ru": cyrillic, "zh": chinese * 3, "en": latin}[language]
    foreign = {"ru": chinese * 3, "zh": cyrillic, "en": cyrillic + chinese * 3}[language]
    return own >= 0.4 * (cyrillic + chinese * 3 + latin) and foreign <= 0.1 * own


def _sentences(pieces: Iterator[str]) -> Iterator[str]:
    """Whole sentences from a stream of pieces, white space kept; the unfinished rest comes last."""
    held = ""
    for piece in pieces:
        held += piece
        while (match := _SENTENCE.match(held)) and match.end() < len(held):
            yield match.group()
            held = held[match.end() :]
    if held.strip():
        yield held
