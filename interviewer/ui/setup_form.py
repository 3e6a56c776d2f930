"""The start: what an interview should be about. Ends in `Settings`; everything else is labels."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import gradio as gr
from gradio.blocks import Block
from pydantic import ValidationError

from interviewer.domain import LANGUAGES, LEVELS, Language
from interviewer.errors import UsageError
from interviewer.events import Settings
from interviewer.labels import labels
from interviewer.ui.texts import texts
from interviewer.ui.updates import Updates

if TYPE_CHECKING:
    from interviewer.bank import Bank

COUNTS = (1, 3, 5, 8, 12, 16)
MINUTES_TALK, MINUTES_CODE = 5, 9
"""Rough length of a question in words, and of its exercise."""

DEFAULTS: tuple[Any, ...] = ("en", "", [], 3, "practice", "yes", [], 0, False)
"""Values of an untouched form."""


@dataclass(frozen=True)
class Form:
    """The form's components, in the order in which handlers receive them (see `inputs`)."""

    root: gr.Column
    hero: gr.HTML
    resume: gr.Button
    language: gr.Radio
    level: gr.Radio
    topics: gr.CheckboxGroup
    count: gr.Radio
    mode: gr.Radio
    code: gr.Radio
    advanced: gr.Accordion
    exact: gr.Dropdown
    seed: gr.Number
    drafts: gr.Checkbox
    summary: gr.HTML
    begin: gr.Button

    @property
    def inputs(self) -> list[Block]:
        """What `settings` is made of."""
        return [
            *(self.language, self.level, self.topics, self.count, self.mode, self.code, self.exact, self.seed),
            self.drafts,
        ]


def as_language(value: object) -> Language:
    """A language as a component sent it; English when it is none."""
    return next((known for known in LANGUAGES if known == value), "en")


def build_form(bank: Bank, language: Language) -> Form:
    """The form, with its words in `language`."""
    ui = texts(language)
    with gr.Column(elem_id="viva-form", elem_classes="setup") as root:
        hero = gr.HTML(_hero(language), elem_classes="hero")
        resume = gr.Button(ui.resume_button, visible=False, elem_id="viva-continue", elem_classes="resume")
        with gr.Column(elem_classes="panel sheet"):
            with gr.Row(elem_classes="pair"):
                chosen = gr.Radio(_languages(), value=language, label=ui.language, elem_classes="seg")
                level = gr.Radio(_levels(language), value="", label=ui.level, elem_classes="seg", elem_id="viva-level")
            topics = gr.CheckboxGroup(
                topic_choices(bank, (language, *DEFAULTS[1:]), language),
                label=ui.topics,
                info=ui.topics_note,
                elem_classes="chips",
            )
            with gr.Row(elem_classes="pair"):
                count = gr.Radio(list(COUNTS), value=3, label=ui.count, elem_classes="seg num")
                code = gr.Radio(_code(language), value="yes", label=ui.exercises, elem_classes="seg")
            mode = gr.Radio(_modes(language), value="practice", label=ui.mode, elem_classes="seg", elem_id="viva-mode")
            with gr.Accordion(ui.advanced, open=False, elem_id="viva-advanced") as advanced:
                exact = gr.Dropdown(
                    question_choices(bank, (language, *DEFAULTS[1:]), language),
                    value=[],
                    multiselect=True,
                    label=ui.exact,
                    info=ui.exact_note,
                    elem_id="viva-exact",
                )
                seed = gr.Number(value=0, precision=0, minimum=0, label=ui.seed, info=ui.seed_note)
                drafts = gr.Checkbox(
                    value=False,
                    label=ui.drafts,
                    info=ui.drafts_note,
                    visible=has_drafts(bank, language),
                    elem_id="viva-drafts",
                )
        with gr.Row(elem_classes="go"):
            summary = gr.HTML(elem_classes="summary")
            begin = gr.Button(ui.begin, variant="primary", elem_id="viva-begin")
    return Form(
        root, hero, resume, chosen, level, topics, count, mode, code, advanced, exact, seed, drafts, summary, begin
    )  # fmt: skip


def settings(values: tuple[Any, ...]) -> Settings:
    """What the form says as settings. UsageError when it makes no sense."""
    language, level, topics, count, mode, code, exact, seed, drafts = values
    try:
        return Settings(
            language=as_language(language),
            level=level or None,
            topics=tuple(topics or ()),
            questions=tuple(exact or ()),
            count=int(count or 3),
            seed=int(seed or 0),
            code=code != "no",
            mode=mode if mode == "exam" else "practice",
            drafts=drafts is True,
        )
    except (ValidationError, ValueError, TypeError) as error:
        raise UsageError(f"the form is not complete: {error}", hint="check the form") from None


