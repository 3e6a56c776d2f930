"""`viva bank check`: what only shows when content runs.

Probes that tell, exercises that let mistakes pass, snippets that print something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from interviewer.bank import Bank
from interviewer.domain import LANGUAGES, Exercise, Language, Question, Rubric, SandboxResult
from interviewer.judging.leak import LeakGate
from interviewer.ports import Sandbox

Progress = Callable[[str, int, int], None]


def summary(bank: Bank, killed: int, faults: tuple[str, ...]) -> dict[str, Any]:
    """The check's contract: counts, seed coverage, kill rate, faults."""
    texts: dict[Language, int] = {
        language: sum(1 for q in bank.questions.values() if q.text[language]) for language in LANGUAGES
    }
    return {
        "questions": len(bank.questions),
        "languages": texts,
        "sources": {seed: list(counts) for seed, counts in bank.sources_found().items()},
        "rubrics": len(bank.rubrics),
        "criteria": sum(len(r.criteria) for r in bank.rubrics.values()),
        "exercises": len(bank.exercises),
        "wrong_solutions": sum(len(e.wrong) for e in bank.exercises.values()),
        "killed": killed,
        "faults": list(faults),
    }


def leak_faults(bank: Bank, gate: LeakGate) -> Iterator[str]:
    """Interviewer texts that give away what they ask for: probes, hints, and the question itself."""
    for question_id, rubric in bank.rubrics.items():
        question = bank.questions.get(question_id)
        if question is not None:
            for language in LANGUAGES:
                yield from _leaks(question, rubric, language, gate)


def _leaks(question: Question, rubric: Rubric, language: Language, gate: LeakGate) -> Iterator[str]:
    every = {c.id for c in rubric.talk}
    texts: list[tuple[str, str, set[str]]] = [
        ("text", question.text[language], every),
        ("rephrased", question.rephrased[language], every),
    ]
    for c in rubric.talk:
        if c.probe is not None and c.hint is not None:
            texts.append((f"{c.id}.probe", c.probe[language], {c.id}))
            texts.append((f"{c.id}.hint", c.hint[language], {c.id}))
    texts += [(f"{m.id}.probe", m.probe[language], set(m.contradicts) & every) for m in rubric.misconceptions]
    for name, text, open_ids in texts:
        for given_away in gate.leaks(question, rubric, text, language, open_ids):
            yield f"{question.id}: {name}.{language}: gives criterion '{given_away}' away: {text!r:.100}"


def snippet_faults(bank: Bank, sandbox: Sandbox) -> Iterator[str]:
    """Predict-then-run snippets whose recorded output is not what they print."""
    for question in bank.questions.values():
        if question.snippet is not None:
            result = sandbox.run(question.snippet.code)
            if result.stdout.strip() != question.snippet.output.strip():
                yield (
                    f"questions/{question.id}.yaml: snippet.output: it prints {result.stdout.strip()!r:.200}"
                    f"{' and ' + result.reason if result.verdict != 'passed' else ''}"
                )


def exercise_faults(bank: Bank, sandbox: Sandbox, progress: Progress | None = None) -> tuple[int, tuple[str, ...]]:
    """(wrong solutions killed by the check that names them, faults): runs every reference and wrong solution."""
    jobs = [(e, name) for e in bank.exercises.values() for name in ("", *e.wrong)]
    killed, faults = 0, []
    with ThreadPoolExecutor(max_workers=2) as pool:
        results = pool.map(lambda job: sandbox.check(job[0], _source(*job)), jobs)
        for done, ((exercise, name), result) in enumerate(zip(jobs, results, strict=True), start=1):
            fault = _reference_fault(exercise, result) if not name else _wrong_fault(exercise, name, result)
            killed += bool(name) and fault is None
            if fault:
                faults.append(fault)
            if progress is not None:
                progress("solutions", done, len(jobs))
    return killed, tuple(faults)


def _source(exercise: Exercise, name: str) -> str:
    return exercise.wrong[name].source if name else exercise.reference


def _reference_fault(exercise: Exercise, result: SandboxResult) -> str | None:
    if result.verdict == "passed":
        return None
    return f"{exercise.id}/reference.py: fails {result.first_failure}: {result.message or _message(result)}"


def _wrong_fault(exercise: Exercise, name: str, result: SandboxResult) -> str | None:
    expected, found = exercise.wrong[name].killed_by, result.first_failure
    if not found:
        return f"{exercise.id}/wrong/{name}: passes all checks"
    return None if found == expected else f"{exercise.id}/wrong/{name}: killed by {found}, not by {expected}"


def _message(result: SandboxResult) -> str:
    return next((c.message for c in result.checks if c.outcome not in ("passed", "not_run")), "")
