"""A whole installation in memory or over a file, with a judge that can be told what to find and no torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from interviewer.adapters.fakes import FakeSandbox, MemoryStore, ScriptedLLM
from interviewer.adapters.sql_store import SqlStore
from interviewer.bank import Bank
from interviewer.config import Config
from interviewer.domain import Evidence, Judgement, Language, Question, Rubric, Thread, Verdict
from interviewer.interview import Interviewer
from interviewer.judging.leak import LeakGate
from interviewer.phrasing import Phraser
from interviewer.ports import LLM, Sandbox
from interviewer.wiring import Viva


class KeenJudge:
    """Finds a criterion met where its id stands in an answer, and quotes the id. Any language, no surprises."""

    name = "keen"
    version = "1"

    def judge(self, question: Question, rubric: Rubric, thread: Thread, language: Language) -> Judgement:
        """See `ports.Judge.judge`."""
        return Judgement(
            judge=self.name, version=self.version, verdicts=tuple(_find(c.id, thread) for c in rubric.talk)
        )

    def says(self, question: Question, rubric: Rubric, text: str, language: Language) -> dict[str, float]:
        """Nothing gives anything away."""
        return {}


def _find(criterion: str, thread: Thread) -> Verdict:
    for turn in thread.answers:
        start = turn.text.find(criterion)
        if start >= 0:
            found = Evidence(seq=turn.seq, start=start, end=start + len(criterion), quote=criterion)
            return Verdict(criterion=criterion, outcome="met", confidence=0.9, evidence=found)
    return Verdict(criterion=criterion, outcome="not_met", confidence=0.9)


def make_viva(
    bank: Bank,
    folder: Path | None = None,
    *,
    sandbox: Sandbox | None = None,
    llm: ScriptedLLM | None = None,
    port: int = 0,
    host: str = "127.0.0.1",
) -> Viva:
    """An installation; with `folder` its sessions are in a database there and outlive it."""
    config = Config(data=folder or Path("nowhere"), host=host, port=port)
    store: Any = MemoryStore() if folder is None else SqlStore(f"sqlite:///{folder / 'viva.db'}")
    judge = KeenJudge()
    gate = LeakGate(judge.says)
    box = sandbox or FakeSandbox(prints={exercise.reference.strip(): "printed" for exercise in bank.exercises.values()})
    interviewer = Interviewer(bank, store, judge, box, gate, Phraser(gate, llm=cast("LLM | None", llm)))
    return Viva(config, bank, store, cast(Any, judge), gate, box, cast(Any, None), interviewer)


def everything(bank: Bank, question: str) -> str:
    """An answer in which KeenJudge finds every criterion of a question."""
    return " ".join(c.id for c in bank.rubrics[question].talk)
