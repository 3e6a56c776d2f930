"""How well the retriever finds the right question: recall and reciprocal rank over paraphrased queries.

A query is found at k when its question is among the questions of the first k passages, over all documents of all
languages. Questions of `case_files.TEST` are reported apart from those on which anything may be tuned.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

from evals.case_files import TEST, Query, read_queries
from interviewer.domain import LANGUAGES, Language, Model, Slug
from interviewer.ports import Retriever

BAR_1, BAR_3 = 0.94, 0.99
"""Recall at 1 and at 3 below which the suite fails."""
DEPTH = 20
"""Passages looked at for the reciprocal rank."""


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
    """`groups` has all, test, tuning and each language; a group without queries is left out."""

    groups: dict[str, Recall]
    misses: tuple[Miss, ...]

    @property
    def passed(self) -> bool:
        """Whether all queries together reach both bars."""
        whole = self.groups.get("all")
        return whole is not None and whole.at_1 >= BAR_1 and whole.at_3 >= BAR_3


def measure(retriever: Retriever, queries: Sequence[Query]) -> Report:
    """Ask every query once and count."""
    found = {query.id: _questions(retriever, query.query) for query in queries}
    groups: dict[str, Callable[[Query], bool]] = {
        "all": lambda _query: True,
        "test": lambda query: query.question in TEST,
        "tuning": lambda query: query.question not in TEST,
        **{language: _in(language) for language in LANGUAGES},
    }
    chosen = {name: [query for query in queries if belongs(query)] for name, belongs in groups.items()}
    return Report(
        groups={
            name: _recall([(query.question, found[query.id]) for query in of]) for name, of in chosen.items() if of
        },
        misses=tuple(
            Miss(id=q.id, query=q.query, question=q.question, found=tuple(dict.fromkeys(found[q.id]))[:3])
            for q in queries
            if found[q.id][:1] != [q.question]
        ),
    )


def main(retriever: Retriever | None = None, arguments: Sequence[str] | None = None) -> int:
    """JSON to stdout, misses to stderr. Returns 0 when the bars are reached, 1 when not.

    Without `retriever` it measures the one that the settings of the environment give.
    """
    parser = argparse.ArgumentParser(prog="evals retrieval", description="Recall of the retriever.")
    parser.add_argument("--cases", default="retrieval_bank", help="name of a file in evals/cases, without .jsonl")
    retriever = retriever or _configured()
    report = measure(retriever, read_queries(parser.parse_args(arguments).cases))
    for miss in report.misses:
        print(f"{miss.id}: {miss.query} -> {', '.join(miss.found) or 'nothing'}", file=sys.stderr)
    groups = {name: recall.model_dump() for name, recall in report.groups.items()}
    print(json.dumps({"passed": report.passed, "bars": {"at_1": BAR_1, "at_3": BAR_3}, "groups": groups}, indent=2))
    return 0 if report.passed else 1


def _configured() -> Retriever:
    from interviewer.config import load_config
    from interviewer.wiring import open_bank, open_embedder, open_retriever

    config = load_config()
    bank = open_bank(config)
    return open_retriever(config, bank, open_embedder(config))


def _questions(retriever: Retriever, query: str) -> list[Slug]:
    return [passage.question for passage in retriever.search(query, k=DEPTH)]


def _in(language: Language) -> Callable[[Query], bool]:
    return lambda query: query.language == language


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


if __name__ == "__main__":
    sys.exit(main())
