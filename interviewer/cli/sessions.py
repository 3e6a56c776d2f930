"""viva sessions, viva export."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from interviewer.cli import Json, app, put_json
from interviewer.config import load_config
from interviewer.errors import UsageError, VivaError


@app.command()
def sessions(json_: Json = False, limit: Annotated[int, typer.Option(min=1, max=10_000)] = 50) -> None:
    """Recorded interviews, newest first."""
    from interviewer import wiring
    from interviewer.report import make_report
    from interviewer.session import replay

    config = load_config()
    store, bank = wiring.open_store(config), wiring.open_bank(config, drafts=True)
    rows = []
    for session_id, started in store.sessions(limit):
        try:
            state = replay(store.load(session_id))
        except VivaError as error:  # one that cannot be read does not hide the others
            print(f"viva: {error}", file=sys.stderr)
            continue
        report = make_report(session_id, state, bank)
        rows.append(
            {
                "session_id": session_id,
                "started": started.isoformat(timespec="seconds"),
                "language": state.settings.language,
                "phase": "paused" if state.paused else state.phase,
                "questions": len(state.questions),
                "of": len(state.plan),
                "score": report.percent,
                "coverage": report.score.coverage,
            }
        )
    if json_:
        put_json({"sessions": rows})
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("session", "started", "lang", "phase", "questions", "score")
    for row in rows:
        score = "-" if row["score"] is None else f"{row['score']:.0f}"
        table.add_row(
            str(row["session_id"]),
            str(row["started"]),
            str(row["language"]),
            str(row["phase"]),
            f"{row['questions']}/{row['of']}",
            score,
        )
    Console().print(table)


@app.command()
def export(
    session: str,
    format_: Annotated[str, typer.Option("--format", help="md, json or html")] = "md",
    out: Annotated[Path | None, typer.Option(help="File to write; stdout when not given.")] = None,
) -> None:
    """A session's report as Markdown, JSON or self-contained HTML."""
    from interviewer import wiring
    from interviewer.report import make_report
    from interviewer.report_formats import FORMATS
    from interviewer.session import replay

    if format_ not in FORMATS:
        raise UsageError(f"--format: no format '{format_[:20]}'", hint=f"formats are {', '.join(FORMATS)}")
    config = load_config()
    log = wiring.open_store(config).load(session)
    if not log:
        raise UsageError(f"no session '{session[:60]}'", hint="see `viva sessions` for the ids")
    text = FORMATS[format_](make_report(session, replay(log), wiring.open_bank(config, drafts=True)))
    if out is None:
        sys.stdout.write(text + "\n")
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--out: cannot write '{out}': {error.strerror}", hint="choose another file") from None
    print(f"wrote {out}", file=sys.stderr)
