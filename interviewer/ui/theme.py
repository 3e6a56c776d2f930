"""The page's look: fonts of the machine, quiet neutrals, colour only with a meaning. The rest is in `assets/`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradio.themes import Base

ASSETS = Path(__file__).with_name("assets")

SANS = (
    "system-ui",
    "-apple-system",
    "Segoe UI",
    "Roboto",
    "Noto Sans",
    "Noto Sans CJK SC",
    "PingFang SC",
    "Microsoft YaHei",
    "sans-serif",
)
MONO = ("ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "Noto Sans Mono", "DejaVu Sans Mono", "monospace")


def theme() -> Base:
    """A Gradio theme without a font to fetch."""
    import gradio as gr

    return gr.themes.Base(
        primary_hue="slate", secondary_hue="slate", neutral_hue="slate", font=list(SANS), font_mono=list(MONO)
    ).set(
        body_background_fill="var(--v-page)",
        body_background_fill_dark="var(--v-page)",
        body_text_color="var(--v-ink)",
        body_text_color_dark="var(--v-ink)",
        background_fill_primary="var(--v-surface)",
        background_fill_primary_dark="var(--v-surface)",
        background_fill_secondary="var(--v-sunk)",
        background_fill_secondary_dark="var(--v-sunk)",
        border_color_primary="var(--v-line)",
        border_color_primary_dark="var(--v-line)",
        block_background_fill="transparent",
        block_background_fill_dark="transparent",
        block_border_width="0px",
        block_border_width_dark="0px",
        block_shadow="none",
        block_shadow_dark="none",
        block_padding="0px",
        input_background_fill="var(--v-surface)",
        input_background_fill_dark="var(--v-surface)",
        input_border_width="1px",
        input_border_width_dark="1px",
        input_radius="10px",
        input_border_color="var(--v-line)",
        input_border_color_dark="var(--v-line)",
        button_primary_background_fill="var(--v-accent)",
        button_primary_background_fill_dark="var(--v-accent)",
        button_primary_background_fill_hover="var(--v-accent-strong)",
        button_primary_background_fill_hover_dark="var(--v-accent-strong)",
        button_primary_text_color="var(--v-on-accent)",
        button_primary_text_color_dark="var(--v-on-accent)",
    )


def css() -> str:
    """The style sheet."""
    return (ASSETS / "page.css").read_text(encoding="utf-8")


def head() -> str:
    """Runs before the page is drawn: keeps the place while it loads, scrolling, keys, drafts, highlighting."""
    script = (ASSETS / "page.js").read_text(encoding="utf-8")
    return f'<meta name="robots" content="noindex"><script>{script}</script>'
