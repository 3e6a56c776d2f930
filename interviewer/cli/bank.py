"""viva bank: check, list, show, new, schema."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from interviewer.cli import Json, app, as_language, as_level, progress_bar, put_json
from interviewer.config import load_config
from interviewer.errors import UsageError

bank_app = typer.Typer(help="Questions, rubrics and exercises.", no_args_is_help=True)
app.add_typer(bank_app, name="bank")


@bank_app.command()
def check(
    ids: Annotated[list[str] | None, typer.Argument(help="Questions to run; all when none is given.")] = None,
    json_: Json = False,
    run: Annotated[bool, typer.Option(help="Run exercises and snippets, and the leak gate.")] = True,
) -> None:
    """Validate everything: files, references between them, probes, and that exercises reject every wrong solution."""
    from interviewer import bank_check, wiring
    from interviewer.bank import Bank, read_bank
    from interviewer.judging.leak import LeakGate

    config = load_config()
    bank, faults = read_bank(config.corpus, config.rubrics)
    killed = 0
    if ids:
        for question_id in ids:
            if not any(question_id in fault for fault in faults):
                bank.question(question_id)
        faults = tuple(f for f in faults if any(i in f for i in ids))
        bank = Bank(
            {k: v for k, v in bank.questions.items() if k in ids},
            {k: v for k, v in bank.rubrics.items() if k in ids},
            {k: v for k, v in bank.exercises.items() if k in ids},
            bank.hash,
            bank.delivery,
        )
    if run and not faults:
        with progress_bar() as progress, wiring.open_sandbox(config) as sandbox:
            gate = LeakGate(wiring.open_judge(wiring.open_embedder(config)).says)
            faults += tuple(bank_check.leak_faults(bank, gate))
            faults += tuple(bank_check.snippet_faults(bank, sandbox))
            killed, found = bank_check.exercise_faults(bank, sandbox, progress)
            faults += found
    result = bank_check.summary(bank, killed, faults)
    if json_:
        put_json(result)
    else:
        sources = ", ".join(f"{seed} {found}/{of}" for seed, (found, of) in result["sources"].items())
        print(f"{result['questions']} questions, {result['criteria']} criteria, sources {sources}")
        print(f"{result['exercises']} exercises, {killed} of {result['wrong_solutions']} wrong solutions killed")
        for fault in faults:
            print(f"  - {fault}", file=sys.stderr)
        print(f"{len(faults)} fault(s)" if faults else "no faults")
    raise typer.Exit(1 if faults else 0)


@bank_app.command("list")
def list_(lang: Annotated[str, typer.Option(help="en, ru or zh")] = "en", json_: Json = False) -> None:
    """Every question with its level, topic and kind."""
    from interviewer.wiring import open_bank

    language = as_language(lang)
    bank = open_bank(load_config())
    rows = [
        {"id": q.id, "level": q.level, "topic": q.topic, "kind": q.kind, "title": q.title[language]}
        for q in bank.questions.values()
    ]
    if json_:
        put_json({"questions": rows})
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("id", "level", "topic", "kind", "title")
    for row in rows:
        table.add_row(*(str(v) for v in row.values()))
    Console().print(table)


@bank_app.command()
def show(question_id: str, lang: Annotated[str, typer.Option(help="en, ru or zh")] = "en") -> None:
    """One question as its author sees it: text, accepted answers, criteria, misconceptions, exercise."""
    from rich.console import Console
    from rich.markdown import Markdown

    from interviewer.cli.bank_page import bank_page
    from interviewer.wiring import open_bank

    language = as_language(lang)
    Console().print(Markdown(bank_page(open_bank(load_config(), drafts=True), question_id, language)))


@bank_app.command()
def new(
    question_id: Annotated[str, typer.Argument(help="Such as grad-clipping: the name of all its files.")],
    kind: Annotated[str, typer.Option(help="talk, predict or code")] = "talk",
    topic: Annotated[str, typer.Option(help="A topic of `viva bank list`.")] = "practice",
    level: Annotated[str, typer.Option(help="junior, middle or senior")] = "middle",
) -> None:
    """Write skeletons of a question, its rubric and (for code) its exercise. Nothing is overwritten."""
    from interviewer.authoring import KINDS, new_question

    chosen = next((known for known in KINDS if known == kind), None)
    if chosen is None:
        raise UsageError(f"--kind: no kind '{kind[:20]}'", hint=f"kinds are {', '.join(KINDS)}")
    config = load_config()
    paths = new_question(
        config.corpus, config.rubrics, question_id, kind=chosen, topic=topic, level=as_level(level) or "middle"
    )
    for path in paths:
        print(path)
    print(f"viva bank check {question_id}   lists what is still to be filled in", file=sys.stderr)


@bank_app.command()
def schema(
    out: Annotated[Path | None, typer.Option(help="Folder to write to; corpus/schema when none is given.")] = None,
) -> None:
    """Write JSON schemas of question, rubric and exercise, with which an editor checks them."""
    from interviewer.authoring.schema import write_schemas

    for path in write_schemas(out or load_config().corpus / "schema"):
        print(path)
