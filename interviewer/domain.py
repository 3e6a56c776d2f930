"""The nouns of an interview. Frozen, validated, without I/O: an invalid value cannot exist."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

Language = Literal["en", "ru", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

Level = Literal["junior", "middle", "senior"]
LEVELS: tuple[Level, ...] = get_args(Level)

Outcome = Literal["met", "partial", "not_met", "unsure"]
CheckOutcome = Literal["passed", "failed", "error", "timeout", "not_run"]
SandboxVerdict = Literal["passed", "failed", "error", "timeout", "memory", "refused"]
Profile = Literal["base", "workers", "dist", "compile"]

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]


class Model(BaseModel):
    """Base of every noun: frozen, unknown fields forbidden."""

    model_config = ConfigDict(frozen=True, extra="forbid")


_WIDE = "[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef“”‘’…—]"
_BETWEEN_WIDE = re.compile(f"(?<={_WIDE}) (?={_WIDE})|(?<=[，。；：！？、）]) (?=[^\\s|*#>-])")


def unfolded(text: str) -> str:
    """The text without the spaces that a folded YAML block leaves where a Chinese line was broken.

    >>> unfolded("梯度会累加， 所以 step 之前要清零")
    '梯度会累加，所以 step 之前要清零'
    """
    return _BETWEEN_WIDE.sub("", text)


Chinese = Annotated[Text, AfterValidator(unfolded)]


class LocalText(Model):
    """One text in the three languages."""

    en: Text
    ru: Text
    zh: Chinese

    def __getitem__(self, language: Language) -> str:
        return {"en": self.en, "ru": self.ru, "zh": self.zh}[language]


class LocalTexts(Model):
    """Several texts in each of the three languages. The lists are parallel in meaning, not translations."""

    en: tuple[Text, ...] = Field(min_length=1)
    ru: tuple[Text, ...] = Field(min_length=1)
    zh: tuple[Chinese, ...] = Field(min_length=1)

    def __getitem__(self, language: Language) -> tuple[str, ...]:
        return {"en": self.en, "ru": self.ru, "zh": self.zh}[language]

    @model_validator(mode="after")
    def _same_count(self) -> Self:
        counts = {language: len(self[language]) for language in LANGUAGES}
        if len(set(counts.values())) > 1:
            raise ValueError(f"the languages have different numbers of texts: {counts}")
        return self


# --- content -----------------------------------------------------------------------------------


class Accepted(Model):
    """Accepted answers: what a strong candidate says in a minute, and what a good chapter says."""

    concise: LocalText
    full: LocalText


class Snippet(Model):
    """A predict-then-run card: a short program and what it really prints."""

    prompt: LocalText
    code: Text
    output: str = Field(description="What the program prints with the pinned torch; a test runs it.")


class Check(Model):
    """What one hidden check verifies, said so that a candidate can act on a failure."""

    title: LocalText
    advice: LocalText = Field(description="Shown when it fails: what to look at, never the solution.")


class WrongSolution(Model):
    """A mistake people really make, which the checks must reject."""

    mistake: LocalText
    killed_by: Annotated[str, StringConstraints(pattern=r"^check_\w+$")]
    source: str = ""


class Exercise(Model):
    """A coding task with its files' texts. `checks_source` never reaches the candidate's process."""

    id: Slug
    profile: Profile = "base"
    statement: LocalText
    docstring: LocalText = Field(description="Replaces __DOC__ in the starter, in the candidate's language.")
    checks: Mapping[str, Check]
    wrong: Mapping[str, WrongSolution]
    starter: str
    reference: str
    checks_source: str
    examples: str = Field(description="Visible script that Run executes after the candidate's code.")
    scaffold: str | None = Field(default=None, description="Helpers loaded beside the candidate's code. Not secret.")
    forbidden: tuple[Annotated[str, StringConstraints(pattern=r"^torch(\.\w+)+$")], ...] = Field(
        default=(), max_length=50, description="Built-ins whose use is reported to the interviewer; it fails nothing."
    )

    hints: tuple[LocalText, ...] = Field(
        default=(), max_length=3, description="A ladder: the first names a direction, the last one almost the solution."
    )

    def starter_in(self, language: Language) -> str:
        """The starter with its docstring in `language`, indented as the placeholder is."""
        lines = []
        for line in self.starter.splitlines():
            before, mark, after = line.partition("__DOC__")
            if mark:
                indent = " " * (len(line) - len(line.lstrip()))
                before += ("\n" + indent).join(self.docstring[language].splitlines()) + after
            lines.append(before)
        return "\n".join(lines) + "\n"


class Criterion(Model):
    """One fact or skill a good answer shows."""

    id: Slug
    weight: int = Field(gt=0, le=10, description="Points relative to the question's other criteria.")
    by: Literal["talk", "tests"] = "talk"
    senior: bool = Field(default=False, description="Separates a senior answer from a junior one.")
    says: LocalText = Field(description="What must be said or shown.")
    nod: LocalText = Field(description="Names the point in passing, for a reaction once it is met.")
    meets: LocalTexts | None = Field(default=None, description="Phrasings that meet it.")
    lookalikes: LocalTexts | None = Field(default=None, description="Phrasings that only look as if they met it.")
    probe: LocalText | None = Field(default=None, description="Asks for the point without saying it.")
    hint: LocalText | None = Field(default=None, description="Points in the direction without saying it.")
    checks: tuple[str, ...] = Field(default=(), description="Names of the hidden checks that decide it.")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        talk = (self.meets, self.lookalikes, self.probe, self.hint)
        if self.by == "talk" and (None in talk or self.checks):
            raise ValueError("a talk criterion needs meets, lookalikes, probe and hint, and no checks")
        if self.by == "tests" and (not self.checks or any(part is not None for part in talk)):
            raise ValueError("a tests criterion needs checks, and no meets, lookalikes, probe or hint")
        return self


class Misconception(Model):
    """A wrong belief worth hearing: it costs points and earns a probe that exposes it."""

    id: Slug
    penalty: int = Field(gt=0, le=10)
    belief: LocalText
    sounds_like: LocalTexts
    probe: LocalText
    contradicts: tuple[Slug, ...] = Field(
        default=(), description="Criteria that, met in a later turn, show the candidate has corrected it."
    )


class Rubric(Model):
    """How one question is scored."""

    question: Slug
    criteria: tuple[Criterion, ...] = Field(min_length=4, max_length=7)
    misconceptions: tuple[Misconception, ...] = Field(min_length=2)

    @model_validator(mode="after")
    def _references(self) -> Self:
        ids = [c.id for c in self.criteria] + [m.id for m in self.misconceptions]
        twice = sorted({i for i in ids if ids.count(i) > 1})
        if twice:
            raise ValueError(f"ids used twice: {', '.join(twice)}")
        known = {c.id for c in self.criteria}
        for misconception in self.misconceptions:
            missing = set(misconception.contradicts) - known
            if missing:
                raise ValueError(f"misconception {misconception.id} contradicts unknown {sorted(missing)}")
        return self

    def criterion(self, criterion_id: str) -> Criterion:
        return next(c for c in self.criteria if c.id == criterion_id)

    @property
    def talk(self) -> tuple[Criterion, ...]:
        return tuple(c for c in self.criteria if c.by == "talk")

    @property
    def tests(self) -> tuple[Criterion, ...]:
        return tuple(c for c in self.criteria if c.by == "tests")


class Question(Model):
    """One row of the bank."""

    id: Slug
    level: Level
    frequency: Literal["very_common", "common"]
    topic: Slug
    kind: Literal["talk", "predict", "code"]
    sources: tuple[Annotated[str, StringConstraints(pattern=r"^(R\d+|A\d+|Z (I|II|III|IV|V)\.\d+)$")], ...] = Field(
        min_length=1, description="Seed items, as R n, A n, Z section.n"
    )
    title: LocalText
    text: LocalText
    rephrased: LocalText = Field(description="The same question in other words, for a candidate who asks.")
    accepted: Accepted
    errata: tuple[LocalText, ...] = ()
    docs: tuple[Text, ...] = Field(min_length=1, description="Official documentation pages, by name.")
    asked_as: LocalTexts | None = Field(
        default=None, description="Ways people ask or search for it. Never shown: they help to find the question."
    )
    snippet: Snippet | None = None


# --- what a candidate says and what came of it ---------------------------------------------------


class Evidence(Model):
    """The candidate's own words: `quote` is text[start:end] of the turn recorded as event `seq`."""

    seq: int = Field(ge=0)
    start: int = Field(ge=0)
    end: int = Field(gt=0)
    quote: str = Field(min_length=1)


