"""How the candidate spoke, as a section of the report: JSON, Markdown and HTML."""

from __future__ import annotations

import html
from typing import Any

from interviewer.labels import SIGN, Labels
from interviewer.report import DeliveryReport, DeliveryRow


def delivery_dict(delivery: DeliveryReport | None) -> dict[str, Any] | None:
    """The `delivery` key of the report's JSON: null before the end, `score` null when nothing could be seen."""
    if delivery is None:
        return None
    return {
        "score": delivery.percent,
        "coverage": delivery.score.coverage,
        "answered": delivery.answered,
        "criteria": [
            {
                "id": row.id,
                "title": row.title,
                "says": row.says,
                "outcome": row.outcome,
                "confidence": row.confidence,
                "quote": row.quote,
                "question": row.question,
                "evidence": None if row.seq is None else {"seq": row.seq, "start": row.start, "end": row.end},
                "advice": row.advice,
            }
            for row in delivery.rows
        ],
    }


def delivery_summary(delivery: DeliveryReport, words: Labels) -> str:
    """How much could be seen at all."""
    seen = sum(row.outcome != "unsure" for row in delivery.rows)
    if not seen:
        return words.delivery_none
    if seen == len(delivery.rows):
        return ""
    return words.delivery_coverage.format(seen=seen, of=len(delivery.rows), answered=delivery.answered)


def delivery_outcome(row: DeliveryRow, words: Labels) -> str:
    """A sign and a word for what came of one habit."""
    return f"{SIGN[row.outcome]} {words.shown[row.outcome]}"


def delivery_remark(row: DeliveryRow, words: Labels) -> str:
    """What to do next time, where something was missed."""
    return words.next_time + words.colon + row.advice if row.outcome in ("not_met", "partial") else ""


def delivery_notes(delivery: DeliveryReport, words: Labels) -> str:
    """That it is no part of the score, and how much could be seen."""
    summary = delivery_summary(delivery, words)
    space = " " if summary and not words.delivery_apart.endswith("。") else ""
    return f"{words.delivery_apart}{space}{summary}"


def delivery_html(delivery: DeliveryReport | None, words: Labels) -> str:
    """One section; empty before the end."""
    if delivery is None:
        return ""
    e = html.escape
    rows = ""
    for row in delivery.rows:
        quote = f"<p class=quote>{e(row.quote)}</p>" if row.quote else ""
        remark = f"<p class=soft>{e(remark)}</p>" if (remark := delivery_remark(row, words)) else ""
        rows += (
            f"<tr><td><strong>{e(row.title)}</strong><br><span class=soft>{e(row.says)}</span>{quote}{remark}</td>"
            f'<td class="o {row.outcome}">{e(delivery_outcome(row, words))}</td></tr>'
        )
    return (
        f"<section><h2>{e(words.delivery)}</h2><p class=soft>{e(delivery_notes(delivery, words))}</p>"
        f"<table><tbody>{rows}</tbody></table></section>"
    )
