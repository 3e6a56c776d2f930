"""The page: header, two tabs, and which event does what. What a tab shows is in its own file."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gradio as gr
from gradio.blocks import Block

from interviewer.cleaning import clean
from interviewer.config import is_own_machine
from interviewer.domain import Language
from interviewer.errors import UsageError, VivaError
from interviewer.report import make_report
from interviewer.report_formats import FORMATS
from interviewer.ui import api, interview_tab, review_tab, runs, setup_form
from interviewer.ui.interview_tab import Stage, notice
from interviewer.ui.moves import NOWHERE, Move, Place, as_place, find
from interviewer.ui.review_tab import Review
from interviewer.ui.setup_form import Form, as_language
from interviewer.ui.texts import texts
from interviewer.ui.updates import PRIVATE, Updates, merge
from interviewer.view import make_screen

if TYPE_CHECKING:
    from interviewer.wiring import Viva

log = logging.getLogger("viva.ui")

STABLE = "viva-last-session"
"""Not a secret: without a fixed one Gradio forgets what the browser keeps whenever the server restarts."""

WHERE = "(url, last, lang) => [new URLSearchParams(location.search).get('session') || '', last, navigator.language]"


@dataclass(frozen=True)
class Page:
    """The parts that events connect."""

    viva: Viva
    language: gr.Radio
    brand: gr.HTML
    tabs: tuple[gr.Tab, gr.Tab]
    last: gr.BrowserState
    form: Form
    stage: Stage
    review: Review

    @property
    def outputs(self) -> list[Block]:
        """All that loading, starting or another language may change."""
        form = [self.form.root, *vars(self.form).values()]
        parts: list[Block] = [self.language, self.brand, *self.tabs, self.last]
        return list(dict.fromkeys([*parts, *form, *self.stage.outputs, *vars(self.review).values()]))


def build_page(viva: Viva) -> gr.Blocks:
    """The page over a running installation. Its look is given to `launch`, see `launch.look`."""
    first: Language = "en"
    demo: gr.Blocks
    with gr.Blocks(title="Viva", analytics_enabled=False, fill_width=True) as demo:
        api.publish(viva)  # first, so that no event of the page takes one of its names
        url = gr.Textbox(visible=False)
        locale = gr.Textbox(visible=False)
        last = gr.BrowserState("", storage_key="viva-last", secret=STABLE)
        with gr.Row(elem_id="viva-head"):
            brand = gr.HTML(_brand(first))
            language = gr.Radio(
                [("EN", "en"), ("РУС", "ru"), ("中文", "zh")],
                value=first,
                label=texts(first).interface,
                show_label=False,
                container=False,
                elem_id="viva-lang",
                elem_classes="seg",
            )
        with gr.Tabs(elem_id="viva-tabs"):
            with gr.Tab(texts(first).tab_interview, id="interview") as talk:
                form = setup_form.build_form(viva.bank, first)
                stage = interview_tab.build_stage(first)
            with gr.Tab(texts(first).tab_review, id="review") as look_back:
                review = review_tab.build_review(first)
        page = Page(viva, language, brand, (talk, look_back), last, form, stage, review)
        loaded = demo.load(_on_load(page), [url, last, locale], page.outputs, js=WHERE, **PRIVATE)
        held = [stage.place, stage.editor]
        loaded.then(None, held, stage.editor, js="(p, code) => viva.backCode(p, code)").then(js="() => viva.ready()")
        _bind_form(page)
        _bind_interview(page)
        runs.bind(stage, viva, language)
        _bind_report(page)
        _bind_review(page)
    return demo


def _brand(language: Language) -> str:
    return f'<p class="brand" lang="{language}"><b>Viva</b> <span>{texts(language).tagline}</span></p>'


def _relabel(page: Page, values: tuple[Any, ...], language: Language) -> Updates:
    ui = texts(language)
    return {
        page.language: gr.update(value=language, label=ui.interface),
        page.brand: _brand(language),
        page.tabs[0]: gr.update(label=ui.tab_interview),
        page.tabs[1]: gr.update(label=ui.tab_review),
        page.review.head: review_tab.heading(language),
        page.review.refresh: gr.update(value=ui.refresh),
        page.review.back: gr.update(value=ui.back),
        **setup_form.relabel(page.form, page.viva.bank, values, language),
        **interview_tab.relabel(page.stage, language),
    }


def _show(page: Page, session_id: str, language: Language, place: Place = NOWHERE) -> Updates | None:
    """The session's screen instead of the form; None when there is no such session."""
    state = find(page.viva.interviewer, session_id)
    if state is None:
        return None
    here: Place = {"session": session_id, "seq": state.seq, "desk": place["desk"]}
    drawn = interview_tab.draw(page.stage, page.viva, here, state, language)
    return merge({page.form.root: gr.update(visible=False)}, drawn)


