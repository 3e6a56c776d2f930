"""viva bank import, viva bank drafts: other people's question lists, and what became of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from interviewer.cli import Json, as_language, progress_bar, put_json
from interviewer.cli.bank import bank_app
from interviewer.config import Config, load_config
from interviewer.errors import UsageError

if TYPE_CHECKING:
    from interviewer.drafts import Draft
    from interviewer.importing.lines import Found


@bank_app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A list of questions: text, Markdown, CSV or JSON lines.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the drafts' folder; the data folder's by default.")
    ] = None,
    lang: Annotated[str, typer.Option(help="en, ru or zh; by default each question's own.")] = "",
    compare: Annotated[bool, typer.Option(help="Look for questions that the bank has already.")] = True,
    json_: Json = False,
) -> None:
    """Read other people's questions into drafts. Nothing is asked of anybody until an interview asks for drafts."""
    from interviewer.importing import read_questions
    from interviewer.importing.drafting import batch_of, drafts_of
    from interviewer.importing.folder import write_drafts

    config, language = load_config(), as_language(lang) if lang else None
    try:
        found = read_questions(file.name, _bytes(file), language)
    except UsageError as error:
        raise UsageError(f"{file.name}: {error.what}", hint=error.hint) from None
    drafts = drafts_of(found.items, file.name)
    if compare:
        drafts = _compared(config, drafts)
    folder = (out or config.drafts) / batch_of(file.name)
    write_drafts(drafts, folder)
    if json_:
        put_json(_summary(found, drafts, folder))
    else:
        _show(found, drafts, folder)


def _bytes(file: Path) -> bytes:
    from interviewer.importing.lines import MAX_BYTES

    try:
        with file.open("rb") as opened:
            return opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", hint="give a file of questions") from None


def _compared(config: Config, drafts: tuple[Draft, ...]) -> tuple[Draft, ...]:
    from interviewer import wiring

    bank = wiring.open_bank(config)
    with progress_bar() as progress:
        return wiring.open_known(config, bank, progress).marked(drafts)


def _summary(found: Found, drafts: Sequence[Draft], folder: Path) -> dict[str, Any]:
    return {
        "shape": found.shape,
        "folder": str(folder),
        "questions": sum(draft.kind == "question" for draft in drafts),
        "skills": sum(draft.kind == "skill" for draft in drafts),
        "with_level": sum(draft.level is not None for draft in drafts),
        "very_common": sum(draft.frequency == "very_common" for draft in drafts),
        "with_answer": sum(draft.answer is not None for draft in drafts),
        "askable": sum(draft.askable for draft in drafts),
        "drafts": [_row(draft) for draft in drafts],
        "left_out": [{"line": line.number, "text": line.text.strip()} for line in found.left_out],
    }


def _row(draft: Draft) -> dict[str, Any]:
    row = draft.model_dump(mode="json", include={"id", "kind", "language", "level", "frequency", "title", "source"})
    nearest = {"duplicate_of": draft.duplicate_of, "nearest": draft.nearest, "similarity": draft.similarity}
    return row | {"points": len(draft.points), "askable": draft.askable} | nearest


def _show(found: Found, drafts: Sequence[Draft], folder: Path) -> None:
    summary = _summary(found, drafts, folder)
    print(f"{found.shape}: {summary['questions']} questions, {summary['skills']} interview skills")
    print(f"{summary['with_level']} with a level, {summary['with_answer']} with an accepted answer")
    same = [draft for draft in drafts if draft.duplicate_of]
    if same:
        print(f"{len(same)} asked by the bank already, and left out of interviews unless named:")
        for draft in same:
            print(f"  {draft.id}  =  {draft.duplicate_of} ({draft.similarity})  {_shown(draft.title)}")
    other = [draft for draft in drafts if draft.nearest and not draft.duplicate_of]
    if other:
        print("not in the bank, as far as can be told; the nearest question:")
        for draft in other:
            print(f"  {draft.id}  ~  {draft.nearest} ({draft.similarity})  {_shown(draft.title)}")
    for line in found.left_out:
        print(f"left out: line {line.number}: {_shown(line.text)}", file=sys.stderr)
    fresh = sum(draft.askable and not draft.duplicate_of for draft in drafts)
    print(_use(fresh), file=sys.stderr)
    print(folder)


def _use(fresh: int) -> str:
    """What interviews can make of the new drafts."""
    if not fresh:
        return "none of the new ones has an answer to score by, so interviews leave them out"
    return f"new, with an answer to score by: {fresh}; interviews can use them: viva chat --drafts"


def _shown(text: str) -> str:
    return text.strip() if len(text.strip()) <= 60 else text.strip()[:59] + "…"


@bank_app.command("drafts")
def list_drafts(json_: Json = False) -> None:
    """Imported drafts: which can be asked, which the bank has already, and faults in their files. Exit 1 on a fault."""
    from interviewer.drafts import read_drafts

    drafts, faults = read_drafts(load_config().drafts)
    if json_:
        put_json({"drafts": [_row(draft) for draft in drafts], "faults": list(faults)})
    else:
        for draft in drafts:
            print(f"{draft.id}  {draft.language}  {draft.level or '-':7}  {_state(draft)}  {_shown(draft.title)}")
        for fault in faults:
            print(f"  - {fault}", file=sys.stderr)
        usable = sum(draft.askable and not draft.duplicate_of for draft in drafts)
        print(f"drafts: {len(drafts)}, for interviews: {usable}")
    raise typer.Exit(1 if faults else 0)


def _state(draft: Draft) -> str:
    if draft.kind == "skill":
        return "a skill, not a question"
    if not draft.points:
        return "no answer to score by"
    return f"the bank asks it: {draft.duplicate_of}" if draft.duplicate_of else f"{len(draft.points)} points"
