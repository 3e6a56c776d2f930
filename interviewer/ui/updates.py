"""What a handler sends back: component -> new value, or changes of its properties."""

from __future__ import annotations

from typing import Any

from gradio.blocks import Block

Updates = dict[Block, Any]

PRIVATE: dict[str, Any] = {
    "api_name": "page",
    "api_visibility": "private",
    "show_progress": "hidden",
    "concurrency_limit": 16,
}
"""How every event of the page is bound: no public name, no overlay over what is being read, no queue of one."""


def merge(*parts: Updates) -> Updates:
    """One set of updates of several. Properties of one component add up; of equal ones the later wins."""
    merged: Updates = {}
    for part in parts:
        for component, value in part.items():
            before = merged.get(component)
            merged[component] = before | value if _is_change(before) and _is_change(value) else value
    return merged


def _is_change(value: Any) -> bool:
    """Whether it is what `gr.update` returns, not a value."""
    return isinstance(value, dict) and value.get("__type__") == "update"
