"""Drafts: imported questions that nobody has turned into content yet, each in one language.

A draft becomes an ordinary question and rubric for that one language, so that it can be asked, judged and reported like
any other. What it cannot do follows from what it lacks: without an accepted answer there is nothing to score it by, and
it is not asked; without probes there are no follow-ups; and the judge knows each criterion from one sentence.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator

from interviewer.domain import (
    Accepted,
    Criterion,
    Language,
    Level,
    LocalText,
    LocalTexts,
    Misconception,
    Model,
    Question,
    Rubric,
    Slug,
    Text,
)
from interviewer.labels import labels
from interviewer.yaml_source import read_yaml, shown

DraftId = Annotated[str, StringConstraints(pattern=r"^draft(-[a-z0-9]+)+$", max_length=60)]
MAX_FILES = 5_000
"""Draft files that are read; the rest of a folder is reported."""


class DraftPoint(Model):
    """A claim of the accepted answer, to be a criterion. An author may add probe and hint in its language."""

    id: Slug
    weight: int = Field(gt=0, le=10)
    says: Text
    probe: Text | None = None
    hint: Text | None = None


class Draft(Model):
    """An imported question. `duplicate_of` is the bank's question that asks the same, as far as vectors tell."""

    draft: Literal[True] = True
    id: DraftId
    kind: Literal["question", "skill"] = "question"
    language: Language
    level: Level | None = None
    frequency: Literal["very_common", "common"] | None = None
    title: Text
    text: Text
    answer: Text | None = None
    points: tuple[DraftPoint, ...] = Field(default=(), max_length=12)
    duplicate_of: Slug | None = Field(default=None, description="Delete it to have the draft asked all the same.")
    nearest: Slug | None = Field(default=None, description="The question of the bank that is most like it.")
    similarity: float | None = Field(default=None, ge=-1, le=1, description="Cosine to the nearest question.")
    source: Text = Field(description="File and line it was read from.")

    @model_validator(mode="after")
    def _ids(self) -> Self:
        ids = [point.id for point in self.points]
        twice = sorted({i for i in ids if ids.count(i) > 1})
        if twice:
            raise ValueError(f"ids used twice: {', '.join(twice)}")
        return self

    @property
    def askable(self) -> bool:
        """Whether there is something to score an answer by."""
        return self.kind == "question" and bool(self.points)


class DraftCriterion(Criterion):
    """A talk criterion that may lack probe and hint."""

    asks: ClassVar[bool] = False


class DraftRubric(Rubric):
    """As many criteria as the accepted answer has claims."""

    criteria: tuple[DraftCriterion, ...] = Field(min_length=1, max_length=12)
    misconceptions: tuple[Misconception, ...] = ()


class DraftQuestion(Question):
    """Its texts are in `language`, whatever language they are asked for."""

    language: Language
    duplicate_of: Slug | None = None
    docs: tuple[Text, ...] = ()


def as_question(draft: Draft) -> tuple[DraftQuestion, DraftRubric]:
    """The question and rubric of an askable draft, for interviews in its language.

    A level that the list did not give counts as middle. The look-alikes of a criterion are what the judge must not
    take for it: the question itself and the other claims.
    """
    words = labels(draft.language)
    said = draft.answer or "\n".join(point.says for point in draft.points)
    said = f"{said}\n\n*{words.draft_note}*"
    question = DraftQuestion(
        id=draft.id,
        language=draft.language,
        duplicate_of=draft.duplicate_of,
        level=draft.level or "middle",
        frequency=draft.frequency or "common",
        topic="imported",
        kind="talk",
        title=_local(words.draft.format(title=draft.title)),
        text=_local(draft.text),
        rephrased=_local(draft.text),
        accepted=Accepted(concise=_local(said), full=_local(said)),
    )
    return question, DraftRubric(question=draft.id, criteria=tuple(_criterion(point, draft) for point in draft.points))


def _criterion(point: DraftPoint, draft: Draft) -> DraftCriterion:
    others = tuple(other.says for other in draft.points if other.id != point.id)
    return DraftCriterion(
        id=point.id,
        weight=point.weight,
        says=_local(point.says),
        nod=_quoted(point.says),
        meets=_locals(point.says),
        lookalikes=_locals(draft.text, *others),
        probe=_local(point.probe) if point.probe else None,
        hint=_local(point.hint) if point.hint else None,
    )


def _local(text: str) -> LocalText:
    return LocalText(en=text, ru=text, zh=text)


def _quoted(text: str) -> LocalText:
    """A whole sentence as it can stand inside another one."""
    bare = text.rstrip(".。 ")
    return LocalText(en=f"“{bare}”", ru=f"«{bare}»", zh=f"“{bare}”")


def _locals(*texts: str) -> LocalTexts:
    return LocalTexts(en=texts, ru=texts, zh=texts)


def read_drafts(folder: Path) -> tuple[tuple[Draft, ...], tuple[str, ...]]:
    """The drafts below a folder, one subfolder an import, and every fault. No folder, no drafts."""
    drafts: dict[str, Draft] = {}
    faults: list[str] = []
    paths = sorted(folder.glob("*/draft-*.yaml"))
    if len(paths) > MAX_FILES:
        faults.append(f"{folder.name}/: {len(paths)} drafts, the first {MAX_FILES} are read")
    for path in paths[:MAX_FILES]:
        draft, found = read_draft(path)
        faults += found
        if draft is not None and draft.id in drafts:
            faults.append(f"{shown(path)}: the id '{draft.id}' is used twice")
        elif draft is not None:
            drafts[draft.id] = draft
    return tuple(drafts.values()), tuple(faults)


def read_draft(path: Path) -> tuple[Draft | None, tuple[str, ...]]:
    """One file: the draft, or None and what is wrong with it."""
    source = read_yaml(path)
    if source.faults:
        return None, source.faults
    try:
        draft = Draft.model_validate(source.data)
    except ValidationError as error:
        return None, source.explain(error)
    if draft.id != path.stem:
        return None, (f"{shown(path)}: id: is '{draft.id}', but the file is named {path.stem}",)
    return draft, ()
