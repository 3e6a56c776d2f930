"""A screen's parts as HTML: top bar, conversation, question card, exercise, results. Pure functions of plain values."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from interviewer.domain import Language, SandboxResult
from interviewer.labels import Labels, labels
from interviewer.report_code import findings_html, tried
from interviewer.report_formats import SIGN, sandbox_line
from interviewer.scoring import LADDER_SHARE
from interviewer.ui.feedback import CHECK_SIGN, question_card
from interviewer.ui.markup import clipped, plain, prose, visible
from interviewer.ui.texts import Texts, texts
from interviewer.view import CheckRow, Message, Screen

DOT_SIGN = {"done": "●", "now": "◉", "to_come": "○"}
SAID = ("wall_clock", "exited", "cancelled", "busy")
"""Reasons whose message from the sandbox, in English, says no more than the label in the candidate's language."""

CHECK_OUTCOME = {"passed": "met", "failed": "not_met", "error": "not_met", "timeout": "not_met", "not_run": "unsure"}


@dataclass(frozen=True)
class Pending:
    """What is happening right now: the candidate's words that are on their way, what is being done, a reply so far."""

    doing: str
    said: str = ""
    reply: str = ""
    kind: str = ""
    """Of the move; see `moves.Kind`."""
    position: int = 0
    """In the queue for the sandbox; 0 while nothing waits."""


def top_bar(screen: Screen, language: Language) -> str:
    """Question n of N, level, topic, and a dot a question."""
    ui, words = texts(language), labels(language)
    names = {"done": ui.done, "now": ui.now, "to_come": ui.to_come}
    dots = "".join(
        f'<li class="dot {mark}" title="{n}: {escape(names[mark])}"><span class="sr">{n}: {escape(names[mark])}</span>'
        f'<i aria-hidden="true">{DOT_SIGN[mark]}</i></li>'
        for n, mark in enumerate(screen.dots, start=1)
    )
    parts = []
    if screen.card is not None:
        card = screen.card
        where = ui.position.format(number=card.number, of=card.of)
        parts = [
            f"<strong>{escape(where)}</strong>",
            f"<span>{words.level[card.level]}</span>",
            f"<span>{escape(words.topic.get(card.topic, card.topic))}</span>",
        ]
    parts.append(f"<span class=tag>{escape(ui.exam_tag if screen.mode == 'exam' else ui.practice_tag)}</span>")
    return f"<div class=topbar><p class=where>{''.join(parts)}</p><ol class=dots>{dots}</ol></div>"


def chat(screen: Screen, language: Language, pending: Pending | None = None) -> str:
    """The conversation so far, with the feedback card of each closed question in its place."""
    ui, words = texts(language), labels(language)
    closed = {row.id: row for row in screen.feedback}
    out, question = [], ""
    for message in screen.messages:
        if message.question != question:
            if question in closed:
                out.append(question_card(closed.pop(question), language))
            question = message.question
        out.append(_message(message, screen, ui, words))
    if question in closed:
        out.append(question_card(closed[question], language))
    if pending is not None:
        if pending.said:
            out.append(_bubble(words.candidate, pending.said, ui, "waiting"))
        if pending.reply:
            out.append(f'<div class="msg interviewer">{_who(words.interviewer)}{prose(pending.reply)}</div>')
        out.append(f'<p class="doing"><i></i>{escape(pending.doing)}</p>')
    elif screen.paused:
        out.append(f'<p class="aside">{escape(ui.paused)}</p>')
    return f'<div class="chat">{"".join(out)}</div>'


def status(screen: Screen | None, language: Language, doing: str = "") -> str:
    """A line for screen readers: what is happening, or what the interviewer said last."""
    text = doing
    if screen is not None and not doing:
        text = next((m.text for m in reversed(screen.messages) if m.role == "interviewer"), "")[:600]
    return f'<p class="sr" role="status" aria-live="polite">{escape(text)}</p>'


def _message(message: Message, screen: Screen, ui: Texts, words: Labels) -> str:
    if message.role == "candidate":
        if message.kind == "code":
            code, left = clipped(message.text)
            return (
                f'<details class="msg candidate code" data-key="code{message.seq}">'
                f"<summary>{escape(words.code)}</summary>"
                f"<pre>{escape(code)}</pre>{_left(left, ui)}</details>"
            )
        if message.kind in ("skip", "dont_know"):
            return f'<div class="msg candidate quiet" dir="auto">{plain(message.text)}</div>'
        return _bubble(words.candidate, message.text, ui)
    kicker, kind = "", message.kind
    if message.step:
        share = percent(LADDER_SHARE[message.step])
        kicker = f"<p class=kicker>{escape(ui.hint_code_label.format(step=message.step, share=share))}</p>"
    elif kind == "hint":
        kicker = f"<p class=kicker>{escape(ui.hint_label.format(price=percent(screen.hint_price)))}</p>"
    elif kind == "question":
        number = 1 + list(dict.fromkeys(m.question for m in screen.messages)).index(message.question)
        kicker = f"<p class=kicker>{escape(ui.position.format(number=number, of=len(screen.dots)))}</p>"
    return f'<div class="msg interviewer {kind}">{kicker}{_who(words.interviewer)}{prose(message.text)}</div>'


