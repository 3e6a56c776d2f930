"""The leak gate: no text of the interviewer's may contain what is still to be asked.

It turns the judge on the interviewer. A text that would earn the candidate an open criterion gives that criterion away,
and so does one that repeats a stretch of the criterion's own wording.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from threading import Lock

from interviewer.domain import Criterion, Language, Question, Rubric
from interviewer.judging.words import tokens

Says = Callable[[Question, Rubric, str, Language], dict[str, float]]
"""For each talk criterion the probability that a text says it: `EmbeddedJudge.says`."""

LEAK = 0.6
"""From this probability on a text counts as saying a criterion."""

COPIED = 0.75
"""From this share of a criterion's own content words on, beyond the question's, a text counts as a copy of it."""


class LeakGate:
    """Checks a text against the criteria that are still open."""

    def __init__(self, says: Says, *, remembered: int = 8192) -> None:
        """`remembered`: texts whose probabilities are kept; the authored ones come again and again."""
        self._says = says
        self._remembered = remembered
        self._known: OrderedDict[tuple[str, Language, str], tuple[Rubric, dict[str, float]]] = OrderedDict()
        self._lock = Lock()

    def leaks(
        self, question: Question, rubric: Rubric, text: str, language: Language, open_ids: Collection[str]
    ) -> tuple[str, ...]:
        """Ids among `open_ids` that the text gives away, in rubric order."""
        if not open_ids or not text.strip():
            return ()
        said = self._said(question, rubric, text, language)
        return tuple(
            c.id
            for c in rubric.talk
            if c.id in open_ids and (said.get(c.id, 0.0) >= LEAK or _copied(c, question, text, language))
        )

    def _said(self, question: Question, rubric: Rubric, text: str, language: Language) -> dict[str, float]:
        key = (question.id, language, text)
        with self._lock:
            known = self._known.get(key)
            if known is not None and known[0] is rubric:
                self._known.move_to_end(key)
                return known[1]
        said = self._says(question, rubric, _as_statement(text), language)
        with self._lock:
            self._known[key] = (rubric, said)
            while len(self._known) > self._remembered:
                self._known.popitem(last=False)
        return said


def _as_statement(text: str) -> str:
    """A question hides a statement ("Do gradients accumulate?"): look at it without its question mark."""
    return text.replace("?", ".").replace("？", "。")


def _copied(criterion: Criterion, question: Question, text: str, language: Language) -> bool:
    known = tokens(question.text[language])
    content = tokens(criterion.says[language]) - known
    return len(content) > 2 and len(tokens(text) & content) / len(content) >= COPIED
