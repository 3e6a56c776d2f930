"""Events around runs of code: a snippet said, run and changed; a run cancelled; one that another page has started."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import gradio as gr

from interviewer.cleaning import clean
from interviewer.ui import interview_tab
from interviewer.ui.interview_tab import Stage, notice
from interviewer.ui.moves import Move, as_place, find, settle
from interviewer.ui.setup_form import as_language
from interviewer.ui.texts import texts
from interviewer.ui.updates import PRIVATE, Updates
from interviewer.view import make_screen

if TYPE_CHECKING:
    from interviewer.wiring import Viva


def on_wait(stage: Stage, viva: Viva) -> Callable[..., Updates]:
    def wait(language: str, place: Any) -> Updates:
        """A page that was opened while code is being checked shows what comes of it."""
        here = as_place(place)
        state = settle(viva.interviewer, here)
        if state is None:
            return {stage.wait_text: ""}
        return interview_tab.draw(stage, viva, here, state, as_language(language))

    return wait


def bind(stage: Stage, viva: Viva, shown: gr.Radio) -> None:
    """What the snippet's button and the cancel button do. `shown` holds the page's language."""

    def try_it(language: str, place: Any, predicted: str, change: str) -> Iterator[Updates]:
        chosen, here = as_language(language), as_place(place)
        state = find(viva.interviewer, here["session"])
        card = make_screen("", state, viva.bank).snippet if state is not None else None
        if card is not None and not card.tried and not (predicted or "").strip():
            yield {stage.notice: notice(texts(chosen).say_first)}
            return
        move = Move("predict", clean(predicted or ""), change or "")
        yield from interview_tab.perform(stage, viva, here, move, chosen)

    given = [shown, stage.place, stage.predicted, stage.change]
    stage.try_it.click(try_it, given, stage.outputs, **PRIVATE)

    def cancel(language: str, place: Any) -> Updates:
        """End the session's runs; whoever waits for them draws what came of it."""
        viva.interviewer.cancel(as_place(place)["session"])
        return {stage.wait_text: f"<p class=soft>{texts(as_language(language)).cancelling}</p>"}

    stage.checking.change(on_wait(stage, viva), [shown, stage.place], stage.outputs, **PRIVATE)
    stage.cancel.click(cancel, [shown, stage.place], [stage.wait_text], **PRIVATE)
