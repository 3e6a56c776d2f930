"""How well the retriever finds the right question: recall and reciprocal rank over paraphrased queries.

A query is found at k when its question is among the questions of the first k passages, over all documents of all
languages. Half of the questions may be used for tuning; the other half is reported apart.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean

from interviewer.domain import LANGUAGES, Language, Model, Slug, Text
from interviewer.errors import AuthorError
from interviewer.ports import Retriever

CASES = Path(__file__).parent / "cases" / "retrieval.jsonl"
BAR_1, BAR_3 = 0.92, 0.98
"""Recall at 1 and at 3 below which the suite fails."""
DEPTH = 20
"""Passages looked at for the reciprocal rank."""


class Case(Model):
    """One query and the question it is about."""

    id: str
    language: Language
    query: Text
    question: Slug

    @property
    def held_out(self) -> bool:
        """Whether its question belongs to the half that nobody tunes on."""
        return zlib.crc32(self.question.encode()) % 2 == 1


class Recall(Model):
    """Shares over `n` queries, and the mean of 1 / rank of the right question (0 when not found)."""

    n: int
    at_1: float
    at_3: float
    mrr: float


class Miss(Model):
    """A query whose question did not come first, and what did."""

    id: str
    query: str
    question: Slug
    found: tuple[Slug, ...]


class Report(Model):
    """`groups` has all, held_out, tuning and each language; a group without queries is left out."""

    groups: dict[str, Recall]
    misses: tuple[Miss, ...]

    @property
    def passed(self) -> bool:
        """Whether all queries together reach both bars."""
        whole = self.groups.get("all")
        return whole is not None and whole.at_1 >= BAR_1 and whole.at_3 >= BAR_3


def read_cases(path: Path = CASES) -> tuple[Case, ...]:
    """The queries, one JSON object a line. Raises AuthorError that names every faulty line."""
    cases, faults = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            cases.append(Case.model_validate_json(line))
        except ValueError as error:
            faults.append(f"{path.name}:{number}: {' '.join(str(error).split())[:200]}")
    if faults:
        raise AuthorError(f"{path} has {len(faults)} faulty line(s)", faults=tuple(faults))
    return tuple(cases)


def measure(retriever: Retriever, cases: Sequence[Case]) -> Report:
    """Ask every query once and count."""
    found = {case.id: _questions(retriever, case.query) for case in cases}
    groups: dict[str, Callable[[Case], bool]] = {
        "all": lambda case: True,
        "held_out": lambda case: case.held_out,
        "tuning": lambda case: not case.held_out,
        **{language: _in(language) for language in LANGUAGES},
    }
    chosen = {name: [case for case in cases if belongs(case)] for name, belongs in groups.items()}
    return Report(
        groups={name: _recall([(case.question, found[case.id]) for case in of]) for name, of in chosen.items() if of},
        misses=tuple(
            Miss(id=case.id, query=case.query, question=case.question, found=tuple(dict.fromkeys(found[case.id]))[:3])
            for case in cases
            if found[case.id][:1] != [case.question]
        ),
    )


def main(retriever: Retriever, arguments: Sequence[str] | None = None) -> int:
    """JSON to stdout, misses to stderr. Returns 0 when the bars are reached, 1 when not."""
    parser = argparse.ArgumentParser(prog="evals retrieval", description="Recall of the retriever.")
    parser.add_argument("--cases", type=Path, default=CASES)
    report = measure(retriever, read_cases(parser.parse_args(arguments).cases))
    for miss in report.misses:
        print(f"{miss.id}: {miss.query} -> {', '.join(miss.found) or 'nothing'}", file=sys.stderr)
    groups = {name: recall.model_dump() for name, recall in report.groups.items()}
    print(json.dumps({"passed": report.passed, "bars": {"at_1": BAR_1, "at_3": BAR_3}, "groups": groups}, indent=2))
    return 0 if report.passed else 1


def _questions(retriever: Retriever, query: str) -> list[Slug]:
    return [passage.question for passage in retriever.search(query, k=DEPTH)]


def _in(language: Language) -> Callable[[Case], bool]:
    return lambda case: case.language == language


def _recall(answers: Iterable[tuple[Slug, list[Slug]]]) -> Recall:
    rows = list(answers)
    return Recall(
        n=len(rows),
        at_1=round(fmean(question in found[:1] for question, found in rows), 4),
        at_3=round(fmean(question in found[:3] for question, found in rows), 4),
        mrr=round(fmean(_reciprocal_rank(question, found) for question, found in rows), 4),
    )


def _reciprocal_rank(question: Slug, found: list[Slug]) -> float:
    distinct = list(dict.fromkeys(found))
    return 1.0 / (distinct.index(question) + 1) if question in distinct else 0.0
