"""The shell around the core: records what the candidate does, then lets the engine move until it is their turn again.

Everything the candidate says is on disk before anything is computed from it. Each engine step records its events and
depends on the log alone, so `advance` also resumes an interview that died at any point.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from weakref import WeakValueDictionary

from interviewer import __version__, policy, reactions
from interviewer.bank import Bank
from interviewer.cleaning import clean
from interviewer.domain import Judgement, Question, Rubric, Verdict
from interviewer.errors import OperatorError, UsageError
from interviewer.events import (
    ACTIONS,
    Answered,
    Asked,
    CheckFailed,
    Closed,
    CodeChecked,
    CodeOpened,
    CodeRan,
    CodeSubmitted,
    DeliveryJudged,
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
    Settings,
    Skipped,
    Started,
)
from interviewer.judging.evidence import judge_delivery, refuse_invented
from interviewer.judging.leak import LeakGate
from interviewer.judging.tests import judge_tests
from interviewer.phrasing import FollowUp, OnText, Phraser
from interviewer.ports import DeliveryJudge, Judge, Sandbox, SeqTaken, Store
from interviewer.scoring import score_question
from interviewer.session import QuestionState, State, evolve, legal, replay
from interviewer.speech import speech

Clock = Callable[[], datetime]


class Stale(UsageError):
    """The session has moved on since the caller looked: another tab, or the same answer sent twice."""

    def __init__(self) -> None:
        super().__init__("the interview has moved on since this page was drawn", hint="look at the new question")


class NoHint(UsageError):
    """There is no hint left to give; `what` says so in the interview's language."""


