"""What can happen in a session. The log of these is the truth; state, screen and report are folds over it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, TypeAdapter, ValidationError

from interviewer.domain import Judgement, Language, Level, Model, SandboxResult, Slug
from interviewer.errors import UsageError

Action = Literal["hint", "skip", "dont_know", "repeat", "pause", "resume", "end"]
ACTIONS: tuple[Action, ...] = get_args(Action)
Speaker = Literal["authored", "model"]


class Settings(Model):
    """What the candidate chose. Together with the bank it determines the plan."""

    language: Language = "en"
    level: Level | None = Field(default=None, description="None takes all levels.")
    topics: tuple[Slug, ...] = Field(default=(), description="Empty takes all topics.")
    questions: tuple[Slug, ...] = Field(default=(), description="Exactly these, in this order, when given.")
    count: int = Field(default=5, ge=1, le=60)
    seed: int = Field(default=0, ge=0)
    code: bool = Field(default=True, description="Whether coding exercises are part of the interview.")
    mode: Literal["practice", "exam"] = "practice"
    drafts: bool = Field(default=False, description="Whether imported drafts in this language may be asked too.")


def read_settings(values: Mapping[str, Any], *, prefix: str = "", hint: str = "") -> Settings:
    """What a caller chose; UsageError names the first setting that is wrong, with `prefix` before its name."""
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        wanted = "expected a list of ids" if first["type"] == "tuple_type" else first["msg"]
        raise UsageError(f"{prefix}{first['loc'][0]}: {wanted} (found {first['input']!r:.60})", hint=hint) from None


class Started(Model):
    type: Literal["started"] = "started"
    settings: Settings
    plan: tuple[Slug, ...] = Field(min_length=1)
    bank_hash: str
    version: str


class Asked(Model):
    """The interviewer opened the next question of the plan."""

    type: Literal["asked"] = "asked"
    question: Slug
    text: str


class Answered(Model):
    """The candidate said something. Recorded before anything judges it."""

    type: Literal["answered"] = "answered"
    question: Slug
    text: str


class Judged(Model):
    """A judge's findings on the question's whole thread so far. Scoring takes the last one."""

    type: Literal["judged"] = "judged"
    question: Slug
    judgement: Judgement


class Probed(Model):
    """A follow-up aimed at one unmet criterion or at a misconception that was heard."""

    type: Literal["probed"] = "probed"
    question: Slug
    target: Slug
    text: str
    by: Speaker = "authored"


class Hinted(Model):
    """A hint, aimed at a criterion, or while code is open at a step of the exercise's ladder (`session.LADDER`)."""

    type: Literal["hinted"] = "hinted"
    question: Slug
    target: Slug
    text: str


class Repeated(Model):
    """The candidate asked to hear the question again, in other words."""

    type: Literal["repeated"] = "repeated"
    question: Slug
    text: str
    said: str = Field(default="", description="The candidate's words, when they typed it.")


class CodeOpened(Model):
    """The talk about a question is over and its coding exercise is on the desk."""

    type: Literal["code_opened"] = "code_opened"
    question: Slug
    text: str


class Noted(Model):
    """The interviewer took in what was said and the exercise stays open."""

    type: Literal["noted"] = "noted"
    question: Slug
    text: str


class CodeRan(Model):
    """A visible run: the candidate's source with the examples. Nothing is scored."""

    type: Literal["code_ran"] = "code_ran"
    question: Slug
    source: str
    result: SandboxResult


class SnippetRan(Model):
    """A question's snippet was run, after the candidate had said what it prints. Nothing is scored.

    The question may be closed by then: it is run when its answer is known, and that may have been the last word on it.
    """

    type: Literal["snippet_ran"] = "snippet_ran"
    question: Slug
    predicted: str = Field(default="", description="What the candidate said it would print.")
    change: str = Field(default="", description="The candidate's change to it, see `sandbox.change`.")
    result: SandboxResult


class CodeSubmitted(Model):
    """Recorded before the hidden checks run, so that a crash loses nothing."""

    type: Literal["code_submitted"] = "code_submitted"
    question: Slug
    source: str


class CodeChecked(Model):
    type: Literal["code_checked"] = "code_checked"
    question: Slug
    result: SandboxResult
    judgement: Judgement


class CheckFailed(Model):
    """The sandbox itself failed. The submission stays unscored and may be sent again."""

    type: Literal["check_failed"] = "check_failed"
    question: Slug
    what: str = Field(description="For the operator.")
    text: str = Field(default="", description="What the interviewer says about it.")


class GaveUp(Model):
    """The candidate said "I don't know" to what was last asked, by button or in words (`text`)."""

    type: Literal["gave_up"] = "gave_up"
    question: Slug
    text: str = ""


class Skipped(Model):
    type: Literal["skipped"] = "skipped"
    question: Slug


class Reacted(Model):
    """What the interviewer says on leaving a question or after a judged answer. Never scores."""

    type: Literal["reacted"] = "reacted"
    question: Slug
    text: str
    by: Speaker = "authored"


class Closed(Model):
    """The question is over."""

    type: Literal["closed"] = "closed"
    question: Slug


class ModelFailed(Model):
    """A phrasing model was slow, failing or leaking; the authored text was used instead."""

    type: Literal["model_failed"] = "model_failed"
    question: Slug
    why: Literal["slow", "error", "leak", "empty", "language"]
    detail: str = ""


class DeliveryJudged(Model):
    """What was found on how the candidate spoke, over the whole interview. Recorded once, after its end."""

    type: Literal["delivery_judged"] = "delivery_judged"
    judgement: Judgement


class Paused(Model):
    type: Literal["paused"] = "paused"


class Resumed(Model):
    type: Literal["resumed"] = "resumed"


class Ended(Model):
    type: Literal["ended"] = "ended"
    why: Literal["finished", "candidate"]


Event = Annotated[
    Started
    | Asked
    | Answered
    | Judged
    | Probed
    | Hinted
    | Repeated
    | CodeOpened
    | Noted
    | CodeRan
    | SnippetRan
    | CodeSubmitted
    | CodeChecked
    | CheckFailed
    | GaveUp
    | Skipped
    | Reacted
    | Closed
    | ModelFailed
    | Paused
    | Resumed
    | Ended
    | DeliveryJudged,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event)


class Recorded(Model):
    """An event in its place: `seq` counts from 0 without gaps within a session; `at` is UTC."""

    seq: int = Field(ge=0)
    at: datetime
    event: Event
