"""The interview: conversation left, desk right, the report at the end. Components here, what they show in `draw`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import gradio as gr
from gradio.blocks import Block

from interviewer.domain import Language
from interviewer.events import ACTIONS
from interviewer.report import make_report
from interviewer.session import State
from interviewer.ui import fragments
from interviewer.ui.moves import NOWHERE, RUNS, Move, Place, play
from interviewer.ui.report_view import Checks, report_page
from interviewer.ui.texts import Texts, texts
from interviewer.ui.updates import Updates
from interviewer.view import Screen, check_rows, make_screen

if TYPE_CHECKING:
    from interviewer.bank import Bank
    from interviewer.wiring import Viva


@dataclass(frozen=True)
class Stage:
    """The components of a running interview and of its report."""

    place: gr.JSON
    checking: gr.State
    notice: gr.HTML
    root: gr.Column
    top: gr.HTML
    chat: gr.HTML
    status: gr.HTML
    composer: gr.Column
    text: gr.Textbox
    send: gr.Button
    keys: gr.HTML
    buttons: dict[str, gr.Button]
    sure: gr.Row
    sure_text: gr.HTML
    sure_yes: gr.Button
    sure_no: gr.Button
    pinned: gr.HTML
    desk: gr.Column
    task: gr.HTML
    editor: gr.Code
    run: gr.Button
    submit: gr.Button
    reset: gr.Button
    tries: gr.HTML
    results: gr.HTML
    snippet: gr.Column
    snippet_task: gr.HTML
    predicted: gr.Textbox
    tried: gr.HTML
    change: gr.Code
    change_note: gr.HTML
    try_it: gr.Button
    wait: gr.Row
    wait_text: gr.HTML
    cancel: gr.Button
    ending: gr.Column
    report: gr.HTML
    exports: dict[str, gr.Button]
    again: gr.Button
    file: gr.JSON

    @property
    def outputs(self) -> list[Block]:
        """All that a redraw may change."""
        parts: list[Block] = []
        for value in vars(self).values():
            parts += value.values() if isinstance(value, dict) else [value]
        return parts


def build_stage(language: Language) -> Stage:
    """The interview's components, hidden until one is open."""
    ui = texts(language)
    parts: dict[str, Any] = {
        "place": gr.JSON(dict(NOWHERE), visible=False),
        "file": gr.JSON(None, visible=False),
        "checking": gr.State(""),
        "notice": gr.HTML(elem_id="viva-notice"),
    }
    with gr.Column(visible=False, elem_id="viva-stage", elem_classes="stage") as parts["root"]:
        parts["top"] = gr.HTML(elem_id="viva-top")
        with gr.Row(elem_classes="two"):
            with gr.Column(elem_classes="left"):
                parts["chat"] = gr.HTML(elem_id="viva-chat")
                parts["status"] = gr.HTML()
                with gr.Column(elem_id="viva-composer", elem_classes="composer") as parts["composer"]:
                    parts |= _composer(ui)
            with gr.Column(elem_classes="right"):
                parts["pinned"] = gr.HTML(elem_id="viva-pinned")
                with gr.Column(visible=False, elem_id="viva-desk", elem_classes="desk") as parts["desk"]:
                    parts |= _desk(ui)
                with gr.Column(visible=False, elem_id="viva-snippet", elem_classes="desk") as parts["snippet"]:
                    parts |= _snippet(ui)
                with gr.Row(visible=False, elem_id="viva-wait", elem_classes="waiting") as parts["wait"]:
                    parts["wait_text"] = gr.HTML()
                    parts["cancel"] = gr.Button(ui.cancel_run, size="sm", elem_id="viva-cancel", scale=0)
    with gr.Column(visible=False, elem_id="viva-ending", elem_classes="ending") as parts["ending"]:
        with gr.Row(elem_classes="exports"):
            parts["exports"] = {
                form: gr.Button(f"{ui.download} {form.upper()}", size="sm", elem_id=f"viva-get-{form}")
                for form in ("html", "md", "json")
            }
            parts["again"] = gr.Button(ui.new_interview, variant="primary", size="sm", elem_id="viva-again")
        parts["report"] = gr.HTML(elem_id="viva-report")
    return Stage(**parts)


def _composer(ui: Texts) -> dict[str, Any]:
    """Where the candidate talks and asks for help."""
    parts: dict[str, Any] = {}
    with gr.Row(elem_classes="line"):
        parts["text"] = gr.Textbox(
            show_label=False,
            label=ui.write_here,
            placeholder=ui.write_here,
            lines=1,  # with one line Enter sends
            max_lines=9,
            elem_id="viva-text",
            container=False,
            scale=1,
        )
        parts["send"] = gr.Button(ui.send, variant="primary", elem_id="viva-send", scale=0)
    with gr.Row(elem_classes="acts"):
        parts["buttons"] = {a: gr.Button(getattr(ui, a), elem_id=f"viva-{a}", size="sm") for a in ACTIONS}
    parts["keys"] = gr.HTML(f"<p class=fine>{escape(ui.keys)}</p>", elem_classes="keys")
    with gr.Row(visible=False, elem_classes="sure") as parts["sure"]:
        parts["sure_text"] = gr.HTML(f"<p>{escape(ui.end_sure)}</p>")
        parts["sure_yes"] = gr.Button(ui.end_yes, size="sm", elem_id="viva-end-yes")
        parts["sure_no"] = gr.Button(ui.end_no, size="sm", variant="primary", elem_id="viva-end-no")
    return parts


