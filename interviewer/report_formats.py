"""A report as Markdown, JSON or one self-contained HTML page.

The candidate's words are foreign content: in HTML everything is escaped and nothing is a script, in Markdown they stand
in fences or as quoted text with its markup characters escaped.
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

from interviewer.labels import Labels, labels
from interviewer.report import CriterionRow, QuestionReport, Report
from interviewer.scoring import HINTED_SHARE, OUTCOME_SHARE, PROBED_SHARE

SIGN = {"met": "✓", "partial": "◐", "not_met": "✗", "unsure": "?"}


def to_dict(report: Report) -> dict[str, Any]:
    """The report's contract: later versions add keys and never change these."""
    return {
        "session_id": report.session_id,
        "language": report.language,
        "score": report.percent,
        "coverage": report.score.coverage,
        "finished": report.finished,
        "judges": list(report.judges),
        "prices": {"probe": PROBED_SHARE, "hint": HINTED_SHARE, "partial": OUTCOME_SHARE["partial"]},
        "questions": [_question_dict(row) for row in report.questions],
        "study": [item.model_dump(mode="json") for item in report.study],
    }


def _question_dict(row: QuestionReport) -> dict[str, Any]:
    return {
        "id": row.id,
        "score": row.score.earned,
        "possible": row.score.possible,
        "coverage": row.score.coverage,
        "title": row.title,
        "level": row.level,
        "criteria": [
            {
                "id": c.id,
                "by": c.by,
                "weight": c.weight,
                "outcome": c.outcome,
                "quote": c.quote,
                "earned": c.earned,
                "help": c.help,
                "confidence": c.confidence,
                "says": c.says,
                "evidence": None if c.seq is None else {"seq": c.seq, "start": c.start, "end": c.end},
            }
            for c in row.criteria
        ],
        "misconceptions": [p.model_dump(mode="json") for p in row.penalties],
        "turns": [
            {"role": t.role, "kind": t.kind, "text": t.text, "seq": t.seq, "target": t.target} for t in row.turns
        ],
        "code": None if row.source is None else {"source": row.source, "result": _result(row)},
        "accepted": row.accepted,
        "docs": list(row.docs),
        "judges": list(row.judges),
    }


def _result(row: QuestionReport) -> dict[str, Any] | None:
    return None if row.result is None else row.result.model_dump(mode="json")


def to_json(report: Report) -> str:
    return json.dumps(to_dict(report), ensure_ascii=False, indent=2)


def prices(words: Labels) -> str:
    """One sentence on what help costs."""
    return words.price.format(
        probe=round(100 * PROBED_SHARE), hint=round(100 * HINTED_SHARE), partial=round(100 * OUTCOME_SHARE["partial"])
    )


def headline(report: Report, words: Labels) -> str:
    """The report's first sentence."""
    if report.percent is None:
        return words.headline_none
    parts = [words.headline.format(score=f"{report.percent:.0f}")]
    if report.strongest and report.weakest:
        parts.append(words.strongest.format(topic=words.topic.get(report.strongest, report.strongest)))
        parts.append(words.weakest.format(topic=words.topic.get(report.weakest, report.weakest)))
    return " · ".join(parts)


def coverage(report: Report, words: Labels) -> str:
    return words.coverage.format(share=round(100 * report.score.coverage))


def points(earned: float, possible: float) -> str:
    return f"{earned:g} / {possible:g}"


# --- Markdown ------------------------------------------------------------------------------------


def to_markdown(report: Report) -> str:
    """The report as Markdown, in the session's language."""
    words = labels(report.language)
    lines = [f"# {words.report}", "", f"**{headline(report, words)}**", "", coverage(report, words), ""]
    if not report.finished:
        lines += [f"*{words.unfinished}*", ""]
    lines += [f"## {words.this_week}", ""]
    for number, item in enumerate(report.study, start=1):
        lines += [
            f"{number}. **{item.title}**. {words.say_it} {item.says}",
            f"   {words.read} {', '.join(item.docs)}",
        ]
    if not report.study:
        lines.append(words.nothing_to_learn)
    for number, row in enumerate(report.questions, start=1):
        lines += ["", *_markdown_question(number, row, words)]
    lines += ["", "---", "", prices(words), "", words.judged_by.format(judges=", ".join(report.judges) or "-"), ""]
    return "\n".join(lines)


