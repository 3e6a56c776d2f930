"""The review: the interviews of this machine, and one of them with its evidence. Read-only."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import gradio as gr

from interviewer.domain import Language
from interviewer.errors import VivaError
from interviewer.report import Report, make_report
from interviewer.session import State, replay
from interviewer.ui.interview_tab import all_checks
from interviewer.ui.report_view import SessionRow, review_page, session_list
from interviewer.ui.texts import texts

if TYPE_CHECKING:
    from interviewer.bank import Bank
    from interviewer.wiring import Viva

LISTED = 100
OPENED = "element.addEventListener('click', e => {const b = e.target.closest('[data-open]'); \
if (b) trigger('click', {id: b.dataset.open});})"


@dataclass(frozen=True)
class Review:
    """The components of the review."""

    head: gr.HTML
    refresh: gr.Button
    back: gr.Button
    rows: gr.HTML
    detail: gr.HTML
    opened: gr.Textbox


def build_review(language: Language) -> Review:
    """The review's components; filled when the tab is opened."""
    ui = texts(language)
    opened = gr.Textbox(visible=False)
    with gr.Column(elem_id="viva-review", elem_classes="reviewer"):
        with gr.Row(elem_classes="exports"):
            head = gr.HTML(heading(language))
            back = gr.Button(ui.back, size="sm", visible=False, elem_id="viva-back")
            refresh = gr.Button(ui.refresh, size="sm", elem_id="viva-refresh")
        rows = gr.HTML(elem_id="viva-sessions", js_on_load=OPENED)
        detail = gr.HTML(elem_id="viva-detail")
    return Review(head, refresh, back, rows, detail, opened)


def heading(language: Language) -> str:
    """What this tab is for."""
    ui = texts(language)
    return f"<h2>{escape(ui.review_title)}</h2><p class=soft>{escape(ui.review_note)}</p>"


def listing(viva: Viva, language: Language) -> str:
    """The list of interviews as HTML."""
    return session_list(tuple(_rows(viva)), language)


def _rows(viva: Viva) -> list[SessionRow]:
    rows = []
    for session_id, started in viva.store.sessions(LISTED):
        try:
            state = replay(viva.store.load(session_id))
        except VivaError:  # one that cannot be read does not hide the others
            continue
        report = make_report(session_id, state, viva.bank)
        rows.append(
            SessionRow(
                id=session_id,
                started=started.astimezone().strftime("%Y-%m-%d %H:%M"),
                language=state.settings.language,
                level=state.settings.level,
                asked=len(state.questions),
                of=len(state.plan),
                percent=report.percent,
                phase="paused" if state.paused else state.phase,
            )
        )
    return rows


def detail(viva: Viva, session_id: str, language: Language) -> str:
    """One interview: conversation with marks, rubric, code. A question still open is left out."""
    state = viva.interviewer.state(session_id)
    return review_page(closed_part(session_id, state, viva.bank), all_checks(state, viva.bank), language)


def closed_part(session_id: str, state: State, bank: Bank) -> Report:
    """The report without the question on the table, whose rubric its candidate must not see."""
    report = make_report(session_id, state, bank)
    if state.phase == "ended":
        return report
    closed = {q.question for q in state.questions if q.closed}
    return report.model_copy(update={"questions": tuple(q for q in report.questions if q.id in closed)})
