"""What the page says apart from the interview itself, one YAML file a language."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import ValidationError

from interviewer.domain import LANGUAGES, Language, Model, Text
from interviewer.errors import AuthorError
from interviewer.yaml_source import read_yaml


class Texts(Model):
    """The page's words in one language. Braces are places for values."""

    tagline: Text
    interface: Text
    tab_interview: Text
    tab_review: Text

    # the form
    welcome: Text
    promise: Text
    language: Text
    level: Text
    any_level: Text
    topics: Text
    topics_note: Text
    count: Text
    mode: Text
    practice: Text
    exam: Text
    practice_note: Text
    exam_note: Text
    exercises: Text
    with_code: Text
    without_code: Text
    advanced: Text
    seed: Text
    seed_note: Text
    exact: Text
    exact_note: Text
    will_ask: Text
    nothing_to_ask: Text
    begin: Text
    preparing: Text
    resume_button: Text

    # the interview
    position: Text
    done: Text
    now: Text
    to_come: Text
    practice_tag: Text
    exam_tag: Text
    write_here: Text
    keys: Text
    send: Text
    hint: Text
    skip: Text
    dont_know: Text
    repeat: Text
    pause: Text
    resume: Text
    end: Text
    end_sure: Text
    end_yes: Text
    end_no: Text
    paused: Text
    judging: Text
    thinking: Text
    running: Text
    checking: Text
    hint_label: Text
    hint_code: Text
    hint_code_label: Text
    kept_whole: Text
    model_failed: dict[str, Text]

    # the desk
    on_the_table: Text
    follow_ups: Text
    exercise: Text
    editor: Text
    examples: Text
    run: Text
    submit: Text
    reset: Text
    reset_sure: Text
    tries: Text
    last_try: Text
    output: Text
    no_output: Text
    traceback: Text
    hidden_checks: Text
    passed_of: Text
    took: Text

    # runs that wait, and a question's snippet
    queue: Text
    cancel_run: Text
    cancelling: Text
    say_first: Text
    run_snippet: Text
    change_label: Text
    change_note: Text
    run_change: Text
    running_snippet: Text

    # feedback and report
    feedback: Text
    feedback_later: Text
    heard: Text
    out_of: Text
    sure: Text
    new_interview: Text
    download: Text
    details: Text
    rubric: Text
    minus: Text

    # review
    review_title: Text
    review_note: Text
    review_closed: Text
    no_sessions: Text
    refresh: Text
    open: Text
    back: Text
    started: Text
    phase: dict[str, Text]
    asked: Text
    still_running: Text

    # what went wrong
    stale: Text
    unknown_session: Text
    empty_answer: Text
    failed: Text
    not_now: Text
    trouble: Text
    lost: Text


@cache
def texts(language: Language) -> Texts:
    """The page's words. AuthorError when the file is at fault."""
    if language not in LANGUAGES:
        raise AuthorError(f"no page texts for language '{language}'", hint=f"languages are {', '.join(LANGUAGES)}")
    source = read_yaml(Path(__file__).with_name(f"{language}.yaml"))
    if source.faults:
        raise AuthorError("a text file is at fault", faults=source.faults)
    try:
        return Texts.model_validate(source.data)
    except ValidationError as error:
        raise AuthorError("a text file is at fault", faults=source.explain(error)) from error
