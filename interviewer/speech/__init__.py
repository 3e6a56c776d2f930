"""What the interviewer says apart from the bank's own texts, one YAML file a language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pydantic import Field

from interviewer.domain import LANGUAGES, Language, Model, Text
from interviewer.errors import AuthorError
from interviewer.yaml_source import read_yaml

Variants = tuple[Text, ...]


class Speech(Model):
    """The texts of one language. Variants are chosen by event number, so a replay says the same."""

    right_one: Variants = Field(description="Acknowledges one point; {nod} names it.")
    right_two: Variants = Field(description="Acknowledges two points; {first} and {second} name them.")
    plain: Variants = Field(description="Takes an answer in without praise.")
    dont_know: Variants = Field(description="Accepts that the candidate does not know.")
    skipped: Variants
    to_code: Variants = Field(description="Leads over to the exercise on the desk.")
    still_open: Variants = Field(description="Something was said while the exercise is open.")
    code_passed: Variants
    code_failed: Variants = Field(description="{passed} of {total} checks passed.")
    code_unchecked: Text = Field(description="The sandbox failed; the submission is kept.")
    no_hint: Text
    no_hint_code: Text
    finished: Text
    ended: Text
    says_dont_know: Variants = Field(description="Whole utterances that mean I don't know, lower case.")
    says_repeat: Variants = Field(description="Whole utterances that ask to hear the question again.")

    between: str = Field(description="What stands between two sentences: a space, or nothing in Chinese.")

    def pick(self, variants: Sequence[str], number: int) -> str:
        return variants[number % len(variants)]

    def means_dont_know(self, text: str) -> bool:
        """Whether the utterance as a whole says "I don't know"."""
        return _bare(text) in {_bare(t) for t in self.says_dont_know}

    def means_repeat(self, text: str) -> bool:
        """Whether the utterance as a whole asks to repeat the question."""
        return _bare(text) in {_bare(t) for t in self.says_repeat}


def _bare(text: str) -> str:
    """Lower case letters and digits with single spaces: enough to compare short utterances."""
    return " ".join(re.findall(r"\w+", text.lower().replace("ё", "е").replace("'", "").replace("’", "")))


@cache
def speech(language: Language) -> Speech:
    """The texts of a language. AuthorError when its file is at fault."""
    if language not in LANGUAGES:
        raise AuthorError(f"no texts for language '{language}'", hint=f"languages are {', '.join(LANGUAGES)}")
    source = read_yaml(Path(__file__).with_name(f"{language}.yaml"))
    if source.faults:
        raise AuthorError("a text file is at fault", faults=source.faults)
    return Speech.model_validate(source.data)
