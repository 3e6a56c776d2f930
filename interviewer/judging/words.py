"""Words of three languages, for overlap features: folded, lightly stemmed, Chinese as bigrams."""

from __future__ import annotations

import re
from functools import lru_cache

_TOKEN = re.compile(r"[A-Za-z_][\w.]*|[А-Яа-яЁё]+|[一-鿿]+|\d+(?:\.\d+)?")
_STOP = frozenset(
    "the a an is are was were be been to of in on at for and or it its this that these those with as by from so if "
    "then than you your we i they them he she do does did will would can could should must may might have has had "
    "what when which how why who there here just also very really into out up "
    "и в во на с со к ко у о об от до за из по что как это эти этот эта то та те так там тут же бы ли или а но мы вы я "
    "он она они их его ее ей ему мне нам вам был была было были есть будет если когда чтобы потому для при уже еще "
    "вот ну просто".split()
)
_STEM = 6


@lru_cache(maxsize=20_000)
def tokens(text: str) -> frozenset[str]:
    """Content words of a text. Words are cut at six letters (a stem good enough for overlap); dotted names also
    give their parts.

    >>> sorted(tokens("the gradients in optimizer.zero_grad()"))
    ['gradie', 'optimi', 'optimizer.zero_grad', 'zero_grad']
    """
    found: set[str] = set()
    for raw in _TOKEN.findall(text):
        word = raw.lower().strip("._").replace("ё", "е")
        if not word or word in _STOP:
            continue
        if "一" <= word[0] <= "鿿":
            found.update(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        elif "." in word or "_" in word:
            found.add(word)
            found.update(part if "_" in part else part[:_STEM] for part in word.split(".") if part)
        else:
            found.add(word[:_STEM])
    return frozenset(found)


def overlap(text: str, other: str) -> float:
    """Share of the other text's content words that the text has; 0 when the other has none."""
    theirs = tokens(other)
    return len(tokens(text) & theirs) / len(theirs) if theirs else 0.0
