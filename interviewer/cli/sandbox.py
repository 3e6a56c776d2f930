"""viva sandbox: run a file against an exercise."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from interviewer.cleaning import clean
from interviewer.cli import Json, app, put_json
from interviewer.config import load_config
from interviewer.errors import UsageError

sandbox_app = typer.Typer(help="The torch sandbox.", no_args_is_help=True)
app.add_typer(sandbox_app, name="sandbox")


@sandbox_app.command()
def run(
    exercise: Annotated[str, typer.Option(help="Question id of the exercise.")],
    file: Annotated[Path, typer.Option(help="The solution, a Python file.")],
    json_: Json = False,
) -> None:
    """Run a solution against an exercise's hidden checks. Exit 0 only when all of them passed."""
    from interviewer import wiring
    from interviewer.sandbox.advice import advice

    config = load_config()
    bank = wiring.open_bank(config)
    if exercise not in bank.exercises:
        raise UsageError(
            f"--exercise: no exercise '{exercise[:60]}'", hint=f"exercises are {', '.join(bank.exercises)}"
        )
    source = read_source(file)
    with wiring.open_sandbox(config) as sandbox:
        result = sandbox.check(bank.exercises[exercise], source)
    if json_:
        put_json(result.model_dump(mode="json"))
    else:
        print(f"{result.verdict}{f' ({result.reason})' if result.reason else ''} in {result.seconds:.2f} s")
        for check in result.checks:
            print(f"  {check.outcome:8} {check.name}{f': {clean(check.message)}' if check.message else ''}")
        if result.message:
            print(f"  {clean(result.message)}")
        if told := advice(result.reason, bank.exercises[exercise].profile):
            print(f"viva: {told}", file=sys.stderr)
        for finding in result.findings:
            where = f"line {finding.line}" if finding.line else "line unknown"
            print(f"  finding  {finding.name}, {where} ({finding.how}): not allowed in this exercise; fails nothing")
        for check in result.on_gpu:
            print(f"  on GPU   {check.outcome:8} {check.name}{f': {clean(check.message)}' if check.message else ''}")
        for part in (result.traceback, result.stdout):
            if part:
                print(clean(part.rstrip()))  # what a program printed must not steer the terminal
        print(f"{result.backend}: {', '.join(result.layers)}", file=sys.stderr)
    raise typer.Exit(0 if result.verdict == "passed" else 1)


def read_source(path: Path) -> str:
    """A candidate's file. Bytes that are not UTF-8 stay visible as surrogates, for the sandbox to refuse by name."""
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise UsageError(
            f"--file: cannot read '{path}': {error.strerror}", hint="give the path of a Python file"
        ) from None
