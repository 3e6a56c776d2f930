"""What a candidate or a program sent, made fit to be stored, shown and quoted."""

from __future__ import annotations

import unicodedata

MAX_ANSWER = 200_000
"""Characters of one answer that are kept. What is judged is bounded in `judging.spans`."""


def clean(text: str) -> str:
    """Text that can be stored, shown and quoted: no lone surrogates, no control characters but newline and tab.

    Replaced one for one by U+FFFD, so that nothing else moves; longer than MAX_ANSWER is cut.

    >>> clean("a\\x00b\\r\\nc")
    'a\ufffdb\\nc'
    """
    text = text[:MAX_ANSWER].replace("\r\n", "\n").replace("\r", "\n")
    return "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" else c for c in text)
