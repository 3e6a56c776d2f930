"""What to ask next, from the state alone. Deterministic: the same log and bank give the same next move."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

from interviewer.bank import Bank
from interviewer.domain import LEVELS, Criterion, Exercise, Misconception, Question, Rubric
from interviewer.drafts import DraftQuestion
from interviewer.errors import UsageError
from interviewer.events import Settings
from interviewer.scoring import score_question
from interviewer.session import LADDER, QuestionState, State

MAX_FOLLOW_UPS = 2
"""Follow-ups on one question, whatever they aim at."""

MAX_SUBMISSIONS = 3
"""Submissions of one exercise; the last one counts."""

Target = Criterion | Misconception


def plan(bank: Bank, settings: Settings, *, avoid: Collection[str] = ()) -> tuple[str, ...]:
    """The questions of an interview, easiest first.

    Frequently asked questions come before rarer ones, topics take turns, `avoid` (asked before) is used last; ties
    are broken by the seed. Raises UsageError when the settings leave nothing to ask.
    """
    if settings.questions:
        return tuple(dict.fromkeys(_exactly(bank, settings, q) for q in settings.questions))
    offered = bank.offered(settings.language, drafts=settings.drafts)
    known = sorted({q.topic for q in offered})
    strange = [topic for topic in settings.topics if topic not in known]
    if strange:
        raise UsageError(f"no topic '{strange[0]}' in the bank", hint=f"topics are {', '.join(known)}")
    pool = [
        q for q in offered if settings.level in (None, q.level) and (not settings.topics or q.topic in settings.topics)
    ]
    if not pool:
        raise UsageError(
            f"no question of level '{settings.level}' in topics {', '.join(settings.topics) or 'all'}",
            hint="choose another level or more topics",
        )
    chosen = _take_turns(pool, settings, avoid)[: settings.count]
    order = {level: i for i, level in enumerate(LEVELS)}
    return tuple(q.id for q in sorted(chosen, key=lambda q: order[q.level]))


def _exactly(bank: Bank, settings: Settings, question_id: str) -> str:
    """The id of a question that was named; a draft speaks one language only."""
    question = bank.question(question_id)
    if isinstance(question, DraftQuestion) and question.language != settings.language:
        raise UsageError(
            f"'{question.id}' is a draft in '{question.language}'", hint=f"hold the interview in '{question.language}'"
        )
    return question.id


def _take_turns(pool: Sequence[Question], settings: Settings, avoid: Collection[str]) -> list[Question]:
    """Shuffle by seed, then pick so that no topic gets a second question before each has had one."""
    rng = random.Random(settings.seed)
    shuffled = rng.sample(list(pool), len(pool))
    shuffled.sort(key=lambda q: (q.id in avoid, q.frequency != "very_common"))
    taken: dict[str, int] = {}
    ranked = []
    for position, question in enumerate(shuffled):
        turn = taken.get(question.topic, 0)
        taken[question.topic] = turn + 1
        ranked.append((question.id in avoid, turn, position, question))
    return [question for *_, question in sorted(ranked, key=lambda row: row[:3])]


def follow_ups(rubric: Rubric, state: QuestionState) -> tuple[Target, ...]:
    """What is still open and has not been probed, most valuable first; empty when it is time to move on.

    A criterion is worth the points it still misses; a misconception its penalty and, on top, the heaviest criterion
    that it contradicts, since its probe gives the candidate the chance to correct both. "I don't know" to the
    question itself ends the talk.
    """
    if len(state.probes) >= MAX_FOLLOW_UPS or "" in state.given_up or state.code_open:
        return ()
    scored = score_question(rubric, state)
    missing = {line.criterion.id: line.missing for line in scored.criteria if line.criterion.by == "talk"}
    asked = {turn.target for turn in state.probes}
    settled = set(asked)
    options: list[tuple[float, Target]] = []
    for penalty in scored.penalties:
        belief = penalty.misconception
        if belief.id in asked:
            settled.update(belief.contradicts)
        elif penalty.points:
            options.append((penalty.points + max((missing.get(c, 0.0) for c in belief.contradicts), default=0), belief))
    options += [(missing[c.id], c) for c in rubric.talk if c.probe and missing[c.id] > 0 and c.id not in settled]
    return tuple(target for _, target in sorted(options, key=lambda option: -option[0]))


def hint_targets(rubric: Rubric, state: QuestionState) -> tuple[Criterion, ...]:
    """What a hint could help: the criterion being probed, else those still open, heaviest first; each at most once."""
    if state.code_open:
        return ()
    hinted = {turn.target for turn in state.hints}
    lines = [
        line
        for line in score_question(rubric, state).criteria
        if line.criterion.hint and line.missing > 0 and line.criterion.id not in hinted
    ]
    probed = [line for line in lines if line.criterion.id == state.target]
    return tuple(line.criterion for line in sorted(probed or lines, key=lambda line: -line.missing))


def next_step(exercise: Exercise, state: QuestionState) -> int | None:
    """Which hint to the exercise comes next, from 0; None when it has none, or all were given, or it is not open.

    A step is never left out: the next one is the first that was not given.
    """
    given = {turn.target for turn in state.steps}
    left = [step for step, target in enumerate(LADDER[: len(exercise.hints)]) if target not in given]
    return left[0] if state.code_open and not state.closed and left else None


def snippet_on_show(bank: Bank, state: State) -> QuestionState | None:
    """The question whose snippet may be run now: the one on the table, else the one before, once it was answered.

    Not before the first answer: what the snippet prints would give points away.
    """
    if state.phase == "ended":
        return None
    for asked in reversed(state.questions[-2:]):
        question = bank.questions.get(asked.question)
        if question is not None and question.snippet is not None and (asked.closed or asked.thread.answers):
            return asked
    return None


def code_is_done(state: QuestionState) -> bool:
    """Whether the exercise has come to its end: passed, or no submission left."""
    passed = state.checked is not None and state.checked.verdict == "passed"
    return passed or state.submissions >= MAX_SUBMISSIONS
