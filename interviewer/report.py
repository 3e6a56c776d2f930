"""State -> report: scores with the candidate's own words, what was missing, how to say it, what to read.

Pure: the same log and bank give the same report. Rendering is in `report_formats`.
"""

from __future__ import annotations

from collections import defaultdict

from pydantic import Field

from interviewer.bank import Bank
from interviewer.domain import LEVELS, Language, Level, Model, Outcome, SandboxResult, Score, Turn
from interviewer.scoring import CriterionScore, Help, Penalty, QuestionScore, score_question, score_session
from interviewer.session import State

STUDY_ITEMS = 3


class CriterionRow(Model):
    """One criterion: what it asks, what came of it, and the words or checks that show it."""

    id: str
    by: str
    weight: int
    senior: bool
    says: str
    outcome: Outcome
    confidence: float
    help: Help
    earned: float
    quote: str
    seq: int | None = Field(description="Event of the quoted answer.")
    start: int = 0
    end: int = 0
    checks: tuple[str, ...] = ()


class PenaltyRow(Model):
    id: str
    belief: str
    quote: str
    points: float
    seq: int | None = Field(default=None, description="Event of the quoted answer.")
    start: int = 0
    end: int = 0


class SnippetRow(Model):
    """One run of a question's snippet: what the candidate said of it, and what came of it."""

    predicted: str
    change: str
    result: SandboxResult


class QuestionReport(Model):
    """One question's part of the report."""

    id: str
    title: str
    level: Level
    topic: str
    text: str
    score: Score
    criteria: tuple[CriterionRow, ...]
    penalties: tuple[PenaltyRow, ...]
    turns: tuple[Turn, ...]
    follow_ups: int
    hints: int
    source: str | None
    result: SandboxResult | None
    accepted: str
    docs: tuple[str, ...]
    judges: tuple[str, ...]
    tried: tuple[SnippetRow, ...] = ()
    check_titles: dict[str, str] = Field(default={}, description="The exercise's checks by name, in words.")


class StudyItem(Model):
    """Something worth learning this week: a criterion that was missed on a question that matters."""

    question: str
    title: str
    by: str = Field(description="talk: something to say; tests: something the code should do.")
    says: str
    docs: tuple[str, ...]


class Report(Model):
    session_id: str
    language: Language
    finished: bool
    score: Score
    strongest: str | None = Field(description="Topic id with the greatest share, when there is more than one topic.")
    weakest: str | None
    questions: tuple[QuestionReport, ...]
    study: tuple[StudyItem, ...]
    judges: tuple[str, ...]
    model_failures: int

    @property
    def percent(self) -> float | None:
        """0..100, or None when nothing was scored."""
        share = self.score.share
        return None if share is None else round(100 * share, 1)


def make_report(session_id: str, state: State, bank: Bank) -> Report:
    """The report as the session stands. Questions no longer in the bank are left out."""
    rows = []
    scores = []
    for asked in state.questions:
        if asked.question in bank.questions:
            scored = score_question(bank.rubrics[asked.question], asked)
            scores.append(scored)
            rows.append(question_report(asked.question, state, bank, scored))
    strongest, weakest = _extremes(rows)
    return Report(
        session_id=session_id,
        language=state.settings.language,
        finished=state.phase == "ended",
        score=score_session(scores),
        strongest=strongest,
        weakest=weakest,
        questions=tuple(rows),
        study=_study(rows, bank),
        judges=tuple(dict.fromkeys(judge for row in rows for judge in row.judges)),
        model_failures=len(state.model_failures),
    )


def question_report(question_id: str, state: State, bank: Bank, scored: QuestionScore | None = None) -> QuestionReport:
    """One question of a session, as it stands."""
    question, rubric = bank.questions[question_id], bank.rubrics[question_id]
    asked = state.question(question_id)
    language = state.settings.language
    scored = scored or score_question(rubric, asked)
    judgements = [j for j in ((asked.judgement, asked.code) if asked else ()) if j is not None]
    return QuestionReport(
        id=question_id,
        title=question.title[language],
        level=question.level,
        topic=question.topic,
        text=question.text[language],
        score=scored.score,
        criteria=tuple(_criterion(line, language) for line in scored.criteria),
        penalties=tuple(_penalty(line, language) for line in scored.penalties),
        turns=asked.turns if asked else (),
        follow_ups=len(asked.probes) if asked else 0,
        hints=len(asked.hints) if asked else 0,
        source=asked.source if asked else None,
        result=asked.checked if asked else None,
        accepted=question.accepted.concise[language],
        docs=question.docs,
        judges=tuple(f"{j.judge} {j.version}" for j in judgements),
        tried=tuple(
            SnippetRow(predicted=run.predicted, change=run.change, result=run.result)
            for run in (asked.tried if asked else ())
        ),
        check_titles={
            name: check.title[language]
            for name, check in (bank.exercises[question_id].checks if question_id in bank.exercises else {}).items()
        },
    )


def _criterion(line: CriterionScore, language: Language) -> CriterionRow:
    evidence = line.verdict.evidence
    return CriterionRow(
        id=line.criterion.id,
        by=line.criterion.by,
        weight=line.criterion.weight,
        senior=line.criterion.senior,
        says=line.criterion.says[language],
        outcome=line.verdict.outcome,
        confidence=line.verdict.confidence,
        help=line.help,
        earned=line.earned,
        quote=evidence.quote if evidence else "",
        seq=evidence.seq if evidence else None,
        start=evidence.start if evidence else 0,
        end=evidence.end if evidence else 0,
        checks=line.verdict.checks,
    )


def _penalty(line: Penalty, language: Language) -> PenaltyRow:
    evidence = line.heard.evidence
    return PenaltyRow(
        id=line.misconception.id,
        belief=line.misconception.belief[language],
        quote=evidence.quote,
        points=line.points,
        seq=evidence.seq,
        start=evidence.start,
        end=evidence.end,
    )


def _extremes(rows: list[QuestionReport]) -> tuple[str | None, str | None]:
    shares: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.score.share is not None:
            shares[row.topic].append(row.score.share)
    means = {topic: sum(values) / len(values) for topic, values in shares.items()}
    if len(means) < 2 or len(set(means.values())) < 2:
        return None, None
    return max(means, key=lambda t: means[t]), min(means, key=lambda t: means[t])


def _study(rows: list[QuestionReport], bank: Bank) -> tuple[StudyItem, ...]:
    """The heaviest misses, frequently asked and basic questions first, at most one of a question."""
    misses = []
    for row in rows:
        question = bank.questions[row.id]
        total = sum(c.weight for c in row.criteria)
        worst = max(
            (c for c in row.criteria if c.outcome in ("not_met", "partial")),
            key=lambda c: c.weight - c.earned,
            default=None,
        )
        if worst is not None:
            urgency = (worst.weight - worst.earned) / total * (1.5 if question.frequency == "very_common" else 1.0)
            misses.append((urgency, -LEVELS.index(row.level), row, worst))
    misses.sort(key=lambda miss: miss[:2], reverse=True)
    return tuple(
        StudyItem(question=row.id, title=row.title, by=worst.by, says=worst.says, docs=row.docs)
        for _, _, row, worst in misses[:STUDY_ITEMS]
    )
