"""What the interviewer does next, and what a candidate's action comes to: a state in, events out. Records nothing.

Each step depends on the state alone, so an interview that died anywhere goes on from its log.
"""

from __future__ import annotations

from interviewer import policy, reactions
from interviewer.bank import Bank
from interviewer.domain import Judgement, Question, Rubric, Verdict
from interviewer.errors import OperatorError, UsageError
from interviewer.events import (
    ACTIONS,
    Asked,
    Closed,
    CodeOpened,
    Ended,
    Event,
    GaveUp,
    Hinted,
    Judged,
    ModelFailed,
    Noted,
    Paused,
    Probed,
    Reacted,
    Repeated,
    Resumed,
    Skipped,
)
from interviewer.judging.evidence import refuse_invented
from interviewer.judging.leak import LeakGate
from interviewer.phrasing import FollowUp, OnText, Phraser
from interviewer.ports import Judge
from interviewer.scoring import score_question
from interviewer.session import LADDER, QuestionState, State, legal
from interviewer.speech import speech


class NoHint(UsageError):
    """There is no hint left to give; `what` says so in the interview's language."""


class Engine:
    """The moves of an interview over one bank."""

    def __init__(self, bank: Bank, judge: Judge, gate: LeakGate, phraser: Phraser) -> None:
        self.bank = bank
        self._judge = judge
        self._gate = gate
        self._phraser = phraser

    def step(self, state: State, on_text: OnText | None) -> tuple[Event, ...]:
        match state.phase:
            case "between":
                return self._ask_next(state)
            case "judging":
                return (self._judge_answer(state),)
            case "deciding":
                return self._decide(state, on_text)
            case "coding" if policy.code_is_done(self.current(state)):
                return (self._react_to_code(state),)
            case "closing":
                return self._close(state)
            case _:
                return ()

    def _ask_next(self, state: State) -> tuple[Event, ...]:
        upcoming = [q for q in state.upcoming if q in self.bank.questions]
        if not upcoming:
            return (Ended(why="finished"),)
        question = self.bank.questions[upcoming[0]]
        return (Asked(question=question.id, text=question.text[state.settings.language]),)

    def _judge_answer(self, state: State) -> Judged:
        question, rubric, current = self.material(state)
        try:
            judgement = self._judge.judge(question, rubric, current.thread, state.settings.language)
        except Exception as error:  # whatever a judge dies of, the candidate is not to pay
            judgement = Judgement(
                judge=self._judge.name,
                version=self._judge.version,
                verdicts=tuple(
                    Verdict(criterion=c.id, outcome="unsure", confidence=0.0, reason=f"judge failed: {error!r:.200}")
                    for c in rubric.talk
                ),
            )
        return Judged(question=question.id, judgement=refuse_invented(judgement, current.thread))

    def _decide(self, state: State, on_text: OnText | None) -> tuple[Event, ...]:
        question, rubric, current = self.material(state)
        language = state.settings.language
        texts = speech(language)
        if current.code_open:
            return (Noted(question=question.id, text=texts.pick(texts.still_open, state.seq)),)
        leaks = self._leaks(state)
        target = next((t for t in policy.follow_ups(rubric, current) if t.probe and not leaks(t.probe[language])), None)
        reaction = reactions.react(rubric, current, language, state.seq, leaks)
        if target is not None and target.probe is not None:
            return self._probe(state, target, texts.between.join((reaction, target.probe[language])), on_text)
        if state.settings.code and question.id in self.bank.exercises:
            return (
                CodeOpened(
                    question=question.id, text=texts.between.join((reaction, texts.pick(texts.to_code, state.seq)))
                ),
            )
        return (Reacted(question=question.id, text=reaction),)

    def _probe(self, state: State, target: policy.Target, authored: str, on_text: OnText | None) -> tuple[Event, ...]:
        question, rubric, current = self.material(state)
        language = state.settings.language
        last = next((t.text for t in reversed(current.turns) if t.role == "candidate"), "")
        shown = tuple(c.nod[language] for c in rubric.talk if c.id not in self._open_ids(rubric, current))
        phrased = self._phraser.follow_up(
            FollowUp(
                question=question,
                rubric=rubric,
                target=target,
                language=language,
                answer=last,
                shown=shown,
                open_ids=self._open_ids(rubric, current),
                authored=authored,
            ),
            on_text,
        )
        said = Probed(question=question.id, target=target.id, text=phrased.text, by=phrased.by)
        if phrased.failure is None:
            return (said,)
        return (ModelFailed(question=question.id, why=phrased.failure, detail=phrased.detail), said)

    def _react_to_code(self, state: State) -> Reacted:
        current = self.current(state)
        total = len(self.bank.exercises[current.question].checks)
        text = reactions.react_to_code(current, total, state.settings.language, state.seq)
        return Reacted(question=current.question, text=text)

    def _close(self, state: State) -> tuple[Event, ...]:
        _, rubric, current = self.material(state)
        closed = Closed(question=current.question)
        if current.reacted:
            return (closed,)
        text = reactions.react(rubric, current, state.settings.language, state.seq, self._leaks(state))
        return (Reacted(question=current.question, text=text), closed)

    def action(self, state: State, action: str) -> Event:
        match action:
            case "pause":
                event: Event = Paused()
            case "resume":
                event = Resumed()
            case "end":
                event = Ended(why="candidate")
            case "skip":
                event = Skipped(question=self.open_question(state, action))
            case "dont_know":
                event = GaveUp(question=self.open_question(state, action))
            case "repeat":
                self.open_question(state, action)
                event = self.repeat(state)
            case "hint":
                event = self._hint(state)
            case _:
                raise UsageError(f"no action '{action[:40]}'", hint=f"actions are {', '.join(ACTIONS)}")
        if not legal(state, event):
            where = "paused" if state.paused else state.phase
            raise UsageError(f"'{action}' is not possible now (the interview is {where})")
        return event

    def _hint(self, state: State) -> Hinted:
        _, rubric, current = self.material(state)
        texts = speech(state.settings.language)
        if current.code_open:
            return self._ladder_hint(state)
        leaks = self._leaks(state)
        for criterion in policy.hint_targets(rubric, current):
            hint = criterion.hint[state.settings.language] if criterion.hint else ""
            if hint and not leaks(hint):
                return Hinted(question=current.question, target=criterion.id, text=hint)
        raise NoHint(texts.no_hint)

    def _ladder_hint(self, state: State) -> Hinted:
        """The next step of the exercise's ladder. Written to help with the code, so the leak gate has no say in it."""
        current = self.current(state)
        exercise = self.bank.exercises[current.question]
        step = policy.next_step(exercise, current)
        if step is None:
            texts = speech(state.settings.language)
            raise NoHint(texts.no_hint if exercise.hints else texts.no_hint_code)
        return Hinted(
            question=current.question, target=LADDER[step], text=exercise.hints[step][state.settings.language]
        )

    def repeat(self, state: State, said: str = "") -> Repeated:
        question, rubric, current = self.material(state)
        language = state.settings.language
        if current.code_open:
            text = self.bank.exercises[current.question].statement[language]
        elif current.target:
            targets: tuple[policy.Target, ...] = (*rubric.talk, *rubric.misconceptions)
            # The question alone, without what was said before it.
            probe = next((x.probe for x in targets if x.id == current.target), None)
            text = probe[language] if probe else next(t.text for t in reversed(current.turns) if t.kind == "probe")
        else:
            text = question.rephrased[language]
        return Repeated(question=current.question, text=text, said=said)

    def open_question(self, state: State, what: str) -> str:
        if state.paused:
            raise UsageError(f"'{what}' is not possible: the interview is paused", hint="resume it first")
        if state.phase == "checking":
            raise UsageError(f"'{what}' is not possible: the code is being checked", hint="wait, or cancel it")
        if state.current is None or state.phase not in ("asking", "coding"):
            raise UsageError(f"'{what}' is not possible: no question is open", hint="start a new interview")
        return state.current.question

    def current(self, state: State) -> QuestionState:
        if state.current is None:
            raise UsageError("no question is open", hint="start a new interview")
        return state.current

    def material(self, state: State) -> tuple[Question, Rubric, QuestionState]:
        current = self.current(state)
        if current.question not in self.bank.questions:
            raise OperatorError(
                f"question '{current.question}' of this session is no longer in the bank",
                hint="restore its files, or end the session",
            )
        return self.bank.questions[current.question], self.bank.rubrics[current.question], current

    def _open_ids(self, rubric: Rubric, current: QuestionState) -> frozenset[str]:
        lines = score_question(rubric, current).criteria
        return frozenset(x.criterion.id for x in lines if x.criterion.by == "talk" and x.missing > 0)

    def _leaks(self, state: State) -> reactions.Leaks:
        question, rubric, current = self.material(state)
        open_ids = self._open_ids(rubric, current)
        return lambda text: bool(self._gate.leaks(question, rubric, text, state.settings.language, open_ids))