class Verdict(Model):
    """A judge's finding on one criterion. No quote and no test result, no credit."""

    criterion: Slug
    outcome: Outcome
    confidence: float = Field(ge=0, le=1, description="Probability that the outcome is right, as the judge sees it.")
    evidence: Evidence | None = None
    checks: tuple[str, ...] = ()
    reason: str = ""

    @model_validator(mode="after")
    def _grounded(self) -> Self:
        if self.outcome in ("met", "partial") and self.evidence is None and not self.checks:
            raise ValueError(f"criterion {self.criterion}: {self.outcome} without a quote or a test result")
        return self


class Heard(Model):
    """A misconception found in the candidate's words."""

    misconception: Slug
    confidence: float = Field(ge=0, le=1)
    evidence: Evidence


class Judgement(Model):
    """All verdicts on one question at one moment, and who gave them."""

    judge: str
    version: str
    verdicts: tuple[Verdict, ...]
    heard: tuple[Heard, ...] = ()


class CheckResult(Model):
    """One hidden check's outcome as the judge process saw it."""

    name: str
    outcome: CheckOutcome
    message: str = ""


class Finding(Model):
    """A use of a built-in that the exercise forbids. For the interviewer to ask about, never a reason to fail."""

    name: str = Field(description="The built-in, as the exercise names it.")
    line: int = Field(ge=0, description="Line in the candidate's source; 0 when it is not known.")
    how: Literal["import", "name", "alias", "getattr", "method", "called"] = Field(
        description="How it was noticed: in the source, or `called` while the code ran (hearsay)."
    )