class Interviewer:
    """Conducts interviews. One instance serves many sessions; each session moves one step at a time."""

    def __init__(  # noqa: PLR0913 - the parts of an interviewer, wired in one place
        self,
        bank: Bank,
        store: Store,
        judge: Judge,
        sandbox: Sandbox,
        gate: LeakGate,
        phraser: Phraser,
        *,
        delivery: DeliveryJudge | None = None,
        clock: Clock = lambda: datetime.now(UTC),
    ) -> None:
        self.bank = bank
        self._store = store
        self._judge = judge
        self._sandbox = sandbox
        self._gate = gate
        self._phraser = phraser
        self._delivery = delivery
        self._clock = clock
        self._locks: WeakValueDictionary[str, threading.RLock] = WeakValueDictionary()
        self._locks_guard = threading.Lock()

    # --- what a candidate can do -------------------------------------------------------------

    def start(self, settings: Settings) -> str:
        """Plan an interview, ask its first question, and return the session's id (unguessable)."""
        session_id = secrets.token_urlsafe(16)
        plan = policy.plan(self.bank, settings)
        started = Started(settings=settings, plan=plan, bank_hash=self.bank.hash, version=__version__)
        self._store.append(session_id, 0, (started,), self._clock())
        self.advance(session_id)
        return session_id

    def state(self, session_id: str) -> State:
        """The session as recorded. UsageError for an id that does not exist."""
        log = self._store.load(session_id)
        if not log:
            raise UsageError(f"no session '{session_id[:40]}'", hint="see `viva sessions` for the ids")
        return replay(log)

    def answer(self, session_id: str, text: str, *, seen: int | None = None, on_text: OnText | None = None) -> State:
        """Record what the candidate said, judge it, and move on. `seen`: the `seq` the caller looked at."""
        text = clean(text)
        with self._lock(session_id):
            state = self._now(session_id, seen)
            question_id = self._open_question(state, "answer")
            texts = speech(state.settings.language)
            if state.phase == "asking" and texts.means_dont_know(text):
                event: Event = GaveUp(question=question_id, text=text)
            elif texts.means_repeat(text):
                event = self._repeat(state, text)
            else:
                event = Answered(question=question_id, text=text)
            self._record(session_id, state, event)
            return self.advance(session_id, on_text)

    def act(self, session_id: str, action: str, *, seen: int | None = None, on_text: OnText | None = None) -> State:
        """hint, skip, dont_know, repeat, pause, resume or end. UsageError when that is not possible now."""
        with self._lock(session_id):
            try:
                state = self._now(session_id, seen)
            except OperatorError:
                if action != "end":  # what cannot go on can still be ended
                    raise
                state = self.state(session_id)
            self._record(session_id, state, self._action_event(state, action))
            return self.advance(session_id, on_text)

    def run_code(self, session_id: str, source: str, *, seen: int | None = None) -> State:
        """Run the candidate's code with the visible examples. Nothing is scored."""
        source = clean(source)
        with self._lock(session_id):
            state = self._desk(session_id, self._now(session_id, seen))
            question = self._current(state)
            exercise = self.bank.exercises[question.question]
            result = self._sandbox.run(
                source, examples=exercise.examples, scaffold=exercise.scaffold, profile=exercise.profile
            )
            return self._record(session_id, state, CodeRan(question=exercise.id, source=source, result=result))

    def submit_code(
        self, session_id: str, source: str, *, seen: int | None = None, on_text: OnText | None = None
    ) -> State:
        """Send code to the hidden checks. It is recorded before they run."""
        source = clean(source)
        with self._lock(session_id):
            state = self._desk(session_id, self._now(session_id, seen))
            question = self._current(state)
            self._record(session_id, state, CodeSubmitted(question=question.question, source=source))
            return self.advance(session_id, on_text)

    def advance(self, session_id: str, on_text: OnText | None = None) -> State:
        """Let the engine move until the candidate is to move or the interview is over. Safe to call at any time."""
        with self._lock(session_id):
            state = self.state(session_id)
            while not state.paused:
                try:
                    events = self._step(state, on_text)
                    if not events:
                        break
                    state = self._record(session_id, state, *events)
                except Stale:  # another process advanced this session: look again
                    state = self.state(session_id)
            return state

    # --- the engine's moves, one phase each ----------------------------------------------------

    def _step(self, state: State, on_text: OnText | None) -> tuple[Event, ...]:
        match state.phase:
            case "between":
                return self._ask_next(state)
            case "judging":
                return (self._judge_answer(state),)
            case "deciding":
                return self._decide(state, on_text)
            case "checking":
                return (self._check_code(state),)
            case "coding" if policy.code_is_done(self._current(state)):
                return (self._react_to_code(state),)
            case "closing":
                return self._close(state)
            case "ended" if self._delivery and not state.delivery and state.transcript.answers:
                return (DeliveryJudged(judgement=judge_delivery(self._delivery, state.transcript)),)
            case _:
                return ()

    def _ask_next(self, state: State) -> tuple[Event, ...]:
        upcoming = [q for q in state.upcoming if q in self.bank.questions]
        if not upcoming:
            return (Ended(why="finished"),)
        question = self.bank.questions[upcoming[0]]
        return (Asked(question=question.id, text=question.text[state.settings.language]),)

    def _judge_answer(self, state: State) -> Judged:
        question, rubric, current = self._material(state)
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
        question, rubric, current = self._material(state)
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
        question, rubric, current = self._material(state)
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

    def _check_code(self, state: State) -> CodeChecked | CheckFailed:
        _, rubric, current = self._material(state)
        exercise = self.bank.exercises[current.question]
        try:
            result = self._sandbox.check(exercise, current.source or "")
        except OperatorError as error:
            said = speech(state.settings.language).code_unchecked
            return CheckFailed(question=current.question, what=str(error)[:500], text=said)
        return CodeChecked(question=current.question, result=result, judgement=judge_tests(rubric, result))

    def _react_to_code(self, state: State) -> Reacted:
        current = self._current(state)
        total = len(self.bank.exercises[current.question].checks)
        text = reactions.react_to_code(current, total, state.settings.language, state.seq)
        return Reacted(question=current.question, text=text)

    def _close(self, state: State) -> tuple[Event, ...]:
        _, rubric, current = self._material(state)
        closed = Closed(question=current.question)
        if current.reacted:
            return (closed,)
        text = reactions.react(rubric, current, state.settings.language, state.seq, self._leaks(state))
        return (Reacted(question=current.question, text=text), closed)

    # --- helpers -------------------------------------------------------------------------------

    def _action_event(self, state: State, action: str) -> Event:
        match action:
            case "pause":
                event: Event = Paused()
            case "resume":
                event = Resumed()
            case "end":
                event = Ended(why="candidate")
            case "skip":
                event = Skipped(question=self._open_question(state, action))
            case "dont_know":
                event = GaveUp(question=self._open_question(state, action))
            case "repeat":
                self._open_question(state, action)
                event = self._repeat(state)
            case "hint":
                event = self._hint(state)
            case _:
                raise UsageError(f"no action '{action[:40]}'", hint=f"actions are {', '.join(ACTIONS)}")
        if not legal(state, event):
            where = "paused" if state.paused else state.phase
            raise UsageError(f"'{action}' is not possible now (the interview is {where})")
        return event

    def _hint(self, state: State) -> Hinted:
        _, rubric, current = self._material(state)
        texts, leaks = speech(state.settings.language), self._leaks(state)
        for criterion in policy.hint_targets(rubric, current):
            hint = criterion.hint[state.settings.language] if criterion.hint else ""
            if hint and not leaks(hint):
                return Hinted(question=current.question, target=criterion.id, text=hint)
        raise NoHint(texts.no_hint_code if current.code_open else texts.no_hint)

    def _repeat(self, state: State, said: str = "") -> Repeated:
        question, rubric, current = self._material(state)
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

    def _desk(self, session_id: str, state: State) -> State:
        """The state with the exercise open; opens it when the candidate goes to the code before the talk is over."""
        question_id = self._open_question(state, "code")
        if question_id not in self.bank.exercises or not state.settings.code:
            raise UsageError(
                f"question '{question_id}' has no coding exercise in this interview", hint="answer in words"
            )
        if state.phase == "asking":
            texts = speech(state.settings.language)
            opened = CodeOpened(question=question_id, text=texts.pick(texts.to_code, state.seq))
            return self._record(session_id, state, opened)
        return state

    def _open_question(self, state: State, what: str) -> str:
        if state.paused:
            raise UsageError(f"'{what}' is not possible: the interview is paused", hint="resume it first")
        if state.current is None or state.phase not in ("asking", "coding"):
            raise UsageError(f"'{what}' is not possible: no question is open", hint="start a new interview")
        return state.current.question

    def _current(self, state: State) -> QuestionState:
        if state.current is None:
            raise UsageError("no question is open", hint="start a new interview")
        return state.current

    def _material(self, state: State) -> tuple[Question, Rubric, QuestionState]:
        current = self._current(state)
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
        question, rubric, current = self._material(state)
        open_ids = self._open_ids(rubric, current)
        return lambda text: bool(self._gate.leaks(question, rubric, text, state.settings.language, open_ids))

    def _now(self, session_id: str, seen: int | None) -> State:
        """The state, after finishing whatever a crash left undone; Stale when the caller looked at an older one."""
        state = self.advance(session_id)
        if seen is not None and seen != state.seq:
            raise Stale
        return state

    def _record(self, session_id: str, state: State, *events: Event) -> State:
        try:
            log = self._store.append(session_id, state.seq, events, self._clock())
        except SeqTaken as error:
            raise Stale from error
        for recorded in log:
            state = evolve(state, recorded)
        return state

    def _lock(self, session_id: str) -> threading.RLock:
        with self._locks_guard:
            return self._locks.setdefault(session_id, threading.RLock())