def _on_load(page: Page) -> Callable[..., Updates]:
    def load(session_id: str, last: str, locale: str) -> Updates:
        """Show the session of the link, or the form in the browser's language."""
        guess = as_language((locale or "")[:2].lower())
        wanted = session_id or ""
        state = find(page.viva.interviewer, wanted) if wanted else None
        language = state.settings.language if state else guess
        found = merge(
            _relabel(page, (language, *setup_form.DEFAULTS[1:]), language),
            {page.form.language: gr.update(value=language)},
        )
        shown = _show(page, wanted, language) if state else None
        if shown is not None:
            return merge(found, shown, {page.last: wanted})
        if wanted:
            found[page.stage.notice] = notice(texts(language).unknown_session)
        return merge(found, _offer(page, last, language))

    return load


def _offer(page: Page, last: str, language: Language) -> Updates:
    """A button for an interview this browser left open."""
    state = find(page.viva.interviewer, last) if last else None
    if state is None or state.phase == "ended":
        return {page.form.resume: gr.update(visible=False)}
    screen = make_screen(last, state, page.viva.bank)
    where = "" if screen.card is None else f"{screen.card.number}/{screen.card.of} · {screen.card.title}"
    ui = texts(language)
    return {page.form.resume: gr.update(visible=True, value=f"{ui.resume_button} · {where}")}


def _bind_form(page: Page) -> None:
    form, stage, bank = page.form, page.stage, page.viva.bank

    def begin(language: str, *values: Any) -> Iterator[Updates]:
        shown = as_language(language)
        busy: Updates = {
            form.begin: gr.update(interactive=False),
            form.summary: f"<p class=doing><i></i>{texts(shown).preparing}</p>",
        }
        reset: Updates = {
            form.begin: gr.update(interactive=True),
            form.summary: setup_form.summarise(bank, values, shown),
        }
        yield busy
        try:
            session_id = page.viva.interviewer.start(setup_form.settings(values))
        except UsageError:
            yield merge(reset, {stage.notice: notice(texts(shown).nothing_to_ask)})
            return
        except Exception:
            log.exception("an interview could not be started")
            yield merge(reset, {stage.notice: notice(texts(shown).failed)})
            return
        yield merge(reset, _show(page, session_id, shown) or {}, {page.last: session_id})

    form.begin.click(begin, [page.language, *form.inputs], page.outputs, **PRIVATE).then(
        None, [stage.place], None, js="p => viva.url(p)"
    )

    def resume(language: str, last: str) -> Updates:
        return _show(page, last, as_language(language)) or {stage.notice: notice(texts(as_language(language)).lost)}

    form.resume.click(resume, [page.language, page.last], page.outputs, **PRIVATE).then(
        None, [stage.place], None, js="p => viva.url(p)"
    )

    _bind_choices(page)
    _bind_language(page)


def _bind_choices(page: Page) -> None:
    form, bank = page.form, page.viva.bank

    for choice in (form.level, form.drafts):

        def narrow(language: str, *values: Any) -> Updates:
            shown, values = as_language(language), setup_form.possible(bank, values)
            return {
                form.topics: gr.update(choices=setup_form.topic_choices(bank, values, shown), value=values[2]),
                form.exact: gr.update(choices=setup_form.question_choices(bank, values, shown), value=values[6]),
                form.summary: setup_form.summarise(bank, values, shown),
            }

        choice.input(narrow, [page.language, *form.inputs], [form.topics, form.exact, form.summary], **PRIVATE)
    for part in (form.topics, form.count, form.mode, form.code, form.exact):

        def summarise(language: str, *values: Any) -> str:
            return setup_form.summarise(bank, values, as_language(language))

        part.input(summarise, [page.language, *form.inputs], form.summary, **PRIVATE)


def _bind_language(page: Page) -> None:
    def switch(language: str, place: Any, *values: Any) -> Updates:
        """All words in another language; the interview itself stays in its own."""
        chosen, here = as_language(language), as_place(place)
        if not here["session"]:
            values = setup_form.possible(page.viva.bank, (chosen, *values[1:]))
        found = _relabel(page, values, chosen)
        if here["session"]:
            return merge(found, _show(page, here["session"], chosen, here) or {})
        return merge(found, {page.form.language: gr.update(value=chosen)})

    def choose(language: str, place: Any, *values: Any) -> Updates:
        return switch(language, place, *values)

    page.language.input(switch, [page.language, page.stage.place, *page.form.inputs], page.outputs, **PRIVATE)
    page.form.language.input(choose, [page.form.language, page.stage.place, *page.form.inputs], page.outputs, **PRIVATE)


