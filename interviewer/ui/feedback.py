"""How a question went: score, criteria with the candidate's words, what was missing; and its marked transcript."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from interviewer.domain import Language, Turn
from interviewer.labels import SIGN, Labels, labels
from interviewer.marks import marked, marks
from interviewer.report import CriterionRow, QuestionReport
from interviewer.report_formats import to_read
from interviewer.ui.markup import clipped, plain, prose, visible
from interviewer.ui.texts import Texts, texts

CHECK_SIGN = {"passed": "✓", "failed": "✗", "error": "!", "timeout": "⏱", "not_run": "–"}


def number(value: float) -> str:
    """Points as people write them: no trailing zeros."""
    return f"{round(value, 2):g}"


def question_card(row: QuestionReport, language: Language, *, unfolded: bool = False) -> str:
    """A closed question in practice mode: the score at a glance, the rubric on demand."""
    ui, words = texts(language), labels(language)
    signs = "".join(
        f'<i class="{c.outcome}" title="{escape(words.outcome[c.outcome])}">{SIGN[c.outcome]}</i>' for c in row.criteria
    )
    opened = " open" if unfolded else ""
    return (
        f'<details class="card"{opened} data-key="card-{"w" if unfolded else "c"}-{row.id}">'
        f"<summary><span class=kicker>{escape(ui.feedback)}</span><b>{escape(row.title)}</b>"
        f'<span class="signs" aria-hidden="true">{signs}</span>{score(row, ui, words)}</summary>'
        f"{bar(row)}{rubric(row, language)}{accepted(row, words)}</details>"
    )


def score(row: QuestionReport, ui: Texts, words: Labels) -> str:
    """`6 of 9`, or that nothing was scored."""
    if not row.score.possible:
        return f'<span class="score soft">{escape(words.not_scored)}</span>'
    possible = ui.out_of.format(possible=number(row.score.possible))
    return f'<span class="score"><b>{number(row.score.earned)}</b> {escape(possible)}</span>'


def bar(row: QuestionReport) -> str:
    """The score as a length; the number stands beside it."""
    return f'<div class="bar" aria-hidden="true"><i style="width:{round(100 * (row.score.share or 0))}%"></i></div>'


def rubric(row: QuestionReport, language: Language) -> str:
    """Criteria with outcome, points, quote, confidence and help, then the misconceptions that were heard."""
    ui, words = texts(language), labels(language)
    rows = "".join(_criterion(c, ui, words) for c in row.criteria)
    heard = "".join(
        f'<li class="crit not_met" data-c="{p.id}"><p class="o not_met">! {escape(words.misconceptions)}</p>'
        f"<div><p>{escape(p.belief)}</p>{_quote(p.quote, ui)}</div><p class=n>"
        f"{escape(ui.minus.format(points=number(p.points)) if p.points else words.corrected)}</p></li>"
        for p in row.penalties
    )
    return f'<ul class="rubric">{rows}{heard}</ul>'


def _criterion(c: CriterionRow, ui: Texts, words: Labels) -> str:
    notes = []
    if c.help != "none":
        notes.append(words.help[c.help])
    if c.outcome != "unsure" and c.by == "talk" and c.confidence < 0.995:
        notes.append(ui.sure.format(share=round(100 * c.confidence)))
    quote = _quote(c.quote, ui) if c.quote else ""
    return (
        f'<li class="crit {c.outcome}" data-c="{c.id}"><p class="o {c.outcome}">{SIGN[c.outcome]} '
        f"{escape(words.outcome[c.outcome])}</p><div><p>{escape(c.says)}</p>{quote}"
        + (f"<p class=fine>{escape(' · '.join(notes))}</p>" if notes else "")
        + f"</div><p class=n>{number(c.earned)} / {c.weight}</p></li>"
    )


def _quote(text: str, ui: Texts) -> str:
    shown, left = clipped(text)
    return (
        f'<blockquote dir="auto"><span class="sr">{escape(ui.heard)}: </span>{escape(visible(shown))}'
        f"{'…' if left else ''}</blockquote>"
    )


def accepted(row: QuestionReport, words: Labels) -> str:
    """An accepted answer and where to read, folded."""
    return (
        f'<details class="fold" data-key="acc-{row.id}"><summary>{escape(words.accepted)}</summary>'
        f"{prose(row.accepted)}{read(row.docs, words)}</details>"
    )


def read(docs: Sequence[str], words: Labels) -> str:
    """Where to read on; nothing where no page is named."""
    return f"<p class=fine>{escape(to_read(docs, words))}</p>" if docs else ""


# --- the transcript with its evidence ----------------------------------------------------------------


def transcript(row: QuestionReport, language: Language) -> str:
    """A question's conversation, quotes marked, long answers folded after their beginning."""
    words, ui = labels(language), texts(language)
    return f'<div class="transcript">{"".join(_turn(t, row, words, ui) for t in row.turns)}</div>'


def _turn(turn: Turn, row: QuestionReport, words: Labels, ui: Texts) -> str:
    who = words.interviewer if turn.role == "interviewer" else words.candidate
    if turn.kind == "code":
        body = f"<pre>{escape(visible(clipped(turn.text)[0]))}</pre>"
    elif turn.kind == "skip":
        body = f"<p class=soft>{escape(words.skipped)}</p>"
    elif turn.role == "interviewer":
        body = prose(turn.text)
    elif turn.kind == "dont_know":
        body = f"<p>{plain(turn.text or words.dont_know)}</p>"
    else:
        shown, left = clipped(turn.text)
        body = f'<p class=said dir="auto">{marked(visible(shown), marks(row, turn.seq))}</p>'
        if left:
            body += (
                f"<details class=fold><summary>{escape(ui.kept_whole.format(count=left))}</summary>"
                f"<p class=said>{escape(visible(turn.text[len(shown) :]))}</p></details>"
            )
    return f'<div class="turn {turn.role}"><p class=who>{escape(who)}</p>{body}</div>'