def _desk(ui: Texts) -> dict[str, Any]:
    """Where the candidate writes code and sees what comes of it."""
    parts: dict[str, Any] = {"task": gr.HTML(elem_id="viva-task")}
    parts["editor"] = gr.Code(
        language="python", lines=12, max_lines=28, label=ui.editor, elem_id="viva-code", buttons=[]
    )
    with gr.Row(elem_classes="deskbar"):
        parts["submit"] = gr.Button(ui.submit, variant="primary", size="sm", elem_id="viva-submit")
        parts["run"] = gr.Button(ui.run, size="sm", elem_id="viva-run")
        parts["reset"] = gr.Button(ui.reset, size="sm", elem_id="viva-reset")
        parts["tries"] = gr.HTML()
    parts["results"] = gr.HTML(elem_id="viva-results")
    return parts


def _snippet(ui: Texts) -> dict[str, Any]:
    """Where the candidate says what a program prints, runs it, changes it and runs it again."""
    parts: dict[str, Any] = {"snippet_task": gr.HTML()}
    parts["predicted"] = gr.Textbox(
        label=ui.say_first, placeholder=ui.say_first, show_label=False, lines=2, max_lines=8, elem_id="viva-predicted"
    )
    parts["tried"] = gr.HTML(elem_id="viva-tried")
    parts["change"] = gr.Code(
        language="python",
        lines=2,
        max_lines=10,
        label=ui.change_label,
        visible=False,
        elem_id="viva-change",
        buttons=[],
    )
    parts["change_note"] = gr.HTML(visible=False)
    with gr.Row(elem_classes="deskbar"):
        parts["try_it"] = gr.Button(ui.run_snippet, variant="primary", size="sm", elem_id="viva-try")
    return parts


def relabel(stage: Stage, language: Language) -> Updates:
    """Every fixed word of the interview in another language."""
    ui = texts(language)
    found: Updates = {
        stage.text: gr.update(placeholder=ui.write_here, label=ui.write_here),
        stage.send: gr.update(value=ui.send),
        stage.keys: f"<p class=fine>{escape(ui.keys)}</p>",
        stage.sure_text: f"<p>{escape(ui.end_sure)}</p>",
        stage.sure_yes: gr.update(value=ui.end_yes),
        stage.sure_no: gr.update(value=ui.end_no),
        stage.editor: gr.update(label=ui.editor),
        stage.run: gr.update(value=ui.run),
        stage.submit: gr.update(value=ui.submit),
        stage.reset: gr.update(value=ui.reset),
        stage.predicted: gr.update(label=ui.say_first, placeholder=ui.say_first),
        stage.change: gr.update(label=ui.change_label),
        stage.cancel: gr.update(value=ui.cancel_run),
        stage.again: gr.update(value=ui.new_interview),
    }
    found |= {stage.buttons[a]: gr.update(value=getattr(ui, a)) for a in ACTIONS if a != "hint"}
    return found | {b: gr.update(value=f"{ui.download} {form.upper()}") for form, b in stage.exports.items()}


def draw(stage: Stage, viva: Viva, place: Place, state: State, language: Language) -> Updates:
    """The whole screen of a session. `place` names the session and what the editor holds."""
    screen = make_screen(place["session"], state, viva.bank)
    over = screen.phase == "ended"
    found: Updates = {
        stage.place: {"session": screen.session_id, "seq": screen.seq, "desk": desk_key(screen)},
        stage.notice: notice(_model_notice(screen, language)),
        stage.root: gr.update(visible=not over),
        stage.ending: gr.update(visible=over),
        stage.sure: gr.update(visible=False),
        stage.wait: gr.update(visible=screen.phase == "checking"),
        stage.wait_text: "",
        stage.checking: f"{screen.session_id}/{screen.seq}" if screen.phase == "checking" else "",
    }
    if over:
        return found | {stage.report: _report(viva, screen, state, language)}
    found |= {
        stage.top: fragments.top_bar(screen, language),
        stage.chat: fragments.chat(screen, language),
        stage.status: fragments.status(screen, language),
        stage.text: gr.update(interactive=screen.can_answer),
        stage.send: gr.update(interactive=screen.can_answer),
    }
    for action, button in stage.buttons.items():
        found[button] = gr.update(visible=action in screen.actions)
    found[stage.buttons["hint"]] = gr.update(visible="hint" in screen.actions, value=hint_label(screen, language))
    return found | _draw_right(stage, screen, place, language) | _draw_snippet(stage, screen, language)


