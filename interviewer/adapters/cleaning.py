"""What typed text may carry that a database or a tokenizer chokes on."""

from __future__ import annotations

import unicodedata


def well_formed(text: str) -> str:
    """Text that encodes in UTF-8: surrogate pairs joined, lone surrogates replaced by U+FFFD.

    >>> well_formed("pair \\ud83d\\ude00, lone \\ud800")
    'pair 😀, lone \ufffd'
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def plain(text: str, *, limit: int) -> str:
    """Text ready for a tokenizer: well formed, NFC, controls and blanks as single spaces, cut at `limit` characters.

    Zero-width characters vanish, so an invisible text comes out empty.

    >>> plain("a\\x00b\\u200b  c\\n", limit=10)
    'a b c'
    """
    kept = "".join(_visible(character) for character in unicodedata.normalize("NFC", well_formed(text[: 2 * limit])))
    return " ".join(kept.split())[:limit]


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cc":
        return " "
    return "" if category == "Cf" else character
