"""What is wrong with a source text before anything runs."""

from __future__ import annotations

from .limits import MAX_SOURCE


def fault_in(source: str) -> tuple[str, str] | None:
    """(reason, sentence), or None when the text may be compiled. A byte-order mark at the start is no fault."""
    if "\0" in source:
        return "bad_source", "The code contains a NUL character."
    if any("\ud800" <= c <= "\udfff" for c in source):
        return "bad_source", "The code contains half of a surrogate pair, which no text file can hold."
    if len(source) > MAX_SOURCE or len(source.encode()) > MAX_SOURCE:
        return "too_large", f"The code is larger than {MAX_SOURCE // 1024} kB."
    if not source.strip("\ufeff \t\r\n\f"):
        return "bad_source", "There is no code."
    return None
