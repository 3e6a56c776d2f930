"""Exceptions, grouped by who must act.

    VivaError
    ├── AuthorError      a question, rubric or exercise file is wrong: its author fixes the file
    ├── OperatorError    the machine, a store, a model or a sandbox is not as needed: whoever runs Viva acts
    ├── UsageError       a command or a page asked for something that is not there: the caller asks again
    └── IllegalMove      the code asked a session for a move its state does not allow: a programmer acts

A candidate's failing code or empty answer is data, never one of these.
"""

from __future__ import annotations


class VivaError(Exception):
    """What went wrong, and `hint`: the next thing to do."""

    def __init__(self, what: str, *, hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.what}\nhint: {self.hint}" if self.hint else self.what


class AuthorError(VivaError):
    """Content is wrong. `faults` lists every fault found, not only the first."""

    def __init__(self, what: str, *, faults: tuple[str, ...] = (), hint: str = "") -> None:
        super().__init__(what, hint=hint)
        self.faults = faults

    def __str__(self) -> str:
        return "\n".join([self.what, *(f"  - {fault}" for fault in self.faults)]) + (
            f"\nhint: {self.hint}" if self.hint else ""
        )


class OperatorError(VivaError):
    """The machine, a store, a model or the sandbox is not as needed."""


class UsageError(VivaError):
    """Somebody asked for something that does not exist or is not allowed now."""


class IllegalMove(VivaError):
    """A session was asked for a move that its table of legal moves does not contain."""