def _bind_interview(page: Page) -> None:
    stage, viva = page.stage, page.viva
    here = [page.language, stage.place]

    def answer(language: str, place: Any, text: str) -> Iterator[Updates]:
        if not (text or "").strip():
            yield {stage.notice: notice(texts(as_language(language)).empty_answer)}
            return
        move = Move("answer", clean(text))
        yield from interview_tab.perform(stage, viva, as_place(place), move, as_language(language))

    gr.on([stage.send.click, stage.text.submit], answer, [*here, stage.text], stage.outputs, **PRIVATE)

    def action(name: str) -> Callable[..., Iterator[Updates]]:
        def act(language: str, place: Any) -> Iterator[Updates]:
            yield from interview_tab.perform(stage, viva, as_place(place), Move("act", name), as_language(language))

        return act

    for name, button in stage.buttons.items():
        if name != "end":
            button.click(action(name), here, stage.outputs, **PRIVATE)
    stage.buttons["end"].click(lambda: gr.update(visible=True), None, stage.sure, **PRIVATE)
    stage.sure_no.click(lambda: gr.update(visible=False), None, stage.sure, **PRIVATE)
    stage.sure_yes.click(action("end"), here, stage.outputs, **PRIVATE)
    _bind_desk(page)


def _bind_desk(page: Page) -> None:
    stage, viva = page.stage, page.viva
    here = [page.language, stage.place]

    def run(language: str, place: Any, source: str) -> Iterator[Updates]:
        move = Move("run", source or "")
        yield from interview_tab.perform(stage, viva, as_place(place), move, as_language(language))

    def submit(language: str, place: Any, source: str) -> Iterator[Updates]:
        move = Move("submit", source or "")
        yield from interview_tab.perform(stage, viva, as_place(place), move, as_language(language))

    def reset(place: Any) -> Any:
        """The starter again; `place` is null when the candidate decided against it."""
        state = find(viva.interviewer, as_place(place)["session"]) if place else None
        desk = make_screen("", state, viva.bank).desk if state is not None else None
        return gr.skip() if desk is None else gr.update(value=desk.starter)

    stage.editor.change(None, [stage.place, stage.editor], None, js="(p, code) => viva.keepCode(p, code)")
    stage.run.click(run, [*here, stage.editor], stage.outputs, **PRIVATE)
    stage.submit.click(submit, [*here, stage.editor], stage.outputs, **PRIVATE)
    stage.reset.click(reset, [stage.place], stage.editor, js="p => viva.sure() ? p : null", **PRIVATE)


def _bind_report(page: Page) -> None:
    stage, viva = page.stage, page.viva

    def export(form: str) -> Callable[[Any], dict[str, str] | None]:
        def make(place: Any) -> dict[str, str] | None:
            session_id = as_place(place)["session"]
            state = find(viva.interviewer, session_id) if session_id else None
            if state is None or state.phase != "ended":
                return None
            text = FORMATS[form](make_report(session_id, state, viva.bank))
            return {"name": f"viva-{session_id[:8]}.{form}", "text": text}

        return make

    for form, button in stage.exports.items():
        button.click(export(form), [stage.place], stage.file, **PRIVATE).then(
            None, [stage.file], None, js="f => viva.save(f)"
        )

    def again(language: str) -> Updates:
        return {
            page.form.root: gr.update(visible=True),
            page.form.resume: gr.update(visible=False),
            stage.root: gr.update(visible=False),
            stage.ending: gr.update(visible=False),
            stage.place: dict(NOWHERE),
            stage.notice: "",
            stage.report: "",
            page.last: "",
        }

    stage.again.click(again, [page.language], page.outputs, **PRIVATE).then(
        None, [stage.place], None, js="p => viva.url(p)"
    )


def _bind_review(page: Page) -> None:
    review, viva = page.review, page.viva
    own = is_own_machine(viva.config.host)

    def list_all(language: str) -> Updates:
        chosen = as_language(language)
        closed = f'<p class="empty">{texts(chosen).review_closed}</p>'
        return {
            review.rows: gr.update(value=review_tab.listing(viva, chosen) if own else closed, visible=True),
            review.detail: gr.update(value="", visible=False),
            review.back: gr.update(visible=False),
            review.refresh: gr.update(visible=own),
        }

    def open_one(language: str, event: gr.EventData) -> Updates:
        session_id = str((event._data or {}).get("id", ""))
        if not own or not session_id:
            return {}
        try:
            html = review_tab.detail(viva, session_id, as_language(language))
        except VivaError:
            html = notice(texts(as_language(language)).unknown_session)
        return {
            review.rows: gr.update(visible=False),
            review.detail: gr.update(value=html, visible=True),
            review.back: gr.update(visible=True),
            review.refresh: gr.update(visible=False),
        }

    outputs: list[Block] = [review.rows, review.detail, review.back, review.refresh]
    page.tabs[1].select(list_all, [page.language], outputs, **PRIVATE)
    for button in (review.refresh, review.back):

        def again(language: str) -> Updates:
            return list_all(language)

        button.click(again, [page.language], outputs, **PRIVATE)
    review.rows.click(open_one, [page.language], outputs, **PRIVATE)
