"""A report as Markdown, JSON or one self-contained HTML page.

The candidate's words are foreign content: in HTML everything is escaped and nothing is a script, in Markdown they stand
in fences or as quoted text with its markup characters escaped.
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

from interviewer.domain import CheckResult, SandboxResult, Turn
from interviewer.labels import Labels, labels
from interviewer.marks import marked, marks
from interviewer.report import CriterionRow, PenaltyRow, QuestionReport, Report, StudyItem
from interviewer.report_code import findings, findings_html, snippet_html, tried
from interviewer.scoring import HINTED_SHARE, LADDER_SHARE, OUTCOME_SHARE, PROBED_SHARE

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
        "prices": {
            "probe": PROBED_SHARE,
            "hint": HINTED_SHARE,
            "partial": OUTCOME_SHARE["partial"],
            "ladder": list(LADDER_SHARE[1:]),
        },
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
        "snippet": [run.model_dump(mode="json") for run in row.tried],
        "accepted": row.accepted,
        "docs": list(row.docs),
        "judges": list(row.judges),
    }


def _result(row: QuestionReport) -> dict[str, Any] | None:
    return None if row.result is None else row.result.model_dump(mode="json")


def to_json(report: Report) -> str:
    return json.dumps(to_dict(report), ensure_ascii=False, indent=2)


def prices(words: Labels) -> str:
    """What help costs, in a sentence or two."""
    one, two, three = (round(100 * share) for share in LADDER_SHARE[1:])
    return words.price.format(
        probe=round(100 * PROBED_SHARE),
        hint=round(100 * HINTED_SHARE),
        partial=round(100 * OUTCOME_SHARE["partial"]),
        one=one,
        two=two,
        three=three,
    )


def headline(report: Report, words: Labels) -> str:
    """The report's first line: the score, then what was strong and weak."""
    return " · ".join(filter(None, (verdict(report, words), extremes(report, words))))


def verdict(report: Report, words: Labels) -> str:
    """The score in words."""
    return words.headline_none if report.percent is None else words.headline.format(score=f"{report.percent:.0f}")


def extremes(report: Report, words: Labels) -> str:
    """Strongest and weakest topic; empty where there is nothing to compare."""
    if report.percent is None or not (report.strongest and report.weakest):
        return ""
    best, worst = (words.topic.get(topic, topic) for topic in (report.strongest, report.weakest))
    return f"{words.strongest.format(topic=best)} · {words.weakest.format(topic=worst)}"


def coverage(report: Report, words: Labels) -> str:
    return words.coverage.format(share=round(100 * report.score.coverage))


def points(earned: float, possible: float) -> str:
    return f"{earned:g} / {possible:g}"


def penalty(row: PenaltyRow, words: Labels) -> str:
    """What a misconception cost."""
    return f"-{row.points:g}" if row.points else words.corrected


def utterance(turn: Turn, words: Labels) -> str:
    """A turn's text, with words for what was only a button."""
    if turn.kind == "skip":
        return words.skipped
    return turn.text or (words.dont_know if turn.kind == "dont_know" else "")


def sandbox_line(result: SandboxResult, words: Labels) -> str:
    """Where code ran, and what kept it in."""
    layers = ", ".join(words.layer.get(layer, layer) for layer in result.layers)
    return words.backend.format(backend=result.backend) + (words.aside.format(text=layers) if layers else "")


def titles(c: CriterionRow, row: QuestionReport) -> str:
    """The checks that decide a criterion."""
    return ", ".join(row.check_titles.get(name, name) for name in c.checks)


def _check(check: CheckResult, row: QuestionReport, words: Labels) -> str:
    """One hidden check: what came of it, what it looks at, and its message."""
    title = row.check_titles.get(check.name, check.name)
    return words.check[check.outcome] + words.colon + title + (words.colon + check.message if check.message else "")