def _markdown_question(number: int, row: QuestionReport, words: Labels) -> list[str]:
    score = points(row.score.earned, row.score.possible) if row.score.possible else words.not_scored
    lines = [
        f"## {number}. {row.title} · {words.level[row.level]} · {score}",
        "",
        f"> {row.text}",
        "",
        f"| {words.criterion} | | {words.points} | {words.your_words} |",
        "|---|---|---:|---|",
    ]
    for c in row.criteria:
        shown = f"{SIGN[c.outcome]} {words.outcome[c.outcome]}"
        if c.help != "none":
            shown += f" ({words.help[c.help]})"
        said = md_escape(c.quote) or md_escape(", ".join(c.checks) if c.by == "tests" else "")
        lines.append(f"| {md_escape(c.says)} | {shown} | {points(c.earned, c.weight)} | {said} |")
    for p in row.penalties:
        note = words.corrected if not p.points else f"-{p.points:g}"
        lines += ["", f"**{words.misconceptions}:** {md_escape(p.belief)} ({note}): «{md_escape(p.quote)}»"]
    if row.result is not None:
        lines += ["", f"**{words.code}:** {words.verdict[row.result.verdict]}", ""]
        lines += [f"- {words.check[c.outcome]}: `{c.name}` {md_escape(c.message)}" for c in row.result.checks]
    if row.source is not None:
        lines += ["", fenced(row.source, "python")]
    lines += ["", f"**{words.accepted}**", "", row.accepted, "", f"**{words.transcript}**", ""]
    for turn in row.turns:
        if turn.kind == "code":
            continue
        who = words.interviewer if turn.role == "interviewer" else words.candidate
        text = {"skip": words.skipped, "dont_know": turn.text or words.dont_know}.get(turn.kind, turn.text)
        lines.append(f"- **{who}:** {md_escape(text)}")
    return lines


