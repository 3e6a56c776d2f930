"""Cutting an answer into spans: stretches of the candidate's own words that could carry one point.

Offsets always refer to the recorded text, so that a quote is a slice of it and nothing else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from interviewer.domain import Evidence, Turn

MAX_CHARS = 6_000
"""How much of one turn is read: ten minutes of speech. The rest is kept, not judged."""

MAX_SPANS = 160
"""Spans read of one turn; longer answers lose their shortest pieces first."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\s]+|(?<=[。！？；;])|\n+")
_CLAUSE = re.compile(
    r"(?:[,，、:：]|\s[-—–]+)\s*"
    r"|(?:\s)(?=(?:but|because|so that|while|whereas|otherwise|then|and then|а|но|потому что|поэтому|иначе|чтобы|"
    r"тогда|зато)\s)"
    r"|(?=但是|因为|所以|否则|然后|而且|同时|不然)",
    re.IGNORECASE,
)
_MIN_CLAUSE_WORDS = 3
_LONG_SENTENCE = 40


@dataclass(frozen=True)
class Span:
    """text[start:end] of the turn recorded as event `seq`."""

    seq: int
    start: int
    end: int
    text: str

    def evidence(self) -> Evidence:
        return Evidence(seq=self.seq, start=self.start, end=self.end, quote=self.text)


def spans(turn: Turn) -> tuple[Span, ...]:
    """Sentences, pairs of neighbouring sentences and clauses of a turn, without repeats.

    >>> [s.text for s in spans(Turn(seq=4, role="candidate", kind="answer", text="They add up, so clear them. Yes."))]
    ['They add up, so clear them.', 'They add up, so clear them. Yes.', 'They add up', 'so clear them.', 'Yes.']
    """
    text = turn.text[:MAX_CHARS]
    sentences = list(_pieces(text, 0, len(text), _SENTENCE_END))
    ranges = []
    for index, (start, end) in enumerate(sentences):
        ranges.append((start, end))
        if index + 1 < len(sentences):
            ranges.append((start, sentences[index + 1][1]))
        clauses = list(_pieces(text, start, end, _CLAUSE))
        if len(clauses) > 1:
            ranges += [c for c in clauses if words(text[c[0] : c[1]]) >= _MIN_CLAUSE_WORDS]
            if len(clauses) > 2:
                ranges += [(first[0], second[1]) for first, second in pairwise(clauses)]
    unique = list(dict.fromkeys(ranges))
    if len(unique) > MAX_SPANS:
        unique = sorted(unique, key=lambda r: r[0] - r[1])[:MAX_SPANS]
    return tuple(Span(turn.seq, a, b, text[a:b]) for a, b in unique if _says_something(text[a:b]))


def sentences(turn: Turn) -> tuple[Span, ...]:
    """Sentences of a turn, none twice; one of more than 40 words (speech without full stops) as its clauses.

    >>> [s.text for s in sentences(Turn(seq=4, role="candidate", kind="answer", text="They add up. Clear them!"))]
    ['They add up.', 'Clear them!']
    """
    text = turn.text[:MAX_CHARS]
    ranges: list[tuple[int, int]] = []
    for start, end in _pieces(text, 0, len(text), _SENTENCE_END):
        long = words(text[start:end]) > _LONG_SENTENCE
        ranges += _pieces(text, start, end, _CLAUSE) if long else [(start, end)]
    return tuple(Span(turn.seq, a, b, text[a:b]) for a, b in ranges if _says_something(text[a:b]))


def words(text: str) -> int:
    """Words of a text; two Chinese characters count as one word.

    >>> words("gradients add up"), words("梯度会累加")
    (3, 3)
    """
    wide = sum(1 for c in text if "一" <= c <= "鿿")
    return len(re.findall(r"[^\W一-鿿]+", text)) + (wide + 1) // 2


def _pieces(text: str, start: int, end: int, at: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Non-blank stretches of text[start:end] between matches of `at`, trimmed of white space."""
    begin = start
    for match in at.finditer(text, start, end):
        yield from _trimmed(text, begin, match.start())
        begin = match.end()
    yield from _trimmed(text, begin, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        yield start, end


def _says_something(text: str) -> bool:
    return any(unicodedata.category(c)[0] in "LN" for c in text)
