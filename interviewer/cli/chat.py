"""viva chat: the interview in a terminal, or played from a file of answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interviewer.cli import Json, app, as_language, as_level, as_list, progress_bar, put_json
from interviewer.config import load_config
from interviewer.errors import UsageError
from interviewer.events import ACTIONS, read_settings
from interviewer.policy import plan

if TYPE_CHECKING:
    from interviewer.interview import Interviewer
    from interviewer.session import State
    from interviewer.wiring import Viva


MOVES = ("text", "code", "action", "predict", "change")
"""What a line of a file of answers may be."""


@app.command()
def chat(  # noqa: PLR0913 - each is an option of the command line
    lang: Annotated[str, typer.Option(help="en, ru or zh")] = "en",
    questions: Annotated[str, typer.Option(help="Question ids, comma separated.")] = "",
    level: Annotated[str, typer.Option(help="junior, middle or senior")] = "",
    topics: Annotated[str, typer.Option(help="Topics, comma separated.")] = "",
    count: Annotated[int, typer.Option(min=1, max=60)] = 5,
    seed: Annotated[int, typer.Option(min=0)] = 0,
    code: Annotated[bool, typer.Option(help="With coding exercises.")] = True,
    exam: Annotated[bool, typer.Option("--exam", help="Feedback only at the end.")] = False,
    drafts: Annotated[
        bool, typer.Option("--drafts", help="Imported drafts in this language may be asked too.")
    ] = False,
    session: Annotated[str, typer.Option(help="Continue this session.")] = "",
    answers: Annotated[Path | None, typer.Option(help="JSON lines to play instead of asking.")] = None,
    json_: Json = False,
) -> None:
    """An interview in the terminal. With --answers it plays the file.

    A line is {"text"}, {"code"}, {"action"}, {"predict"} (what a snippet prints: it is run then) or {"change"} (to it).
    """
    from rich.console import Console

    from interviewer import wiring
    from interviewer.cli import terminal

    moves = read_moves(answers) if answers else None
    chosen = {
        "language": as_language(lang),
        "questions": as_list(questions),
        "level": as_level(level),
        "topics": as_list(topics),
        "count": count,
        "seed": seed,
        "code": code,
        "mode": "exam" if exam else "practice",
        "drafts": drafts,
    }
    settings = read_settings(chosen, prefix="--", hint="see `viva chat --help`")
    config = load_config()
    bank = wiring.open_bank(config, drafts=True)
    if not session:
        plan(bank, settings)  # a wrong id or topic is told before the index is built
    with progress_bar() as progress:
        viva = wiring.build(config, progress, bank=bank)
    with viva:
        session_id = session or viva.interviewer.start(settings)
        if moves is None:
            terminal.converse(viva, session_id, Console(stderr=json_))
        else:
            play(viva.interviewer, session_id, moves)
        _show(viva, session_id, json_=json_, transcript=moves is not None)


def _show(viva: Viva, session_id: str, *, json_: bool, transcript: bool) -> None:
    """What came of the interview."""
    from interviewer.cli import terminal
    from interviewer.report import make_report
    from interviewer.report_formats import to_dict

    state = viva.interviewer.state(session_id)
    report = make_report(session_id, state, viva.bank)
    if json_:
        put_json(to_dict(report))
        return
    if transcript:
        terminal.show_transcript(viva, session_id, state)
    terminal.show_report(report)


def read_moves(path: Path) -> tuple[dict[str, str], ...]:
    """A file of moves, checked as a whole before anything is played."""
    try:
        raw = path.read_bytes().decode("utf-8-sig", "surrogateescape")
    except OSError as error:
        raise UsageError(
            f"--answers: cannot read '{path}': {error.strerror}", hint="give a file of JSON lines"
        ) from None
    return tuple(_moves(path, raw))


def _moves(path: Path, raw: str) -> Iterator[dict[str, str]]:
    for number, line in enumerate(raw.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path.name}:{number}"
        hint = f'a line is {{"text": "..."}}; instead of text also {", ".join(MOVES[1:])}'
        try:
            move = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            raise UsageError(f"{where}: not JSON: {error}", hint=hint) from None
        if not isinstance(move, dict) or len(move) != 1 or next(iter(move)) not in MOVES:
            raise UsageError(f"{where}: not a move: {line.strip():.80}", hint=hint)
        ((kind, value),) = move.items()
        if not isinstance(value, str):
            raise UsageError(f"{where}: {kind}: not a string: {value!r:.80}", hint=hint)
        if kind == "action" and value not in ACTIONS:
            raise UsageError(f"{where}: action: no action '{value:.40}'", hint=f"actions are {', '.join(ACTIONS)}")
        yield move


def play(interviewer: Interviewer, session_id: str, moves: tuple[dict[str, str], ...]) -> State:
    """Make the moves one by one and end the session after the last. Moves after the end are reported and left out."""
    from interviewer.interview import NoHint

    for number, move in enumerate(moves, start=1):
        state = interviewer.state(session_id)
        if state.phase == "ended":
            print(
                f"viva: the interview was over before move {number} of {len(moves)}; the rest is unused",
                file=sys.stderr,
            )
            return state
        ((kind, value),) = move.items()
        try:
            if kind == "text":
                interviewer.answer(session_id, value)
            elif kind == "code":
                interviewer.submit_code(session_id, value)
            elif kind == "predict":
                interviewer.run_snippet(session_id, value)
            elif kind == "change":
                interviewer.run_snippet(session_id, change=value)
            else:
                interviewer.act(session_id, value)
        except NoHint as error:
            print(f"viva: move {number}: {error.what}", file=sys.stderr)
        except UsageError as error:
            raise UsageError(f"move {number} ({kind}): {error.what}", hint=error.hint) from None
    state = interviewer.state(session_id)
    return state if state.phase == "ended" else interviewer.act(session_id, "end")