def md_escape(text: str) -> str:
    """Text that Markdown shows as it is: markup characters escaped, HTML as entities, one line.

    >>> md_escape("<b>*x*</b> | [a](b)")
    '&lt;b&gt;\\\\*x\\\\*&lt;/b&gt; \\\\| \\\\[a\\\\](b)'
    """
    escaped = re.sub(r"([\\`*_\[\]|#~!$])", r"\\\1", text)
    return " ".join(escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").split())


def fenced(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


# --- HTML ----------------------------------------------------------------------------------------

_STYLE = """
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--line:#dfe3e8;--card:#fff;--page:#f6f7f9;
--met:#1a7f4b;--partial:#a15c00;--not_met:#b3261e;--unsure:#5b6675;--accent:#2557c7}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebf0;--soft:#a3adba;--line:#333b47;--card:#1c222b;--page:#12161c;
--met:#5fd08f;--partial:#f0b35a;--not_met:#ff8a80;--unsure:#a3adba;--accent:#8fb2ff}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,
"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem}h1{font-size:1.1rem;color:var(--soft);font-weight:600;margin:0}
.head{font-size:1.9rem;font-weight:700;line-height:1.2;margin:.3rem 0}.soft{color:var(--soft)}
section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.1rem 1.25rem;margin:1rem 0}
h2{font-size:1.15rem;margin:0 0 .6rem}h3{font-size:1rem;margin:1.1rem 0 .4rem}
table{width:100%;border-collapse:collapse}td,th{padding:.5rem .4rem;border-top:1px solid var(--line);text-align:left;
vertical-align:top}td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.o{white-space:nowrap;font-weight:600}.met{color:var(--met)}.partial{color:var(--partial)}
.not_met{color:var(--not_met)}.unsure{color:var(--unsure)}
.quote{border-left:3px solid var(--accent);padding-left:.6rem;color:var(--soft);margin:.3rem 0 0;overflow-wrap:anywhere}
.bar{height:8px;border-radius:4px;background:var(--line);overflow:hidden;margin:.4rem 0 .8rem}
.bar i{display:block;height:100%;background:var(--accent)}
pre{background:var(--page);border:1px solid var(--line);border-radius:10px;padding:.8rem;overflow:auto;
font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
details{margin:.6rem 0}summary{cursor:pointer;font-weight:600}.turn{margin:.45rem 0;white-space:pre-wrap;
overflow-wrap:anywhere}
@media(max-width:560px){td,th{display:block;border:0;padding:.15rem 0}tr{display:block;border-top:1px solid var(--line);
padding:.5rem 0}thead{display:none}td.n{text-align:left}}
"""


def to_html(report: Report) -> str:
    """The report as one HTML page: no script, no external file, everything foreign escaped."""
    words = labels(report.language)
    e = html.escape
    body = [
        f"<h1>{e(words.report)}</h1><p class=head>{e(headline(report, words))}</p>",
        f"<p class=soft>{e(coverage(report, words))}</p>",
    ]
    if not report.finished:
        body.append(f"<p><em>{e(words.unfinished)}</em></p>")
    body.append(study_html(report, words))
    body += [question_html(number, row, words) for number, row in enumerate(report.questions, start=1)]
    body.append(
        f"<p class=soft>{e(prices(words))}<br>{e(words.judged_by.format(judges=', '.join(report.judges) or '-'))}</p>"
    )
    return (
        f'<!doctype html><html lang="{report.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>Viva · {e(words.report)}</title><style>{_STYLE}</style></head><body><main>"
        + "".join(body)
        + "</main></body></html>"
    )


def study_html(report: Report, words: Labels) -> str:
    """The study plan as an HTML section."""
    e = html.escape
    items = "".join(
        f"<li><strong>{e(i.title)}</strong>. {e(words.say_it)} {e(i.says)}"
        f"<br><span class=soft>{e(words.read)} {e(', '.join(i.docs))}</span></li>"
        for i in report.study
    )
    content = f"<ol>{items}</ol>" if items else f"<p>{e(words.nothing_to_learn)}</p>"
    return f"<section><h2>{e(words.this_week)}</h2>{content}</section>"


def question_html(number: int, row: QuestionReport, words: Labels) -> str:
    """One question as an HTML section."""
    e = html.escape
    share = row.score.share
    score = points(row.score.earned, row.score.possible) if row.score.possible else words.not_scored
    rows = "".join(_criterion_html(c, words) for c in row.criteria)
    parts = [
        f"<section><h2>{number}. {e(row.title)} · {e(words.level[row.level])} · {e(score)}</h2>",
        f'<div class=bar><i style="width:{round(100 * (share or 0))}%"></i></div>',
        f"<p class=soft>{e(row.text)}</p>",
        f"<table><thead><tr><th>{e(words.criterion)}</th><th></th><th>{e(words.points)}</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>",
    ]
    for p in row.penalties:
        note = words.corrected if not p.points else f"-{p.points:g}"
        parts.append(
            f"<p class=not_met><strong>{e(words.misconceptions)}:</strong> {e(p.belief)} ({e(note)})</p>"
            f"<p class=quote>{e(p.quote)}</p>"
        )
    if row.result is not None:
        checks = "".join(
            f"<li>{e(words.check[c.outcome])}: <code>{e(c.name)}</code> {e(c.message)}</li>" for c in row.result.checks
        )
        where = words.backend.format(backend=row.result.backend, layers=", ".join(row.result.layers))
        parts.append(
            f"<h3>{e(words.code)}: {e(words.verdict[row.result.verdict])}</h3><ul>{checks}</ul>"
            f"<p class=soft>{e(where)}</p>"
        )
    if row.source is not None:
        parts.append(f"<details><summary>{e(words.code)}</summary><pre>{e(row.source)}</pre></details>")
    parts.append(
        f"<details><summary>{e(words.accepted)}</summary><p class=turn>{e(row.accepted)}</p></details>"
        f"<details><summary>{e(words.transcript)}</summary>{transcript_html(row, words)}</details></section>"
    )
    return "".join(parts)


def _criterion_html(c: CriterionRow, words: Labels) -> str:
    e = html.escape
    quote = f"<p class=quote>{e(c.quote)}</p>" if c.quote else ""
    checks = f"<p class=soft>{e(', '.join(c.checks))}</p>" if c.by == "tests" else ""
    aid = f"<br><span class=soft>{e(words.help[c.help])}</span>" if c.help != "none" else ""
    return (
        f"<tr><td>{e(c.says)}{quote}{checks}</td>"
        f'<td class="o {c.outcome}">{SIGN[c.outcome]} {e(words.outcome[c.outcome])}{aid}</td>'
        f"<td class=n>{points(c.earned, c.weight)}</td></tr>"
    )


def transcript_html(row: QuestionReport, words: Labels) -> str:
    """A question's conversation, each quoted stretch marked with its criterion's outcome."""
    e = html.escape
    lines = []
    for turn in row.turns:
        who = words.interviewer if turn.role == "interviewer" else words.candidate
        if turn.kind == "code":
            lines.append(f"<pre>{e(turn.text)}</pre>")
            continue
        text = {"skip": words.skipped, "dont_know": turn.text or words.dont_know}.get(turn.kind, turn.text)
        shown = highlighted(text, [c for c in row.criteria if c.seq == turn.seq and c.quote])
        lines.append(f"<p class=turn><strong>{e(who)}:</strong> {shown}</p>")
    return "".join(lines)


def highlighted(text: str, quoted: list[CriterionRow]) -> str:
    """Escaped text in which each quote is a <mark> of its outcome; where quotes overlap, the shorter one wins."""
    owner: list[CriterionRow | None] = [None] * len(text)
    for row in sorted(quoted, key=lambda c: c.start - c.end):
        for position in range(row.start, min(row.end, len(text))):
            owner[position] = row
    pieces, start = [], 0
    for position in range(1, len(text) + 1):
        if position == len(text) or owner[position] is not owner[start]:
            piece, row_ = html.escape(text[start:position]), owner[start]
            pieces.append(
                piece
                if row_ is None
                else f'<mark class="{row_.outcome}" title="{html.escape(row_.says)}">{piece}</mark>'
            )
            start = position
    return "".join(pieces)


FORMATS = {"md": to_markdown, "json": to_json, "html": to_html}