def summarise(bank: Bank, values: tuple[Any, ...], language: Language) -> str:
    """One line under the form: how many questions match and about how long that takes."""
    ui = texts(language)
    spoken, level, topics, count, _, code, exact, _, drafts = values
    offered = bank.offered(as_language(spoken), drafts=drafts is True)
    pool = [q for q in offered if (not level or q.level == level) and (not topics or q.topic in topics)]
    if exact:
        pool = [bank.questions[q] for q in exact if q in bank.questions]
    asked = len(pool) if exact else min(int(count or 3), len(pool))
    if not asked:
        return f'<p class="soft">{escape(ui.nothing_to_ask)}</p>'
    coded = sum(q.id in bank.exercises for q in pool) / len(pool) if code != "no" else 0
    minutes = max(5, round(asked * (MINUTES_TALK + MINUTES_CODE * coded) / 5) * 5)
    note = ui.exam_note if values[4] == "exam" else ui.practice_note
    line = ui.will_ask.format(count=asked, pool=len(pool), minutes=minutes)
    return f"<p><b>{escape(line)}</b></p><p class=soft>{escape(note)}</p>"


def relabel(form: Form, bank: Bank, values: tuple[Any, ...], language: Language) -> Updates:
    """The form in another language, what was chosen kept."""
    ui = texts(language)
    return {
        form.hero: _hero(language),
        form.resume: gr.update(value=ui.resume_button),
        form.language: gr.update(label=ui.language),
        form.level: gr.update(label=ui.level, choices=_levels(language)),
        form.topics: gr.update(
            label=ui.topics, info=ui.topics_note, choices=topic_choices(bank, values, language), value=values[2] or []
        ),
        form.count: gr.update(label=ui.count),
        form.mode: gr.update(label=ui.mode, choices=_modes(language)),
        form.code: gr.update(label=ui.exercises, choices=_code(language)),
        form.advanced: gr.update(label=ui.advanced),
        form.exact: gr.update(
            label=ui.exact, info=ui.exact_note, choices=question_choices(bank, values, language), value=values[6] or []
        ),
        form.seed: gr.update(label=ui.seed, info=ui.seed_note),
        form.drafts: gr.update(label=ui.drafts, info=ui.drafts_note, visible=has_drafts(bank, as_language(values[0]))),
        form.summary: summarise(bank, values, language),
        form.begin: gr.update(value=ui.begin),
    }


def has_drafts(bank: Bank, language: Language) -> bool:
    """Whether there is anything that the drafts' box could add to an interview in `language`."""
    return len(bank.offered(language, drafts=True)) > len(bank.offered(language))


def possible(bank: Bank, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The form's values without topics and questions that its language, level and drafts' box rule out."""
    language = as_language(values[0])
    topics, questions = (
        {value for _, value in choices(bank, values, language)} for choices in (topic_choices, question_choices)
    )
    kept = [topic for topic in values[2] or [] if topic in topics]
    named = [question for question in values[6] or [] if question in questions]
    return (*values[:2], kept, *values[3:6], named, *values[7:])


def topic_choices(bank: Bank, values: tuple[Any, ...], language: Language) -> list[tuple[str, str]]:
    """Topics with how many questions of the form's level each has; topics without one are left out."""
    words = labels(language)
    counts: dict[str, int] = {}
    spoken, level, drafts = values[0], values[1], values[8] is True
    for question in bank.offered(as_language(spoken), drafts=drafts):
        if not level or question.level == level:
            counts[question.topic] = counts.get(question.topic, 0) + 1
    order = [topic for topic in words.topic if topic in counts] + sorted(set(counts) - set(words.topic))
    return [(f"{words.topic.get(topic, topic)} · {counts[topic]}", topic) for topic in order]


def question_choices(bank: Bank, values: tuple[Any, ...], language: Language) -> list[tuple[str, str]]:
    """All questions that can be named: the bank's, and the drafts' when they are wanted."""
    words = labels(language)
    offered = bank.offered(as_language(values[0]), drafts=values[8] is True)
    return [(f"{q.title[language]} · {words.level[q.level]}", q.id) for q in offered]


def _hero(language: Language) -> str:
    ui = texts(language)
    return f"<h1>{escape(ui.welcome)}</h1><p>{escape(ui.promise)}</p>"


def _languages() -> list[tuple[str, str]]:
    return [(labels(language).language_name, language) for language in LANGUAGES]


def _levels(language: Language) -> list[tuple[str, str]]:
    return [(texts(language).any_level, ""), *((labels(language).level[level], level) for level in LEVELS)]


def _modes(language: Language) -> list[tuple[str, str]]:
    ui = texts(language)
    return [(ui.practice, "practice"), (ui.exam, "exam")]


def _code(language: Language) -> list[tuple[str, str]]:
    ui = texts(language)
    return [(ui.with_code, "yes"), (ui.without_code, "no")]
