"""An accepted answer -> its claims: one sentence each, so that each can become a criterion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from interviewer.domain import Language

MAX_CLAIMS = 10
"""Claims of one answer; a longer one has its shortest neighbours joined."""

_FENCE = re.compile(r"^\s*(```|~~~).*?^\s*\1[^\S\n]*$|^\s*(?:```|~~~).*\Z", re.MULTILINE | re.DOTALL)
_MARKUP = re.compile(r"^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|>\s+)", re.MULTILINE)
_BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•]|\d{1,3}[.)]|#{1,6})\s)")
_SENTENCE = re.compile(
    r"(?<=[.!?…])\s+(?=[\"'«“`(\[]?(?:[A-ZА-ЯЁ0-9一-鿿`_]|[a-z_]\w*(?:\.\w|\()))|(?<=[。！？!?；])|(?<=;)\s+"
)
"""Where one sentence ends and the next begins, perhaps with the name of a function."""

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|fig|eq|no)|\b(?:т\.\s?[екдп]|напр|см|др|рис))\.$", re.IGNORECASE
)
_CONTRAST: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(r",\s+(?=(?:while|whereas|but|and)\s)", re.IGNORECASE),
    "ru": re.compile(r",\s+(?=(?:а|но|тогда как|в то время как|зато)\s)", re.IGNORECASE),
    "zh": re.compile(r"，(?=而|但|并且|同时|不过)"),
}
"""Where a sentence says two things; cut only when each half can stand alone."""

_HALF: Mapping[Language, int] = {"en": 5, "ru": 4, "zh": 8}
"""Words (Chinese: characters) that a half needs to stand alone."""

_MINOR = re.compile(
    r"^(?:for example|for instance|e\.g|also|note|in general|together|например|также|к примеру|кроме того|вместе|они|"
    r"例如|比如|此外|另外|总之|也)",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"^(?:(?:and|but|while|whereas|а|но|зато|тогда как|в то время как)\s+|(?:而|但|但是|并且|同时|不过)，?)",
    re.IGNORECASE,
)
"""What ties a half to the other: not part of the claim."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_COMMON = frozenset(
    "pytorch torch python the and for with that this from into are not can use used uses you your when then which also "
    "etogo takzhe mozhno nuzhno neobhodimo kotoryy kotoraya kotoroe kotorye chtoby naprimer vazhno esche pozvolyaet "
    "ispolzuet ispolzuetsya osobenno kazhdyy e-g i-e".split()
)
_WIDE = re.compile("[一-鿿]")
_WORD = re.compile(r"[а-яё]{5,}|[a-z]{4,}", re.IGNORECASE)
_LATIN = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        "a b v g d e e zh z i y k l m n o p r s t u f h ts ch sh sch  y  e yu ya".split(" "),
        strict=True,
    )
)


@dataclass(frozen=True)
class Claim:
    """One thing an answer says. `id` is unique among the answer's claims."""

    id: str
    weight: int
    says: str


def claims_of(answer: str, language: Language) -> tuple[Claim, ...]:
    """The claims of an answer in its order; code blocks make none.

    >>> [(c.id, c.weight) for c in claims_of("backward() fills .grad. For example, twice the loss doubles it.", "en")]
    [('backward-grad', 3), ('twice-loss-doubles', 1)]
    """
    texts = _merged(list(_sentences(answer, language)), language)
    taken: set[str] = set()
    claims = []
    for number, text in enumerate(texts, start=1):
        claim_id = _unused(_id(text) or f"claim-{number}", taken)
        claims.append(Claim(claim_id, _weight(text, first=number == 1), text))
    return tuple(claims)


def _sentences(answer: str, language: Language) -> Iterator[str]:
    prose = _FENCE.sub("\n\n", answer)
    for block in _BLOCK.split(prose):
        flat = " ".join(_MARKUP.sub("", block).split())
        held = ""
        for piece in _SENTENCE.split(flat):
            held = f"{held} {piece}".strip()
            if held and not _ABBREVIATION.search(held):
                yield from _halves(held, language)
                held = ""
        if held:
            yield from _halves(held, language)


def _halves(sentence: str, language: Language) -> Iterator[str]:
    """The sentence, or its parts where a contrast joins two that can stand alone."""
    kept = ""
    pieces = _CONTRAST[language].split(sentence)
    comma = "，" if language == "zh" else ", "
    for index, piece in enumerate(pieces):
        kept = f"{kept}{comma}{piece}" if kept else piece
        rest = comma.join(pieces[index + 1 :])
        if rest and _size(kept, language) >= _HALF[language] and _size(rest, language) >= _HALF[language] + 1:
            yield kept
            kept = ""
    if kept:
        yield kept


def _merged(texts: Sequence[str], language: Language) -> list[str]:
    """Fragments joined to what stands before them, and the shortest neighbours until there are few enough."""
    found: list[str] = []
    for text in texts:
        if found and _size(text, language) < 3:
            found[-1] = _join(found[-1], text, language)
        else:
            found.append(text)
    while len(found) > MAX_CLAIMS:
        at = min(range(len(found) - 1), key=lambda i: len(found[i]) + len(found[i + 1]))
        found[at : at + 2] = [_join(found[at], found[at + 1], language)]
    return [_alone(text) for text in found if re.search(r"\w", text)]


def _alone(text: str) -> str:
    """A claim as a sentence of its own."""
    bare = _LINK.sub("", text).strip(" ;；,，")
    first = re.match(r"[а-яёa-z]+(?=[\s,]|$)", bare)  # not an API name such as nn.Module or view()
    bare = bare[:1].upper() + bare[1:] if first and not _WIDE.search(bare) else bare
    return (
        bare
        if bare.endswith((".", "!", "?", "…", "。", "！", "？", ":", "："))
        else bare + ("。" if _WIDE.search(bare) else ".")
    )


def _join(first: str, second: str, language: Language) -> str:
    return f"{first}{'' if language == 'zh' else ' '}{second}"


def _size(text: str, language: Language) -> int:
    """Words; Chinese characters and Latin words in Chinese."""
    return len(re.findall(r"[一-鿿]|[A-Za-z_.]+", text) if language == "zh" else text.split())


def _weight(text: str, *, first: bool) -> int:
    """3 for what the answer opens with, 1 for examples and asides, else 2."""
    return 3 if first else 1 if _MINOR.match(text) else 2


def _id(text: str) -> str:
    """Up to three words: names of the API first, else long words of the sentence, in Latin letters."""
    plain = _MINOR.sub("", text).strip(" ,，")
    names = [n for n in _NAME.findall(plain) if "_" in n or "." in n or f"{n}(" in plain or f".{n}" in plain]
    words = names if len(names) > 1 else [*names, *(w for w in _WORD.findall(plain) if not any(w in n for n in names))]
    slugs = [re.sub(r"[^a-z0-9]+", "-", _latin(word)).strip("-") for word in words]
    kept = [slug for slug in dict.fromkeys(slugs) if slug and slug not in _COMMON][:3]
    return re.sub(r"-+", "-", "-".join(kept))[:40].strip("-")


def _latin(word: str) -> str:
    return "".join(_LATIN.get(c, c) for c in word.lower())


def _unused(name: str, taken: set[str]) -> str:
    found, number = name, 2
    while found in taken:
        found, number = f"{name}-{number}", number + 1
    taken.add(found)
    return found
