"""The command line, one file a group of commands. Here is what they share: application, arguments, output.

Nothing heavy is imported until a command needs it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interviewer.domain import LANGUAGES, LEVELS, Language, Level
from interviewer.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

app = typer.Typer(
    name="viva",
    help="A mock interviewer for PyTorch and deep-learning interviews, in English, Russian and Chinese.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object to stdout.")]


def as_language(value: str) -> Language:
    """`value` as a language, or UsageError."""
    for language in LANGUAGES:
        if value.lower() == language:
            return language
    raise UsageError(f"--lang: no language '{value[:20]}'", hint=f"languages are {', '.join(LANGUAGES)}")


def as_level(value: str) -> Level | None:
    """`value` as a level, None when empty, or UsageError."""
    for level in LEVELS:
        if value.lower() == level:
            return level
    if value:
        raise UsageError(f"--level: no level '{value[:20]}'", hint=f"levels are {', '.join(LEVELS)}")
    return None


def as_list(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def put_json(value: Any) -> None:
    """One JSON object on stdout, UTF-8."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar on stderr, shown only once there is something to wait for."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    tasks: dict[str, Any] = {}
    with Progress(*columns, console=Console(stderr=True), transient=False) as bar:

        def report(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done, total=total)

        yield report
