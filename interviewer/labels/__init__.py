"""Words that the report, the page and the terminal share, one YAML file a language."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import Field

from interviewer.domain import LANGUAGES, Language, Level, Model, Outcome, Text
from interviewer.errors import AuthorError
from interviewer.yaml_source import read_yaml


class Labels(Model):
    """The words of one language."""

    language_name: Text
    colon: str = Field(description="Between a name and what it is, with the space that belongs there.")
    aside: str = Field(description="A remark in brackets after a word, with the space that belongs there.")
    quoted: Text = Field(description="Somebody's own words.")
    outcome: dict[Outcome, Text]
    check: dict[str, Text]
    level: dict[Level, Text]
    topic: dict[str, Text]
    help: dict[str, Text]
    verdict: dict[str, Text]
    reason: dict[str, Text]
    interviewer: Text
    candidate: Text
    skipped: Text
    dont_know: Text
    report: Text
    headline: Text
    headline_none: Text
    strongest: Text
    weakest: Text
    coverage: Text
    this_week: Text
    nothing_to_learn: Text
    read: Text
    say_it: Text
    score: Text
    criterion: Text
    points: Text
    your_words: Text
    accepted: Text
    misconceptions: Text
    corrected: Text
    code: Text
    transcript: Text
    price: Text
    judged_by: Text
    not_scored: Text
    backend: Text
    layer: dict[str, Text] = Field(description="What a sandbox is made of, by the names in `sandbox.confine.LAYERS`.")
    unfinished: Text
    findings: Text = Field(description="Heads the list of forbidden built-ins that code uses.")
    findings_note: Text
    finding: Text
    finding_nowhere: Text = Field(description="A finding whose line is not known.")
    how: dict[str, Text] = Field(description="How a finding was noticed.")
    next_hint: Text = Field(description="The next hint to an exercise and what tests then earn.")
    snippet: Text
    predicted: Text
    printed: Text
    raised: Text
    value: Text
    change: Text


@cache
def labels(language: Language) -> Labels:
    """The words of a language. AuthorError when its file is at fault."""
    if language not in LANGUAGES:
        raise AuthorError(f"no labels for language '{language}'", hint=f"languages are {', '.join(LANGUAGES)}")
    source = read_yaml(Path(__file__).with_name(f"{language}.yaml"))
    if source.faults:
        raise AuthorError("a label file is at fault", faults=source.faults)
    return Labels.model_validate(source.data)