def to_learn(item: StudyItem, words: Labels) -> str:
    """What a study item asks for: how to say it, or what the code should do."""
    return words.say_it + words.colon + item.says if item.by == "talk" else item.says


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
            f"{number}. **{item.title}**",
            f"   - {to_learn(item, words)}",
            f"   - {words.read}{words.colon}{', '.join(item.docs)}",
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
            shown += words.aside.format(text=words.help[c.help])
        said = md_escape(c.quote or titles(c, row))
        lines.append(f"| {md_escape(c.says)} | {shown} | {points(c.earned, c.weight)} | {said} |")
    for p in row.penalties:
        note = words.aside.format(text=penalty(p, words))
        quote = words.quoted.format(text=md_escape(p.quote))
        lines += ["", f"**{words.misconceptions}**{words.colon}{md_escape(p.belief)}{note}{words.colon}{quote}"]
    if row.result is not None:
        lines += ["", f"**{words.code}**{words.colon}{words.verdict[row.result.verdict]}", ""]
        lines += [f"- {md_escape(_check(check, row, words))}" for check in row.result.checks]
        lines += ["", sandbox_line(row.result, words)]
        if row.result.findings:
            lines += ["", f"**{words.findings}**{words.aside.format(text=words.findings_note)}", ""]
            lines += [f"- {md_escape(line)}" for line in findings(row.result, words)]
    for run in row.tried:
        lines += ["", f"**{words.snippet}**"]
        for name, text in tried(run, words):
            lines += ["", f"{name}{words.colon.rstrip()}", "", fenced(text)]
    if row.source is not None:
        lines += ["", fenced(row.source, "python")]
    lines += ["", f"**{words.accepted}**", "", row.accepted, "", f"**{words.transcript}**", ""]
    for turn in row.turns:
        if turn.kind == "code":
            continue
        who = words.interviewer if turn.role == "interviewer" else words.candidate
        lines.append(f"- **{who}**{words.colon}{md_escape(utterance(turn, words))}")
    return lines


def md_escape(text: str) -> str:
    """Text that Markdown shows as it is: markup characters escaped, HTML as entities, no address a link, one line.

    >>> md_escape("<b>*x*</b> | [a](b) http://c.d")
    '&lt;b&gt;\\\\*x\\\\*&lt;/b&gt; \\\\| \\\\[a\\\\](b) http\\\\://c.d'
    """
    escaped = re.sub(r"([\\`*_\[\]|#~!$@]|:(?=//)|(?<=www)\.)", r"\\\1", text, flags=re.IGNORECASE)
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
        f"<li><strong>{e(i.title)}</strong><br>{e(to_learn(i, words))}"
        f"<br><span class=soft>{e(words.read + words.colon + ', '.join(i.docs))}</span></li>"
        for i in report.study
    )
    content = f"<ol>{items}</ol>" if items else f"<p>{e(words.nothing_to_learn)}</p>"
    return f"<section><h2>{e(words.this_week)}</h2>{content}</section>"


def question_html(number: int, row: QuestionReport, words: Labels) -> str:
    """One question as an HTML section."""
    e = html.escape
    share = row.score.share
    score = points(row.score.earned, row.score.possible) if row.score.possible else words.not_scored
    rows = "".join(_criterion_html(c, row, words) for c in row.criteria)
    parts = [
        f"<section><h2>{number}. {e(row.title)} · {e(words.level[row.level])} · {e(score)}</h2>",
        f'<div class=bar><i style="width:{round(100 * (share or 0))}%"></i></div>',
        f"<p class=soft>{e(row.text)}</p>",
        f"<table><thead><tr><th>{e(words.criterion)}</th><th></th><th>{e(words.points)}</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>",
    ]
    for p in row.penalties:
        note = words.aside.format(text=penalty(p, words))
        parts.append(
            f"<p class=not_met><strong>{e(words.misconceptions)}</strong>{e(words.colon + p.belief + note)}</p>"
            f"<p class=quote>{e(p.quote)}</p>"
        )
    if row.result is not None:
        checks = "".join(f"<li>{e(_check(check, row, words))}</li>" for check in row.result.checks)
        parts.append(
            f"<h3>{e(words.code + words.colon + words.verdict[row.result.verdict])}</h3><ul>{checks}</ul>"
            f"<p class=soft>{e(sandbox_line(row.result, words))}</p>{findings_html(row.result, words)}"
        )
    parts += [snippet_html(run, words) for run in row.tried]
    if row.source is not None:
        parts.append(f"<details><summary>{e(words.code)}</summary><pre>{e(row.source)}</pre></details>")
    parts.append(
        f"<details><summary>{e(words.accepted)}</summary><p class=turn>{e(row.accepted)}</p></details>"
        f"<details><summary>{e(words.transcript)}</summary>{transcript_html(row, words)}</details></section>"
    )
    return "".join(parts)


def _criterion_html(c: CriterionRow, row: QuestionReport, words: Labels) -> str:
    e = html.escape
    quote = f"<p class=quote>{e(c.quote)}</p>" if c.quote else ""
    checks = f"<p class=soft>{e(titles(c, row))}</p>" if c.checks else ""
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
        shown = marked(utterance(turn, words), marks(row, turn.seq))
        lines.append(f"<p class=turn><strong>{e(who)}</strong>{e(words.colon)}{shown}</p>")
    return "".join(lines)


FORMATS = {"md": to_markdown, "json": to_json, "html": to_html}
