"""Small things to test with: a bank of two questions, recorded events, a judge that does as it is told.

The question `alpha` is talk; `beta` is code. Both have the talk criteria `first` (4), `second` (3) and `third` (2,
senior), and the misconceptions `wrong-way` (3, contradicts first) and `off-track` (1). `alpha` has `fourth` (1) too,
`beta` the tests criterion `works` (5) with two checks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from interviewer.adapters.fakes import FakeSandbox, MemoryStore
from interviewer.bank import Bank
from interviewer.domain import (
    Criterion,
    Evidence,
    Exercise,
    Heard,
    Judgement,
    Language,
    LocalText,
    LocalTexts,
    Misconception,
    Question,
    Rubric,
    SandboxResult,
    Thread,
    Turn,
    Verdict,
)
from interviewer.events import Event, Recorded, Settings
from interviewer.interview import Interviewer
from interviewer.judging.leak import LeakGate
from interviewer.phrasing import Phraser
from interviewer.ports import Judge, Sandbox, Store

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


def local(text: str) -> LocalText:
    """A text that names its language in each of the three."""
    return LocalText(en=text, ru=f"{text} по-русски", zh=f"{text} 中文")


def locals_(*texts: str) -> LocalTexts:
    """Parallel texts in the three languages."""
    rows = [local(text) for text in texts]
    return LocalTexts(en=tuple(r.en for r in rows), ru=tuple(r.ru for r in rows), zh=tuple(r.zh for r in rows))


def talk(name: str, weight: int, **fields: Any) -> Criterion:
    """A criterion decided by talk. Only its `says` and its phrasings contain its id."""
    return Criterion.model_validate(
        {
            "id": name,
            "weight": weight,
            "says": local(f"The {name} fact."),
            "nod": local(f"that {weight}-point fact"),
            "meets": locals_(f"{name} said one way", f"{name} said another way"),
            "lookalikes": locals_(f"almost {name}"),
            "probe": local(f"What is worth {weight} points?"),
            "hint": local(f"Think of the {weight} points."),
            **fields,
        }
    )


def by_tests(name: str, weight: int, *checks: str) -> Criterion:
    """A criterion decided by hidden checks."""
    return Criterion(
        id=name, weight=weight, by="tests", says=local(f"The code {name}."), nod=local("the code"), checks=checks
    )


def belief(name: str, penalty: int, *contradicts: str) -> Misconception:
    return Misconception(
        id=name,
        penalty=penalty,
        belief=local(f"The belief {name}."),
        sounds_like=locals_(f"{name} it is"),
        probe=local(f"Are you sure about those {penalty}?"),
        contradicts=contradicts,
    )


def question(name: str, **fields: Any) -> Question:
    return Question.model_validate(
        {
            "id": name,
            "level": "junior",
            "frequency": "common",
            "topic": "training",
            "kind": "talk",
            "sources": ["R1"],
            "title": local(f"Title {name}"),
            "text": local(f"Tell me about {name}?"),
            "rephrased": local(f"In other words, {name}?"),
            "accepted": {"concise": local(f"Accepted {name}."), "full": local(f"Accepted {name} at length.")},
            "docs": ["torch.docs"],
            **fields,
        }
    )


TALK = (talk("first", 4), talk("second", 3), talk("third", 2, senior=True))
BELIEFS = (belief("wrong-way", 3, "first"), belief("off-track", 1))
ALPHA = question("alpha")
ALPHA_RUBRIC = Rubric(question="alpha", criteria=(*TALK, talk("fourth", 1)), misconceptions=BELIEFS)
BETA = question("beta", level="middle", topic="modules", kind="code")
BETA_RUBRIC = Rubric(
    question="beta", criteria=(*TALK, by_tests("works", 5, "check_shape", "check_value")), misconceptions=BELIEFS
)
REFERENCE = "def double(x):\n    return 2 * x\n"
WRONG = "def double(x):\n    return x\n"
EXERCISE = Exercise.model_validate(
    {
        "id": "beta",
        "statement": local("Write double."),
        "docstring": local("Twice x."),
        "checks": {
            name: {"title": local(f"Title of {name}"), "advice": local(f"Look at {name}")}
            for name in ("check_shape", "check_value")
        },
        "wrong": {"copies.py": {"mistake": local("Returns x."), "killed_by": "check_value", "source": WRONG}},
        "starter": 'def double(x):\n    """__DOC__"""\n',
        "reference": REFERENCE,
        "checks_source": "def check_shape(sut):\n    pass\n\n\ndef check_value(sut):\n    pass\n",
        "examples": "print(double(2))\n",
    }
)


def mini_bank() -> Bank:
    """`alpha` and `beta`."""
    return bank_of((ALPHA, ALPHA_RUBRIC), (BETA, BETA_RUBRIC), exercises=[EXERCISE])


def bank_of(*pairs: tuple[Question, Rubric], exercises: Iterable[Exercise] = ()) -> Bank:
    return Bank(
        {q.id: q for q, _ in pairs},
        {r.question: r for _, r in pairs},
        {e.id: e for e in exercises},
        "hash-of-the-mini-bank",
    )


# --- files ---------------------------------------------------------------------------------------


def write_bank(folder: Path) -> tuple[Path, Path]:
    """The mini bank as files below `folder`: (corpus, rubrics)."""
    corpus, rubrics, bank = folder / "corpus", folder / "rubrics", mini_bank()
    for asked in bank.questions.values():
        write_yaml(corpus / "questions" / f"{asked.id}.yaml", asked.model_dump(mode="json", exclude_defaults=True))
    for rubric in bank.rubrics.values():
        write_yaml(rubrics / f"{rubric.question}.yaml", rubric.model_dump(mode="json", exclude_defaults=True))
    place = corpus / "exercises" / "beta"
    kept = EXERCISE.model_dump(mode="json", include={"statement", "docstring", "checks"})
    wrong = {"copies.py": {"mistake": local("Returns x.").model_dump(), "killed_by": "check_value"}}
    write_yaml(place / "exercise.yaml", kept | {"wrong": wrong})
    for name, text in (
        ("starter.py", EXERCISE.starter),
        ("reference.py", REFERENCE),
        ("checks.py", EXERCISE.checks_source),
        ("examples.py", EXERCISE.examples),
        ("wrong/copies.py", WRONG),
    ):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    return corpus, rubrics


def write_yaml(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(value, allow_unicode=True, sort_keys=False), encoding="utf-8")


# --- what happened -------------------------------------------------------------------------------


def recorded(*events: Event, start: int = 0) -> tuple[Recorded, ...]:
    """The events in their places from `start` on."""
    return tuple(Recorded(seq=start + i, at=NOON, event=event) for i, event in enumerate(events))


def answer(text: str, seq: int = 2) -> Turn:
    return Turn(seq=seq, role="candidate", kind="answer", text=text)


def thread(*answers: str, question_id: str = "alpha") -> Thread:
    """Answers to one question, as events 2, 4, 6 and so on."""
    return Thread(question=question_id, turns=tuple(answer(text, 2 + 2 * i) for i, text in enumerate(answers)))


def quote(part: str, turn: Turn) -> Evidence:
    """`part` where it stands in the turn."""
    start = turn.text.index(part)
    return Evidence(seq=turn.seq, start=start, end=start + len(part), quote=part)


def verdict(criterion: str, outcome: str = "met", *, seq: int = 2, checks: tuple[str, ...] = ()) -> Verdict:
    """A verdict, quoting the answer of event `seq` where credit needs a quote."""
    needs = outcome in ("met", "partial") and not checks
    return Verdict.model_validate(
        {
            "criterion": criterion,
            "outcome": outcome,
            "confidence": 0.9,
            "checks": checks,
            "evidence": Evidence(seq=seq, start=0, end=len(criterion), quote=criterion) if needs else None,
        }
    )


def heard(misconception: str, *, seq: int = 2) -> Heard:
    quoted = Evidence(seq=seq, start=0, end=len(misconception), quote=misconception)
    return Heard(misconception=misconception, confidence=0.9, evidence=quoted)


def judgement(*verdicts: Verdict, beliefs: tuple[Heard, ...] = ()) -> Judgement:
    return Judgement(judge="scripted", version="1", verdicts=verdicts, heard=beliefs)


def sandbox_result(outcomes: Mapping[str, str], result: str = "failed", **fields: Any) -> SandboxResult:
    checks = [{"name": name, "outcome": outcome} for name, outcome in outcomes.items()]
    return SandboxResult.model_validate(
        {"verdict": result, "checks": checks, "seconds": 0.1, "backend": "fake", "layers": ("none",), **fields}
    )


# --- who takes part ------------------------------------------------------------------------------


class ScriptedJudge:
    """`ports.Judge`: met where a criterion's id is said, partial for `half-<id>`; beliefs are heard by their id."""

    name = "scripted"
    version = "1"

    def judge(self, question: Question, rubric: Rubric, thread: Thread, language: Language) -> Judgement:
        verdicts = []
        for criterion in rubric.talk:
            whole = _said(rf"(?<!half-)\b{criterion.id}\b", thread)
            half = _said(rf"half-{criterion.id}\b", thread)
            outcome = "met" if whole else "partial" if half else "not_met"
            verdicts.append(
                Verdict.model_validate(
                    {"criterion": criterion.id, "outcome": outcome, "confidence": 0.9, "evidence": whole or half}
                )
            )
        beliefs = [(m.id, _said(rf"\b{m.id}\b", thread)) for m in rubric.misconceptions]
        return judgement(
            *verdicts,
            beliefs=tuple(Heard(misconception=name, confidence=0.9, evidence=e) for name, e in beliefs if e),
        )