def _bubble(who: str, text: str, ui: Texts, extra: str = "") -> str:
    shown, left = clipped(text)
    return f'<div class="msg candidate {extra}" dir="auto">{_who(who)}{plain(shown)}{_left(left, ui)}</div>'


def _who(name: str) -> str:
    return f'<span class="sr">{escape(name)}: </span>'


def _left(count: int, ui: Texts) -> str:
    return f"<p class=soft>{escape(ui.kept_whole.format(count=f'{count:,}'.replace(',', ' ')))}</p>" if count else ""


def percent(share: float) -> int:
    """A share as people read it."""
    return round(100 * share)


# --- the right column ------------------------------------------------------------------------------


def pinned(screen: Screen, language: Language) -> str:
    """The question on the table, and how the last one went."""
    ui, words = texts(language), labels(language)
    if screen.card is None:
        return ""
    asked = next((m.text for m in screen.messages if m.kind == "question" and m.question == screen.card.id), "")
    card = screen.card
    facts = f"{words.level[card.level]} · {words.topic.get(card.topic, card.topic)}"
    if card.follow_ups:
        facts += " · " + ui.follow_ups.format(count=card.follow_ups)
    head = (
        f'<section class="panel"><p class=kicker>{escape(ui.on_the_table)}</p><h2>{escape(card.title)}</h2>'
        f"<p class=soft>{escape(facts)}</p>{prose(asked)}</section>"
    )
    if screen.mode == "exam":
        return head + f'<p class="soft aside">{escape(ui.feedback_later)}</p>'
    last = question_card(screen.feedback[-1], language, unfolded=True) if screen.feedback else ""
    return head + (f'<div class="wide">{last}</div>' if last else "")


def exercise(screen: Screen, language: Language) -> str:
    """The task on the desk with its visible examples folded."""
    ui = texts(language)
    if screen.desk is None or screen.card is None:
        return ""
    return (
        f'<section class="panel task"><p class=kicker>{escape(ui.exercise)}</p><h2>{escape(screen.card.title)}</h2>'
        f"{prose(screen.desk.statement)}"
        f'<details data-key="examples"><summary>{escape(ui.examples)}</summary>'
        f"<pre>{escape(screen.desk.examples)}</pre></details></section>"
    )


def tries(screen: Screen, language: Language) -> str:
    """How many submissions are left, beside the buttons."""
    if screen.desk is None:
        return ""
    left = screen.desk.submissions_left
    ui = texts(language)
    said = ui.last_try if left == 1 else ui.tries.format(count=left)
    return f'<p class="soft tries" data-sure="{escape(ui.reset_sure)}">{escape(said)}</p>'


def running(doing: str) -> str:
    """The line that says what is running."""
    return f'<section class="panel results"><p class="doing"><i></i>{escape(doing)}</p></section>'


def waiting(position: int, language: Language) -> str:
    """The place in the queue; empty while the run is on."""
    return f"<p class=soft>{escape(texts(language).queue.format(position=position))}</p>" if position else ""


def snippet(screen: Screen, language: Language) -> str:
    """A question's snippet: what to say first, and the program."""
    if screen.snippet is None:
        return ""
    card, words = screen.snippet, labels(language)
    return (
        f'<section class="panel task"><p class=kicker>{escape(words.snippet)}</p><h2>{escape(card.title)}</h2>'
        f"{prose(card.prompt)}<pre>{escape(card.code)}</pre></section>"
    )


def tries_of(screen: Screen, language: Language, doing: str = "") -> str:
    """What came of the snippet's runs, the last one first and open."""
    if doing:
        return running(doing)
    if screen.snippet is None or not screen.snippet.tried:
        return ""
    ui, words = texts(language), labels(language)
    out = []
    for number, run in reversed(list(enumerate(screen.snippet.tried))):
        rows = "".join(
            f"<dt>{escape(name)}</dt><dd><pre>{escape(clipped(visible(text))[0])}</pre></dd>"
            for name, text in tried(run, words)
        )
        opened = " open" if number == len(screen.snippet.tried) - 1 else ""
        key = f"try-{screen.snippet.question}-{number}-{len(screen.snippet.tried)}"
        out.append(
            f'<details class=fold{opened} data-key="{key}"><summary>{number + 1}. {escape(ui.output)}</summary>'
            f"<dl class=tried>{rows}</dl></details>"
        )
    return f'<section class="panel results">{"".join(out)}</section>'


