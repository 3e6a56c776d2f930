"""The shell around the core: records what the candidate does, then lets the engine move until it is their turn again.

Everything the candidate says is on disk before anything is computed from it. Each engine step records its events and
depends on the log alone, so `advance` also resumes an interview that died at any point.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from weakref import WeakValueDictionary

from interviewer import __version__, policy
from interviewer.bank import Bank
from interviewer.cleaning import clean
from interviewer.engine import Engine, NoHint
from interviewer.errors import OperatorError, UsageError
from interviewer.events import (
    Answered,
    CheckFailed,
    CodeChecked,
    CodeOpened,
    CodeRan,
    CodeSubmitted,
    Event,
    GaveUp,
    Settings,
    SnippetRan,
    Started,
)
from interviewer.judging.leak import LeakGate
from interviewer.judging.tests import judge_tests
from interviewer.phrasing import OnText, Phraser
from interviewer.ports import Judge, Sandbox, SeqTaken, Store, Ticket
from interviewer.session import State, evolve, legal, replay
from interviewer.speech import speech

__all__ = ["Interviewer", "NoHint", "Stale"]

Clock = Callable[[], datetime]


class Stale(UsageError):
    """The session has moved on since the caller looked: another tab, or the same answer sent twice."""

    def __init__(self) -> None:
        super().__init__("the interview has moved on since this page was drawn", hint="look at the new question")


class Interviewer:
    """Conducts interviews. One instance serves many sessions; each session moves one step at a time.

    A session's lock is held while a step is decided and recorded, never while code runs: that may take minutes, in
    which the session can be read, ended, and its run cancelled.
    """

    def __init__(  # noqa: PLR0913 - the parts of an interviewer, wired in one place
        self,
        bank: Bank,
        store: Store,
        judge: Judge,
        sandbox: Sandbox,
        gate: LeakGate,
        phraser: Phraser,
        *,
        clock: Clock = lambda: datetime.now(UTC),
    ) -> None:
        self.bank = bank
        self._store = store
        self._engine = Engine(bank, judge, gate, phraser)
        self._sandbox = sandbox
        self._clock = clock
        self._locks: WeakValueDictionary[str, threading.RLock] = WeakValueDictionary()
        self._locks_guard = threading.Lock()
        self._tickets: dict[str, list[Ticket]] = {}
        self._checking: set[tuple[str, int]] = set()

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
        self.advance(session_id)
        with self._lock(session_id):
            state = self._now(session_id, seen)
            question_id = self._engine.open_question(state, "answer")
            texts = speech(state.settings.language)
            if state.phase == "asking" and texts.means_dont_know(text):
                event: Event = GaveUp(question=question_id, text=text)
            elif texts.means_repeat(text):
                event = self._engine.repeat(state, text)
            else:
                event = Answered(question=question_id, text=text)
            self._record(session_id, state, event)
            return self._walk(session_id, on_text)

    def act(self, session_id: str, action: str, *, seen: int | None = None, on_text: OnText | None = None) -> State:
        """hint, skip, dont_know, repeat, pause, resume or end. UsageError when that is not possible now."""
        if action != "end":
            self.advance(session_id)
        with self._lock(session_id):
            try:
                state = self._now(session_id, seen)
            except OperatorError:
                if action != "end":  # what cannot go on can still be ended
                    raise
                state = self.state(session_id)
            self._record(session_id, state, self._engine.action(state, action))
            state = self._walk(session_id, on_text)
        if state.phase == "ended":
            self.cancel(session_id)
        return state

    def run_code(self, session_id: str, source: str, *, seen: int | None = None) -> State:
        """Run the candidate's code with the visible examples. Nothing is scored."""
        source = clean(source)
        self.advance(session_id)
        with self._lock(session_id):
            state = self._desk(session_id, self._now(session_id, seen))
            exercise = self.bank.exercises[self._engine.current(state).question]
        with self._ticket(session_id) as ticket:
            result = self._sandbox.run(
                source,
                examples=exercise.examples,
                scaffold=exercise.scaffold,
                profile=exercise.profile,
                ticket=ticket,
            )
        return self._record_run(session_id, CodeRan(question=exercise.id, source=source, result=result))

    def run_snippet(self, session_id: str, predicted: str = "", change: str = "", *, seen: int | None = None) -> State:
        """Run the snippet on show (`policy.snippet_on_show`), changed or not. Nothing is scored.

        The first run needs `predicted`: what the candidate says it prints, or will raise.
        """
        predicted, change = clean(predicted), clean(change)
        self.advance(session_id)
        with self._lock(session_id):
            state = self._now(session_id, seen)
            asked = policy.snippet_on_show(self.bank, state)
            self._engine.open_question(state, "snippet")
            snippet = self.bank.questions[asked.question].snippet if asked is not None else None
            if asked is None or snippet is None:
                raise UsageError("no snippet can be run now", hint="answer the question first")
            if not asked.tried and not predicted.strip():
                raise UsageError("say first what the snippet prints", hint="then it is run")
        with self._ticket(session_id) as ticket:
            result = self._sandbox.predict(snippet.code, change, ticket=ticket)
        ran = SnippetRan(question=asked.question, predicted=predicted, change=change, result=result)
        return self._record_run(session_id, ran)

    def submit_code(
        self, session_id: str, source: str, *, seen: int | None = None, on_text: OnText | None = None
    ) -> State:
        """Send code to the hidden checks. It is recorded before they run."""
        source = clean(source)
        self.advance(session_id)
        with self._lock(session_id):
            state = self._desk(session_id, self._now(session_id, seen))
            question = self._engine.current(state)
            self._record(session_id, state, CodeSubmitted(question=question.question, source=source))
        return self.advance(session_id, on_text)

    def advance(self, session_id: str, on_text: OnText | None = None) -> State:
        """Let the engine move until the candidate is to move or the interview is over. Safe to call at any time.

        Comes back in the phase `checking` while another thread runs the checks.
        """
        while True:
            with self._lock(session_id):
                state = self._walk(session_id, on_text)
            if state.phase != "checking" or state.paused or not self._check(session_id, state):
                return state

    def queue_position(self, session_id: str) -> int:
        """How many runs come before this session's: 0 while it runs, and when nothing of it waits."""
        with self._locks_guard:
            return max((ticket.position for ticket in self._tickets.get(session_id, ())), default=0)

    def cancel(self, session_id: str) -> None:
        """Take the session's runs out of the queue, or end them. A submission that was cancelled was no try."""
        with self._locks_guard:
            tickets = tuple(self._tickets.get(session_id, ()))
        for ticket in tickets:
            ticket.cancel()

    # --- the engine's moves, one phase each ----------------------------------------------------

    def _walk(self, session_id: str, on_text: OnText | None) -> State:
        """Step by step, the lock being held, as far as it goes without running code."""
        state = self.state(session_id)
        while not state.paused:
            try:
                events = self._engine.step(state, on_text)
                if not events:
                    break
                state = self._record(session_id, state, *events)
            except Stale:  # another process advanced this session: look again
                state = self.state(session_id)
        return state

    def _check(self, session_id: str, state: State) -> bool:
        """Run the checks that the session waits for, without its lock. False when another thread is at it."""
        key = (session_id, state.seq)
        with self._locks_guard:
            if key in self._checking:
                return False
            self._checking.add(key)
        try:
            checked = self._check_code(session_id, state)
            with self._lock(session_id), suppress(Stale):  # ended meanwhile, or another process was quicker
                self._record(session_id, state, checked)
        finally:
            with self._locks_guard:
                self._checking.discard(key)
        return True

    def _check_code(self, session_id: str, state: State) -> CodeChecked | CheckFailed:
        _, rubric, current = self._engine.material(state)
        exercise = self.bank.exercises[current.question]
        try:
            with self._ticket(session_id) as ticket:
                result = self._sandbox.check(exercise, current.source or "", ticket=ticket)
        except OperatorError as error:
            said = speech(state.settings.language).code_unchecked
            return CheckFailed(question=current.question, what=str(error)[:500], text=said)
        return CodeChecked(question=current.question, result=result, judgement=judge_tests(rubric, result))

    # --- helpers -------------------------------------------------------------------------------

    def _desk(self, session_id: str, state: State) -> State:
        """The state with the exercise open; opens it when the candidate goes to the code before the talk is over."""
        question_id = self._engine.open_question(state, "code")
        if question_id not in self.bank.exercises or not state.settings.code:
            raise UsageError(
                f"question '{question_id}' has no coding exercise in this interview", hint="answer in words"
            )
        if state.phase == "asking":
            texts = speech(state.settings.language)
            opened = CodeOpened(question=question_id, text=texts.pick(texts.to_code, state.seq))
            return self._record(session_id, state, opened)
        return state

    def _now(self, session_id: str, seen: int | None) -> State:
        """The state, the lock being held; Stale when the caller looked at an older one."""
        state = self._walk(session_id, None)
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

    def _record_run(self, session_id: str, ran: CodeRan | SnippetRan) -> State:
        """Record what a run came to, unless the session has left the question meanwhile: Stale."""
        with self._lock(session_id):
            state = self.state(session_id)
            if not legal(state, ran):
                raise Stale
            return self._record(session_id, state, ran)

    @contextmanager
    def _ticket(self, session_id: str) -> Iterator[Ticket]:
        """A place in the sandbox's queue that `queue_position` and `cancel` know of."""
        ticket = self._sandbox.ticket(session_id)
        with self._locks_guard:
            self._tickets.setdefault(session_id, []).append(ticket)
        try:
            yield ticket
        finally:
            with self._locks_guard:
                self._tickets[session_id].remove(ticket)
                if not self._tickets[session_id]:
                    del self._tickets[session_id]

    def _lock(self, session_id: str) -> threading.RLock:
        with self._locks_guard:
            return self._locks.setdefault(session_id, threading.RLock())
