"""Drawing an interview with rich. What is shown comes from `view` and `report`; nothing is decided here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from interviewer.cleaning import clean
from interviewer.delivery_formats import delivery_notes, delivery_outcome, delivery_remark
from interviewer.errors import UsageError, VivaError
from interviewer.labels import SIGN, Labels, labels
from interviewer.report import QuestionReport, Report
from interviewer.report_code import findings, tried
from interviewer.report_formats import coverage, headline, penalty, points, prices, titles, to_read
from interviewer.view import Screen, check_rows, make_screen

if TYPE_CHECKING:
    from interviewer.domain import SandboxResult
    from interviewer.session import QuestionState, State
    from interviewer.wiring import Viva

STYLE = {"met": "green", "partial": "yellow", "not_met": "red", "unsure": "dim"}

HELP = {
    "en": "Commands: /hint /skip /dont-know /repeat /pause /resume /end · code: /starter FILE, /run FILE, /submit FILE"
    " · snippet: /predict WHAT IT PRINTS, then /change FILE",
    "ru": "Команды: /hint /skip /dont-know /repeat /pause /resume /end · код: /starter ФАЙЛ, /run ФАЙЛ, /submit ФАЙЛ"
    " · фрагмент: /predict ЧТО НАПЕЧАТАЕТ, затем /change ФАЙЛ",
    "zh": "命令：/hint /skip /dont-know /repeat /pause /resume /end · 代码：/starter 文件、/run 文件、/submit 文件"
    " · 片段：/predict 预测的输出，然后 /change 文件",
}


def converse(viva: Viva, session_id: str, console: Console) -> None:
    """Ask and listen until the interview is over or the input ends; either way it can be continued later."""
    screen = make_screen(session_id, viva.interviewer.advance(session_id), viva.bank)
    console.print(Text(HELP[screen.language], style="dim"))
    shown, told, offered = -1, len(screen.feedback), ""
    while True:
        if screen.phase == "ended":  # the report says all that
            _show_new(console, screen, shown)
            return
        for row in screen.feedback[told:]:
            _show_question(console, row, labels(screen.language))
        told = len(screen.feedback)
        shown = _show_new(console, screen, shown)
        offered = _offer(console, screen, offered)
        if screen.paused:
            console.print(Text("⏸ /resume · /end", style="dim"))
        try:
            line = console.input("[bold cyan]› [/]")
        except EOFError:
            console.print(Text(f"viva chat --session {session_id}", style="dim"))
            return
        if not line.strip():  # a stray Enter is no answer; on the page it is none either
            continue
        try:
            state = _move(viva, session_id, line, console)
        except VivaError as error:
            console.print(Text(str(error), style="yellow"))
            state = viva.interviewer.state(session_id)
        screen = make_screen(session_id, state, viva.bank)


def _move(viva: Viva, session_id: str, line: str, console: Console) -> State:
    from interviewer.cli.sandbox import read_source

    if not line.startswith("/"):
        with console.status("…"):
            return viva.interviewer.answer(session_id, line)
    command, _, rest = line[1:].partition(" ")
    path = Path(rest.strip()).expanduser()
    if command == "help":
        state = viva.interviewer.state(session_id)
        console.print(Text(HELP[state.settings.language], style="dim"))
        return state
    if command == "starter":
        desk = make_screen(session_id, viva.interviewer.state(session_id), viva.bank).desk
        if desk is None:
            raise UsageError("no exercise is open")
        if path.exists():
            raise UsageError(f"'{path}' exists already", hint="name a new file")
        try:
            path.write_text(desk.starter, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write '{path}': {error.strerror}", hint="name another file") from None
        console.print(Text(f"→ {path}", style="dim"))
        return viva.interviewer.state(session_id)
    if command == "run":
        with console.status("…"):
            state = viva.interviewer.run_code(session_id, read_source(path))
        if state.current is not None and state.current.run is not None:
            _show_run(console, state.current.run, labels(state.settings.language))
        return state
    if command == "submit":
        asked = len(viva.interviewer.state(session_id).questions)
        with console.status("…"):
            state = viva.interviewer.submit_code(session_id, read_source(path))
        _show_checks(console, viva, state, state.questions[asked - 1])
        return state
    if command in ("predict", "change"):
        said, change = (rest, "") if command == "predict" else ("", read_source(path))
        with console.status("…"):
            state = viva.interviewer.run_snippet(session_id, said, change)
        ran = make_screen(session_id, state, viva.bank).snippet
        if ran is not None:
            for name, text in tried(ran.tried[-1], labels(state.settings.language)):
                console.print(Text(name, style="dim"))
                console.print(Text(clean(text)))
        return state
    return viva.interviewer.act(session_id, command.replace("-", "_"))


def _offer(console: Console, screen: Screen, offered: str) -> str:
    """Show a snippet that can be predicted and run, and what the next hint to the exercise costs; once each."""
    words, key = labels(screen.language), ""
    if screen.snippet is not None and not screen.snippet.tried:
        key = screen.snippet.question
        if key not in offered:
            console.print(Text(f"{words.snippet} · {screen.snippet.title}", style="bold"))
            console.print(Text(screen.snippet.prompt))
            console.print(Syntax(screen.snippet.code, "python", theme="ansi_light", word_wrap=True))
            console.print(Text("/predict …", style="dim"))
    if screen.code_hint is not None:
        hint = screen.code_hint
        line = words.next_hint.format(step=hint.step, of=hint.of, share=round(100 * hint.earns))
        key += f" {line}"
        if line not in offered:
            console.print(Text(f"/hint · {line}", style="dim"))
    return key


def _show_new(console: Console, screen: Screen, shown: int) -> int:
    words = labels(screen.language)
    for message in screen.messages:
        if message.seq <= shown or message.role == "candidate":
            continue
        title = words.interviewer
        open_now = screen.card is not None and message.question == screen.card.id
        if message.kind == "question" and screen.card is not None and open_now:
            title = f"{screen.card.number}/{screen.card.of} · {words.level[screen.card.level]} · {screen.card.title}"
        console.print(Panel(Text(message.text), title=title, title_align="left", border_style="blue"))
        if message.kind == "exercise" and screen.desk is not None and open_now:
            console.print(Text(screen.desk.statement))
            console.print(Syntax(screen.desk.starter, "python", theme="ansi_light", word_wrap=True))
    return max((m.seq for m in screen.messages), default=shown)


def _show_run(console: Console, result: SandboxResult, words: Labels) -> None:
    why = "" if result.verdict == "passed" else words.reason.get(result.reason, result.message)
    for text in (result.stdout, result.traceback, why):
        if text:
            console.print(Text(clean(text.rstrip())))  # what a program printed must not steer the terminal
    console.print(Text(f"{result.seconds:.2f} s · {result.backend}", style="dim"))


def _show_checks(console: Console, viva: Viva, state: State, asked: QuestionState) -> None:
    if asked.checked is None:
        return
    words = labels(state.settings.language)
    table = Table(show_header=False)
    for row in check_rows(asked.question, asked.checked, state, viva.bank):
        style = "green" if row.outcome == "passed" else "red"
        table.add_row(
            Text(words.check[row.outcome], style=style),
            Text(row.title),
            Text("\n".join(filter(None, (row.advice, clean(row.message))))),
        )
    console.print(table)
    _show_findings(console, asked.checked, words)
    if asked.checked.reason in words.reason and asked.checked.verdict != "passed":
        console.print(Text(words.reason[asked.checked.reason]))


def _show_findings(console: Console, result: SandboxResult, words: Labels) -> None:
    if result.findings:
        lines = [f"· {line}" for line in findings(result, words)]
        heading = words.findings + words.aside.format(text=words.findings_note)
        console.print(Text("\n".join((heading, *lines)), style="dim"))


def show_transcript(viva: Viva, session_id: str, state: State) -> None:
    """The whole conversation."""
    console = Console()
    words = labels(state.settings.language)
    for message in make_screen(session_id, state, viva.bank).messages:
        who = words.interviewer if message.role == "interviewer" else words.candidate
        if message.kind == "code":
            console.print(Syntax(message.text, "python", theme="ansi_light", word_wrap=True))
        else:
            console.print(Text(who + words.colon, style="bold").append(Text(message.text, style="")))


def show_report(report: Report) -> None:
    """Headline, what to do this week, and a table of criteria a question."""
    console = Console()
    words = labels(report.language)
    console.rule(words.report)
    console.print(Text(headline(report, words), style="bold"))
    console.print(Text(coverage(report, words), style="dim"))
    for item in report.study:
        read = words.aside.format(text=to_read(item.docs, words)) if item.docs else ""
        console.print(Text(f"→ {item.title}{words.colon}{item.says}{read}"))
    for row in report.questions:
        _show_question(console, row, words)
    _show_delivery(console, report, words)
    console.print(Text(prices(words), style="dim"))
    console.print(Text(words.judged_by.format(judges=", ".join(report.judges) or "-"), style="dim"))


def _show_delivery(console: Console, report: Report, words: Labels) -> None:
    if report.delivery is None:
        return
    table = Table(words.delivery, "", words.your_words)
    for row in report.delivery.rows:
        said = "\n".join(filter(None, (clean(row.quote), delivery_remark(row, words))))
        table.add_row(Text(row.title), Text(delivery_outcome(row, words), style=STYLE[row.outcome]), Text(said))
    console.print(table)
    console.print(Text(delivery_notes(report.delivery, words), style="dim"))


def _show_question(console: Console, row: QuestionReport, words: Labels) -> None:
    score = points(row.score.earned, row.score.possible) if row.score.possible else words.not_scored
    table = Table(
        words.criterion, "", words.points, words.your_words, title=Text(f"{row.title} · {score}"), title_justify="left"
    )
    for c in row.criteria:
        table.add_row(
            Text(c.says),
            Text(f"{SIGN[c.outcome]} {words.outcome[c.outcome]}", style=STYLE[c.outcome]),
            Text(points(c.earned, c.weight)),
            Text(c.quote or titles(c, row)),
        )
    console.print(table)
    if row.result is not None:
        _show_findings(console, row.result, words)
    for p in row.penalties:
        note = words.aside.format(text=penalty(p, words))
        quote = words.quoted.format(text=p.quote)
        console.print(Text(f"{words.misconceptions}{words.colon}{p.belief}{note} {quote}", style="red"))