def results(screen: Screen, language: Language, doing: str = "") -> str:
    """What came of the last submission and the last run, or the line that says what is running."""
    if screen.desk is None:
        return ""
    if doing:
        return running(doing)
    desk, out = screen.desk, ""
    if desk.checked is not None:
        out += checked(desk.checked, desk.rows, language)
    if desk.run is not None:
        out += ran(desk.run, language)
    return f'<section class="panel results">{out}</section>' if out else ""


def checked(result: SandboxResult, rows: tuple[CheckRow, ...], language: Language) -> str:
    """A submission's hidden checks as a table: outcome, what is checked, what to look at."""
    ui, words = texts(language), labels(language)
    passed = sum(row.outcome == "passed" for row in rows)
    good = "met" if result.verdict == "passed" else "not_met"
    note = f" · {ui.passed_of.format(passed=passed, total=len(rows))}" if rows else ""
    reason = words.reason.get(result.reason, "") if result.reason != "check_failed" else ""
    known = result.message if result.reason in SAID else ""
    body = "".join(_check(row, words, known) for row in rows)
    table = f"<table class=checks><tbody>{body}</tbody></table>" if rows else ""
    return (
        f"<h3>{escape(ui.hidden_checks)}</h3>"
        f'<p class="verdict {good}">{SIGN[good]} {escape(words.verdict[result.verdict])}{escape(note)}</p>'
        + (f"<p>{escape(reason)}</p>" if reason and result.verdict != "passed" else "")
        + table
        + findings_html(result, words)
        + _streams(result, ui)
        + _small_print(result, ui, words)
    )


def ran(result: SandboxResult, language: Language) -> str:
    """A visible run: what it printed, or how it failed."""
    ui, words = texts(language), labels(language)
    out = f"<h3>{escape(ui.output)}</h3>"
    if result.verdict != "passed":
        reason = words.reason.get(result.reason, words.verdict[result.verdict])
        out += f'<p class="verdict not_met">{SIGN["not_met"]} {escape(reason)}</p>'
        if result.message and not result.traceback and result.reason not in SAID:
            out += f"<pre>{escape(result.message)}</pre>"
    elif not result.stdout.strip() and not result.pictures:
        out += f"<p class=soft>{escape(ui.no_output)}</p>"
    return out + _streams(result, ui) + _pictures(result, ui) + _small_print(result, ui, words)


def _pictures(result: SandboxResult, ui: Texts) -> str:
    """The figures of a run. The sandbox has made sure that each is a PNG file in base64."""
    return "".join(
        f'<img alt="{escape(ui.output)} {number}" style="max-width:100%" src="data:image/png;base64,{escape(picture)}">'
        for number, picture in enumerate(result.pictures, start=1)
    )


def _check(row: CheckRow, words: Labels, known: str) -> str:
    """One check; advice only on one that ran. `known`: the message that stands above the table already."""
    details = f"<p class=advice>{escape(row.advice)}</p>" if row.advice and row.outcome != "not_run" else ""
    if row.message and row.message != known and row.outcome not in ("passed", "timeout"):
        details += f"<pre>{escape(clipped(row.message)[0])}</pre>"
    return (
        f'<tr class="{row.outcome}"><th scope=row class="o {CHECK_OUTCOME.get(row.outcome, "unsure")}">'
        f"{CHECK_SIGN.get(row.outcome, '?')} {escape(words.check.get(row.outcome, row.outcome))}</th>"
        f"<td>{escape(row.title)}{details}</td></tr>"
    )


def _streams(result: SandboxResult, ui: Texts) -> str:
    out = f"<pre class=stdout>{escape(clipped(result.stdout)[0])}</pre>" if result.stdout.strip() else ""
    if result.traceback.strip():
        text = result.traceback.strip()
        shown = text if len(text) <= 6_000 else "… " + text[-6_000:]
        out += f"<p class=kicker>{escape(ui.traceback)}</p><pre class=traceback>{escape(shown)}</pre>"
    return out


def _small_print(result: SandboxResult, ui: Texts, words: Labels) -> str:
    """Seconds and backend; the layers when pointed at, and in full in the report."""
    where = sandbox_line(result, words)
    took = ui.took.format(seconds=f"{result.seconds:.2f}")
    return f'<p class=fine title="{escape(where)}">{escape(took)} · {escape(result.backend)}</p>'
