"""Several sets of updates become one."""

from __future__ import annotations

import gradio as gr

from interviewer.ui.updates import merge


def test_properties_of_one_component_add_up() -> None:
    """A label from one, visibility from the other; where both speak the later wins."""
    with gr.Blocks(analytics_enabled=False):
        button, html = gr.Button(), gr.HTML()
    first = {button: gr.update(value="a", visible=False), html: "old"}
    merged = merge(first, {button: gr.update(visible=True), html: "new"})
    assert merged[button]["value"] == "a" and merged[button]["visible"] is True
    assert merged[html] == "new"
    assert first[button]["visible"] is False


def test_a_value_replaces_what_was_there() -> None:
    """A plain value is not mixed with properties, nor is a dict that is a value."""
    with gr.Blocks(analytics_enabled=False):
        place = gr.JSON()
    assert merge({place: gr.update(visible=True)}, {place: {"session": "x"}})[place] == {"session": "x"}
