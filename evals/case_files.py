"""Case files: labelled answers and queries, one JSON object a line, and how questions are split."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, ValidationError

from interviewer.domain import Language, Model, Outcome, Slug, Thread, Turn
from interviewer.errors import AuthorError

FOLDER = Path(__file__).with_name("cases")

TEST = frozenset({"zero-grad", "dropout", "attention", "custom-layer", "view-vs-reshape", "experience-story"})
"""Questions whose answers only measure: nothing is chosen or trained on them before the figures are taken."""

M = TypeVar("M", bound=Model)

Band = Literal["good", "partial", "wrong", "empty"]


class Case(Model):
    """One answer of one imagined candidate with what a person makes of it."""

    id: str
    question: Slug
    language: Language
    band: Band
    style: str = Field(alias="register", description="Spoken, textbook, terse, hedged, non-native, ...")
    text: str
    outcomes: dict[Slug, Outcome]
    misconceptions: tuple[Slug, ...] = ()
    note: str = Field(default="")

    @property
    def turn(self) -> Turn:
        return Turn(seq=1, role="candidate", kind="answer", text=self.text)

    @property
    def thread(self) -> Thread:
        return Thread(question=self.question, turns=(self.turn,))


class Query(Model):
    """A paraphrase of one question, as somebody might type it."""

    id: str
    language: Language
    query: str
    question: Slug


def read_cases(name: str = "judging") -> tuple[Case, ...]:
    """Answers of `cases/<name>.jsonl`, or of every file in the folder `cases/<name>`."""
    place = FOLDER / name
    files = sorted(place.glob("*.jsonl")) if place.is_dir() else [FOLDER / f"{name}.jsonl"]
    return tuple(_parse(path, number, line, Case) for path in files for number, line in _lines(path))


def read_queries(name: str = "retrieval_bank") -> tuple[Query, ...]:
    return read_lines(name, Query)


def read_lines(name: str, model: type[M]) -> tuple[M, ...]:
    """The lines of `cases/<name>.jsonl` as `model`."""
    path = FOLDER / f"{name}.jsonl"
    return tuple(_parse(path, number, line, model) for number, line in _lines(path))


def _lines(path: Path) -> list[tuple[int, str]]:
    return [(i, line) for i, line in enumerate(path.read_text("utf-8").split("\n"), start=1) if line.strip()]


def _parse(path: Path, number: int, line: str, model: type[M]) -> M:
    try:
        return model.model_validate(json.loads(line))
    except (ValidationError, json.JSONDecodeError) as error:
        raise AuthorError(f"{path.name}:{number}: not a case: {error}", hint="mend the line") from None
