"""The report and the review as HTML: a sentence first, then what to do, then question by question."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from interviewer.delivery_formats import delivery_notes, delivery_outcome, delivery_remark
from interviewer.domain import Language, Level, SandboxResult
from interviewer.labels import SIGN, Labels, labels
from interviewer.report import QuestionReport, Report
from interviewer.report_code import findings_html, snippet_html
from interviewer.report_formats import coverage, extremes, prices, sandbox_line, to_learn, verdict
from interviewer.ui.feedback import CHECK_SIGN, accepted, bar, read, rubric, score, transcript
from interviewer.ui.markup import clipped, visible
from interviewer.ui.texts import Texts, texts
from interviewer.view import CheckRow

Checks = dict[str, tuple[CheckRow, ...]]
"""Rows of each question's last submission, by question id."""


class SessionRow(NamedTuple):
    """One line of the list of interviews."""

    id: str
    started: str
    language: Language
    level: Level | None
    asked: int
    of: int
    percent: float | None
    phase: str


def report_page(report: Report, checks: Checks, language: Language, *, lead: str = "") -> str:
    """The whole report. `lead`: the interviewer's closing words."""
    words = labels(language)
    parts = [
        '<article class="report">',
        f"<p class=lead>{escape(lead)}</p>" if lead else "",
        _head(report, words),
        _study(report, words),
        "".join(_question(n, row, checks, language) for n, row in enumerate(report.questions, start=1)),
        _delivery(report, words),
        f"<p class=fine>{escape(prices(words))}<br>"
        f"{escape(words.judged_by.format(judges=', '.join(report.judges) or '-'))}</p></article>",
    ]
    return "".join(parts)


def _head(report: Report, words: Labels) -> str:
    value = "–" if report.percent is None else f"{report.percent:.0f}"
    share = 0 if report.percent is None else report.percent
    return (
        f'<header class="panel head"><div class="dial" style="--share:{share:g}" aria-hidden="true">'
        f"<b>{value}</b></div>"
        f"<div><p class=kicker>{escape(words.report)}</p><h2>{escape(verdict(report, words))}</h2>"
        f"<p>{escape(extremes(report, words))}</p>"
        f"<p class=soft>{escape(coverage(report, words))}</p></div></header>"
    )


def _study(report: Report, words: Labels) -> str:
    items = "".join(
        f"<li><b>{escape(item.title)}</b><p>{escape(to_learn(item, words))}</p>{read(item.docs, words)}</li>"
        for item in report.study
    )
    body = f"<ol>{items}</ol>" if items else f"<p>{escape(words.nothing_to_learn)}</p>"
    return f'<section class="panel study"><h3>{escape(words.this_week)}</h3>{body}</section>'


def _delivery(report: Report, words: Labels) -> str:
    """How the candidate spoke, with their words; empty before the end."""
    if report.delivery is None:
        return ""
    rows = ""
    for row in report.delivery.rows:
        quote = f'<blockquote dir="auto">{escape(visible(clipped(row.quote)[0]))}</blockquote>' if row.quote else ""
        remark = f"<p class=fine>{escape(remark)}</p>" if (remark := delivery_remark(row, words)) else ""
        rows += (
            f'<li class="crit {row.outcome}"><p class="o {row.outcome}">{escape(delivery_outcome(row, words))}</p>'
            f"<div><p><b>{escape(row.title)}</b></p><p>{escape(row.says)}</p>{quote}{remark}</div></li>"
        )
    return (
        f'<section class="panel delivery"><h3>{escape(words.delivery)}</h3>'
        f"<p class=fine>{escape(delivery_notes(report.delivery, words))}</p>"
        f'<ul class="rubric">{rows}</ul></section>'
    )


def _question(position: int, row: QuestionReport, checks: Checks, language: Language) -> str:
    ui, words = texts(language), labels(language)
    signs = "".join(f'<i class="{c.outcome}">{SIGN[c.outcome]}</i>' for c in row.criteria)
    return (
        f'<details class="panel q" data-key="q-{row.id}"><summary><span class=pos>{position}</span>'
        f"<span class=ttl><b>{escape(row.title)}</b><span class=soft>{_facts(row, ui, words)}</span></span>"
        f'<span class="signs" aria-hidden="true">{signs}</span>{score(row, ui, words)}{bar(row)}</summary>'
        f"{_two_columns(row, checks, language)}</details>"
    )