def _said(pattern: str, thread: Thread) -> Evidence | None:
    for turn in thread.answers:
        if match := re.search(pattern, turn.text):
            return Evidence(seq=turn.seq, start=match.start(), end=match.end(), quote=match.group())
    return None


class BrokenJudge:
    """`ports.Judge` that dies at every answer."""

    name = "broken"
    version = "1"

    def judge(self, question: Question, rubric: Rubric, thread: Thread, language: Language) -> Judgement:
        raise RuntimeError("out of order")


class InventingJudge:
    """`ports.Judge` that quotes what nobody said."""

    name = "inventing"
    version = "1"

    def judge(self, question: Question, rubric: Rubric, thread: Thread, language: Language) -> Judgement:
        return judgement(*(verdict(c.id, seq=thread.answers[-1].seq) for c in rubric.talk))


def names_it(question: Question, rubric: Rubric, text: str, language: Language) -> dict[str, float]:
    """What a text says, for a leak gate: the criteria whose id is in it."""
    return {c.id: float(re.search(rf"\b{c.id}\b", text) is not None) for c in rubric.talk}


GATE = LeakGate(names_it)


def interviewer(
    *,
    bank: Bank | None = None,
    store: Store | None = None,
    judge: Judge | None = None,
    sandbox: Sandbox | None = None,
    phraser: Phraser | None = None,
    clock: Callable[[], datetime] = lambda: NOON,
) -> Interviewer:
    """An interviewer on the mini bank with fakes for everything that is not given."""
    return Interviewer(
        bank or mini_bank(),
        store if store is not None else MemoryStore(),
        judge or ScriptedJudge(),
        sandbox or FakeSandbox(),
        GATE,
        phraser or Phraser(GATE),
        clock=clock,
    )


def settings(*questions: str, **fields: Any) -> Settings:
    """Settings for exactly these questions."""
    return Settings.model_validate({"questions": questions or ("alpha", "beta"), **fields})