def hint_label(screen: Screen, language: Language) -> str:
    """What the hint button says: which hint comes next, and what it costs."""
    ui, hint = texts(language), screen.code_hint
    if hint is None:
        return ui.hint.format(price=fragments.percent(screen.hint_price))
    return ui.hint_code.format(step=hint.step, of=hint.of, share=fragments.percent(hint.earns))


def _snippet_now(screen: Screen) -> bool:
    """Whether the snippet is that of the question on the table, whose text stands in the conversation."""
    return screen.snippet is not None and screen.card is not None and screen.snippet.question == screen.card.id


def _draw_snippet(stage: Stage, screen: Screen, language: Language) -> Updates:
    """The snippet on show. What is typed into its boxes stays until it was run, or another snippet comes."""
    ui, card = texts(language), screen.snippet
    if card is not None and card.tried and screen.desk is not None:  # code comes first, and this one has been run
        card = None
    found: Updates = {stage.snippet: gr.update(visible=card is not None)}
    if card is None:
        return found
    ran = bool(card.tried)
    fresh = {} if ran else {"value": ""}
    return found | {
        stage.snippet_task: fragments.snippet(screen, language),
        stage.predicted: gr.update(visible=not ran, **({"value": ""} if ran else {})),
        stage.tried: fragments.tries_of(screen, language),
        stage.change: gr.update(visible=ran, **fresh),
        stage.change_note: gr.update(value=f"<p class=fine>{escape(ui.change_note)}</p>", visible=ran),
        stage.try_it: gr.update(value=ui.run_change if ran else ui.run_snippet),
    }


def _draw_right(stage: Stage, screen: Screen, place: Place, language: Language) -> Updates:
    open_ = screen.desk is not None
    found: Updates = {
        stage.pinned: gr.update(
            value=fragments.pinned(screen, language), visible=not open_ and not _snippet_now(screen)
        ),
        stage.desk: gr.update(visible=open_),
    }
    if screen.desk is None:
        return found
    usable = screen.can_answer and screen.desk.submissions_left > 0
    found |= {
        stage.task: fragments.exercise(screen, language),
        stage.tries: fragments.tries(screen, language),
        stage.results: fragments.results(
            screen, language, texts(language).checking if screen.phase == "checking" else ""
        ),
        stage.run: gr.update(interactive=usable),
        stage.submit: gr.update(interactive=usable),
        stage.reset: gr.update(interactive=usable),
    }
    if place["desk"] != desk_key(screen):  # what is being typed is never overwritten
        found[stage.editor] = gr.update(value=screen.desk.source)
    return found


def draw_pending(
    stage: Stage, viva: Viva, place: Place, state: State, pending: fragments.Pending, language: Language
) -> Updates:
    """The screen while something is being worked on: only what changes."""
    screen = make_screen(place["session"], state, viva.bank)
    place_now = fragments.waiting(pending.position, language)
    found: Updates = {stage.status: fragments.status(None, language, pending.doing)}
    if pending.kind in RUNS:
        found[stage.wait] = gr.update(visible=True)
        found[stage.wait_text] = place_now
    if pending.kind == "predict":
        found[stage.tried] = fragments.tries_of(screen, language, pending.doing)
    elif pending.kind in RUNS:
        found[stage.results] = fragments.results(screen, language, pending.doing)
    else:
        found[stage.chat] = fragments.chat(screen, language, pending)
    return found


def perform(stage: Stage, viva: Viva, place: Place, move: Move, language: Language) -> Iterator[Updates]:
    """Make a move and yield what the page shows meanwhile and afterwards."""
    moved = False
    for step in play(viva.interviewer, place, move, language):
        moved = True
        if step.pending is not None:
            found = draw_pending(stage, viva, place, step.state, step.pending, language)
            yield found | ({stage.text: ""} if step.pending.said and not step.pending.reply else {})
            continue
        found = draw(stage, viva, place, step.state, language)
        if step.notice:
            found[stage.notice] = notice(step.notice)
        if move.kind == "answer" and not step.taken:
            found[stage.text] = gr.update(value=move.value, interactive=True)
        yield found
    if not moved:
        yield {stage.notice: notice(texts(language).lost)}


def desk_key(screen: Screen) -> str:
    """Names the exercise that belongs into the editor."""
    return f"{screen.session_id}/{screen.desk.exercise}" if screen.desk is not None else ""


def notice(text: str) -> str:
    """A quiet line above the conversation; empty hides it."""
    return f'<p class="notice" role="alert">{escape(text)}</p>' if text else ""


def all_checks(state: State, bank: Bank) -> Checks:
    """Rows of every checked submission, by question."""
    return {q.question: check_rows(q.question, q.checked, state, bank) for q in state.questions}


def _report(viva: Viva, screen: Screen, state: State, language: Language) -> str:
    report = make_report(screen.session_id, state, viva.bank)
    lead = next((m.text for m in reversed(screen.messages) if m.role == "interviewer"), "")
    return report_page(report, all_checks(state, viva.bank), language, lead=lead)


def _model_notice(screen: Screen, language: Language) -> str:
    return texts(language).model_failed.get(screen.model_notice, "") if screen.model_notice else ""