def _facts(row: QuestionReport, ui: Texts, words: Labels) -> str:
    facts = [words.level[row.level], words.topic.get(row.topic, row.topic)]
    if row.follow_ups:
        facts.append(ui.follow_ups.format(count=row.follow_ups))
    if row.result is not None:
        passed = sum(c.outcome == "passed" for c in row.result.checks)
        facts.append(f"{words.code} {passed}/{len(row.result.checks)}")
    return escape(" · ".join(facts))


def _two_columns(row: QuestionReport, checks: Checks, language: Language) -> str:
    """Rubric left, transcript right; on a narrow screen one below the other."""
    ui, words = texts(language), labels(language)
    judged = f"<p class=fine>{escape(words.judged_by.format(judges=', '.join(row.judges)))}</p>" if row.judges else ""
    code = _code(row.result, checks.get(row.id, ()), words) if row.result is not None else ""
    code += "".join(snippet_html(run, words) for run in row.tried)
    return (
        f'<div class="sides"><div><h4>{escape(ui.rubric)}</h4>{rubric(row, language)}{code}{accepted(row, words)}'
        f"{judged}</div><div><h4>{escape(words.transcript)}</h4>{transcript(row, language)}</div></div>"
    )


def _code(result: SandboxResult, rows: tuple[CheckRow, ...], words: Labels) -> str:
    names = [(row.title, row.outcome, row.message) for row in rows] or [
        (c.name, c.outcome, c.message) for c in result.checks
    ]
    good = "met" if result.verdict == "passed" else "not_met"
    body = "".join(
        f'<tr><th scope=row class="o {"met" if outcome == "passed" else "not_met"}">{CHECK_SIGN.get(outcome, "?")} '
        f"{escape(words.check.get(outcome, outcome))}</th><td>{escape(title)}"
        + (f"<p class=fine>{escape(message[:400])}</p>" if message and outcome != "passed" else "")
        + "</td></tr>"
        for title, outcome, message in names
    )
    return (
        f'<h4>{escape(words.code)}</h4><p class="verdict {good}">{SIGN[good]} '
        f"{escape(words.verdict[result.verdict])}</p>"
        f"<table class=checks><tbody>{body}</tbody></table>{findings_html(result, words)}"
        f"<p class=fine>{escape(sandbox_line(result, words))}</p>"
    )


# --- review ------------------------------------------------------------------------------------------


def session_line(row: SessionRow, language: Language) -> str:
    """One interview in the list, as a line of text."""
    ui, words = texts(language), labels(language)
    score_ = "–" if row.percent is None else f"{row.percent:.0f}"
    level = ui.any_level if row.level is None else words.level[row.level]
    cells = (
        ("when", row.started),
        ("lang", labels(row.language).language_name),
        ("lvl", level),
        ("cnt", f"{row.asked}/{row.of}"),
        ("phs", ui.phase.get(row.phase, row.phase)),
        ("pct", score_),
    )
    body = "".join(f'<td class="{name}">{escape(value)}</td>' for name, value in cells)
    link = f'<td><button type="button" class="open" data-open="{escape(row.id)}">{escape(ui.open)}</button></td>'
    return f"<tr>{body}{link}</tr>"


def session_list(rows: tuple[SessionRow, ...], language: Language) -> str:
    """All interviews on this machine, newest first."""
    ui, words = texts(language), labels(language)
    if not rows:
        return f'<p class="empty">{escape(ui.no_sessions)}</p>'
    names = (ui.started, ui.language, ui.level, ui.asked, "", words.score)
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in names)
    body = "".join(session_line(row, language) for row in rows)
    return (
        f'<div class="panel list"><table class="sessions"><thead><tr>{head}<th></th></tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def review_page(report: Report, checks: Checks, language: Language) -> str:
    """One interview for a reviewer: every question unfolded, transcript beside rubric."""
    ui, words = texts(language), labels(language)
    open_note = "" if report.finished else f'<p class="aside">{escape(ui.still_running)}</p>'
    sections = "".join(
        f'<section class="panel q"><header><span class=pos>{n}</span><span class=ttl><b>{escape(row.title)}</b>'
        f"<span class=soft>{_facts(row, ui, words)}</span></span>{score(row, ui, words)}</header>{bar(row)}"
        f"{_two_columns(row, checks, language)}</section>"
        for n, row in enumerate(report.questions, start=1)
    )
    body = _head(report, words) + sections + _delivery(report, words)
    return f'<article class="report review">{open_note}{body}</article>'