class SandboxResult(Model):
    """What came back from the sandbox. The verdict never comes from the process that ran the code."""

    verdict: SandboxVerdict
    reason: str = Field(default="", description="A stable code such as syntax_error, exited, wall_clock.")
    message: str = Field(default="", description="One sentence for the candidate, English; the UI translates reason.")
    checks: tuple[CheckResult, ...] = ()
    stdout: str = ""
    traceback: str = ""
    seconds: float = Field(ge=0)
    backend: str
    layers: tuple[str, ...]
    findings: tuple[Finding, ...] = Field(default=(), description="Forbidden built-ins that the code uses.")
    pictures: tuple[str, ...] = Field(default=(), description="Figures of a visible run: PNG files in base64.")
    value: str = Field(default="", description="What the last line is worth, where it is an expression.")
    raised: str = Field(default="", description="Type and message of the exception that ended a visible run.")
    device: Literal["cpu", "cuda"] = Field(default="cpu", description="Where the candidate's tensors were.")
    on_gpu: tuple[CheckResult, ...] = Field(default=(), description="The same checks, repeated on a GPU.")

    @property
    def first_failure(self) -> str:
        """The first check that did not pass, or the reason in brackets when the run ended before any did."""
        failed = next((c.name for c in self.checks if c.outcome not in ("passed", "not_run")), "")
        return failed or (f"({self.reason})" if self.verdict != "passed" else "")


class Turn(Model):
    """One utterance in a question's thread. `seq` is its event's number in the session."""

    seq: int
    role: Literal["interviewer", "candidate"]
    kind: str
    text: str
    target: str | None = Field(default=None, description="Criterion or misconception a follow-up or hint aims at.")


class Thread(Model):
    """The conversation about one question, in order."""

    question: Slug
    turns: tuple[Turn, ...] = ()

    @property
    def answers(self) -> tuple[Turn, ...]:
        return tuple(t for t in self.turns if t.role == "candidate" and t.kind == "answer")


class Passage(Model):
    """A retrieved document."""

    id: str
    question: Slug
    kind: Literal["question", "accepted", "criterion", "misconception"]
    language: Language
    text: str
    score: float = 0.0


class Score(Model):
    """Points earned of points possible. `coverage` is the share of the rubric's weight that was judged."""

    earned: float = Field(ge=0)
    possible: float = Field(ge=0)
    coverage: float = Field(ge=0, le=1)

    @property
    def share(self) -> float | None:
        """Earned / possible in 0..1, or None when nothing could be judged."""
        return self.earned / self.possible if self.possible else None
