"""A candidate's change to a question's snippet: lines to add, or lines to replace."""

from __future__ import annotations


class BadChange(ValueError):
    """The change names a line that the snippet does not have exactly once."""


def apply(code: str, change: str) -> str:
    """The changed program.

    A change whose first line begins with `-` and the others with `-` or `+` replaces: each run of `-` lines must be
    in the snippet exactly once (spaces around a line do not matter) and the `+` lines after it take their place,
    indented as what they replace. Anything else is code to run after the snippet.

    >>> apply("x = 1\\nprint(x)", "- x = 1\\n+ x = 2")
    'x = 2\\nprint(x)\\n'
    >>> apply("x = 1", "print(x)")
    'x = 1\\nprint(x)\\n'
    """
    lines = code.splitlines()
    wanted = [line for line in change.splitlines() if line.strip()]
    if not wanted or not _is_patch(wanted):
        return "\n".join([*lines, *change.splitlines()]) + "\n"
    at = 0
    while at < len(wanted):
        old, at = _run(wanted, at, "-")
        new, at = _run(wanted, at, "+")
        lines = _replaced(lines, old, new)
    return "\n".join(lines) + "\n"


def _is_patch(wanted: list[str]) -> bool:
    return wanted[0].startswith("-") and all(line[0] in "+-" for line in wanted)


def _run(wanted: list[str], at: int, sign: str) -> tuple[list[str], int]:
    end = at
    while end < len(wanted) and wanted[end].startswith(sign):
        end += 1
    return [line[1:] for line in wanted[at:end]], end


def _replaced(lines: list[str], old: list[str], new: list[str]) -> list[str]:
    plain, sought = [line.strip() for line in lines], [line.strip() for line in old]
    places = [n for n in range(len(plain) - len(sought) + 1) if plain[n : n + len(sought)] == sought]
    if len(places) != 1:
        raise BadChange(f"{old[0].strip()[:80]!r} is there {len(places)} times")
    at = places[0]
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    margin = min((len(line) - len(line.lstrip()) for line in new), default=0)
    return [*lines[:at], *(indent + line[margin:] for line in new), *lines[at + len(old) :]]
