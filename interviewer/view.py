"""State -> what a screen shows. Plain values, no widgets: the page and the terminal draw the same thing."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from interviewer.bank import Bank
from interviewer.domain import Level, Model, SandboxResult
from interviewer.events import Action
from interviewer.labels import labels
from interviewer.policy import MAX_SUBMISSIONS, hint_targets, next_step, snippet_on_show
from interviewer.report import QuestionReport, SnippetRow, question_report
from interviewer.scoring import HINTED_SHARE, LADDER_SHARE
from interviewer.session import LADDER, Phase, QuestionState, State
from interviewer.speech import speech

Mark = Literal["done", "now", "to_come"]


class Message(Model):
    """One bubble of the conversation."""

    role: Literal["interviewer", "candidate"]
    kind: str
    text: str
    question: str
    seq: int
    step: int = Field(default=0, description="Of a hint to the exercise: 1, 2 or 3.")


class CodeHint(Model):
    """The next hint to the exercise, and what it would cost."""

    step: int = Field(description="1, 2 or 3.")
    of: int
    earns: float = Field(description="Share that what the tests decide earns once it has been taken.")


class SnippetCard(Model):
    """A short program of a question: say what it prints, then run it, then change it."""

    question: str
    title: str
    prompt: str
    code: str
    tried: tuple[SnippetRow, ...]


class Card(Model):
    """The question on the table."""

    number: int
    of: int
    id: str
    title: str
    level: Level
    topic: str
    follow_ups: int


class CheckRow(Model):
    """One hidden check's result in the candidate's language."""

    title: str
    outcome: str
    advice: str = Field(description="Empty when it passed.")
    message: str


class Desk(Model):
    """The coding exercise on the desk."""

    exercise: str
    statement: str
    source: str = Field(description="The candidate's last code, else the starter.")
    starter: str
    examples: str
    run: SandboxResult | None
    checked: SandboxResult | None
    rows: tuple[CheckRow, ...]
    submissions_left: int


class Screen(Model):
    """Everything a screen needs. `seq` is to be sent back with the next move."""

    session_id: str
    seq: int
    language: str
    phase: Phase
    paused: bool
    mode: Literal["practice", "exam"]
    messages: tuple[Message, ...]
    card: Card | None
    dots: tuple[Mark, ...]
    actions: frozenset[Action]
    can_answer: bool
    hint_price: float = Field(description="Share of a criterion that a hint costs.")
    code_hint: CodeHint | None = Field(description="What `hint` gives next while code is open.")
    snippet: SnippetCard | None
    desk: Desk | None
    feedback: tuple[QuestionReport, ...] = Field(description="Closed questions, in practice mode.")
    model_notice: str = Field(description="Why the model's phrasing was not used last time; empty if it was.")


def make_screen(session_id: str, state: State, bank: Bank) -> Screen:
    """What a candidate sees of a session."""
    current = state.current
    language = state.settings.language
    closed = [q for q in state.questions if q.closed and q.question in bank.questions]
    show_feedback = state.settings.mode == "practice" or state.phase == "ended"
    return Screen(
        session_id=session_id,
        seq=state.seq,
        language=language,
        phase=state.phase,
        paused=state.paused,
        mode=state.settings.mode,
        messages=_messages(state),
        card=_card(state, bank, current),
        dots=tuple(_mark(i, state) for i in range(len(state.plan))),
        actions=_actions(state, bank),
        can_answer=not state.paused and state.phase in ("asking", "coding"),
        hint_price=1 - HINTED_SHARE,
        code_hint=_code_hint(bank, current),
        snippet=_snippet(state, bank),
        desk=_desk(state, bank, current),
        feedback=tuple(question_report(q.question, state, bank) for q in closed) if show_feedback else (),
        model_notice=state.model_failures[-1].why if _model_just_failed(state) else "",
    )


def _messages(state: State) -> tuple[Message, ...]:
    words = labels(state.settings.language)
    texts = speech(state.settings.language)
    rows = []
    for asked in state.questions:
        for turn in asked.turns:
            text = turn.text
            if turn.kind == "skip":
                text = words.skipped
            elif turn.kind == "dont_know":
                text = turn.text or words.dont_know
            step = LADDER.index(turn.target) + 1 if turn.kind == "hint" and turn.target in LADDER else 0
            rows.append(
                Message(role=turn.role, kind=turn.kind, text=text, question=asked.question, seq=turn.seq, step=step)
            )
    if state.ended is not None:
        text = texts.finished if state.ended == "finished" else texts.ended
        rows.append(Message(role="interviewer", kind="end", text=text, question="", seq=state.seq))
    return tuple(rows)


def _card(state: State, bank: Bank, current: QuestionState | None) -> Card | None:
    if current is None or current.question not in bank.questions:
        return None
    question = bank.questions[current.question]
    return Card(
        number=len(state.questions),
        of=len(state.plan),
        id=question.id,
        title=question.title[state.settings.language],
        level=question.level,
        topic=question.topic,
        follow_ups=len(current.probes),
    )


def _mark(position: int, state: State) -> Mark:
    if position >= len(state.questions):
        return "to_come"
    return "done" if state.questions[position].closed or state.phase == "ended" else "now"


def _actions(state: State, bank: Bank) -> frozenset[Action]:
    if state.phase == "ended":
        return frozenset()
    if state.paused:
        return frozenset(("resume", "end"))
    found: set[Action] = {"end"}
    if state.phase in ("asking", "coding"):
        found |= {"skip", "dont_know", "repeat", "pause"}
    if (
        state.phase == "asking"
        and state.current is not None
        and state.current.question in bank.rubrics
        and hint_targets(bank.rubrics[state.current.question], state.current)
    ):
        found.add("hint")
    if state.phase == "coding" and _code_hint(bank, state.current) is not None:
        found.add("hint")
    return frozenset(found)


def _code_hint(bank: Bank, current: QuestionState | None) -> CodeHint | None:
    if current is None or current.question not in bank.exercises:
        return None
    exercise = bank.exercises[current.question]
    step = next_step(exercise, current)
    if step is None:
        return None
    return CodeHint(step=step + 1, of=len(exercise.hints), earns=LADDER_SHARE[step + 1])


def _snippet(state: State, bank: Bank) -> SnippetCard | None:
    asked = None if state.paused else snippet_on_show(bank, state)
    snippet = bank.questions[asked.question].snippet if asked is not None else None
    if asked is None or snippet is None:
        return None
    return SnippetCard(
        question=asked.question,
        title=bank.questions[asked.question].title[state.settings.language],
        prompt=snippet.prompt[state.settings.language],
        code=snippet.code,
        tried=tuple(SnippetRow(predicted=t.predicted, change=t.change, result=t.result) for t in asked.tried),
    )


def _desk(state: State, bank: Bank, current: QuestionState | None) -> Desk | None:
    if current is None or not current.code_open or current.question not in bank.exercises:
        return None
    exercise = bank.exercises[current.question]
    language = state.settings.language
    starter = exercise.starter_in(language)
    return Desk(
        exercise=exercise.id,
        statement=exercise.statement[language],
        source=current.source if current.source is not None else starter,
        starter=starter,
        examples=exercise.examples,
        run=current.run,
        checked=current.checked,
        rows=check_rows(current.question, current.checked, state, bank),
        submissions_left=MAX_SUBMISSIONS - current.submissions,
    )


def check_rows(question_id: str, result: SandboxResult | None, state: State, bank: Bank) -> tuple[CheckRow, ...]:
    """A submission's checks with titles and advice in the candidate's language."""
    if result is None or question_id not in bank.exercises:
        return ()
    known = bank.exercises[question_id].checks
    language = state.settings.language
    return tuple(
        CheckRow(
            title=known[check.name].title[language] if check.name in known else check.name,
            outcome=check.outcome,
            advice=known[check.name].advice[language] if check.name in known and check.outcome != "passed" else "",
            message=check.message,
        )
        for check in result.checks
    )


def _model_just_failed(state: State) -> bool:
    failed = state.model_failures
    return bool(failed) and state.current is not None and failed[-1].question == state.current.question
