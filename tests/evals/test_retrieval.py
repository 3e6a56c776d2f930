"""Recall of a retriever, counted on known answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.case_files import Query
from evals.retrieval import main, measure
from interviewer.domain import Language, Passage, Slug


class Scripted:
    """Finds the questions written in the query, in that order."""

    def search(
        self, query: str, *, k: int = 5, question: Slug | None = None, language: Language | None = None
    ) -> tuple[Passage, ...]:
        return tuple(
            Passage(id=f"{i}", question=name, kind="question", language="en", text="t")
            for i, name in enumerate(query.split()[:k])
        )


def case(query: str, *, language: Language = "en") -> Query:
    return Query(id=query, language=language, query=query, question="right")


def test_recall_counts_the_first_passages() -> None:
    """First, third, fourth and never: 1/4 at one, 2/4 at three."""
    report = measure(Scripted(), [case("right a b"), case("a b right"), case("a b c right"), case("a b c")])
    whole = report.groups["all"]
    assert (whole.n, whole.at_1, whole.at_3) == (4, 0.25, 0.5)
    assert whole.mrr == pytest.approx((1 + 1 / 3 + 1 / 4 + 0) / 4, abs=1e-4)


def test_repeated_questions_use_up_places_but_not_ranks() -> None:
    """At three passages are counted, in the reciprocal rank distinct questions."""
    whole = measure(Scripted(), [case("a a a right")]).groups["all"]
    assert (whole.at_3, whole.mrr) == (0.0, 0.5)


def test_groups_without_queries_are_left_out() -> None:
    """Nothing to measure is no number, not a zero."""
    report = measure(Scripted(), [case("right", language="ru")])
    assert "ru" in report.groups
    assert "zh" not in report.groups
    assert measure(Scripted(), []).groups == {}
    assert not measure(Scripted(), []).passed


def test_misses_say_what_was_found_instead() -> None:
    (miss,) = measure(Scripted(), [case("right"), case("a a b c d")]).misses
    assert miss.found == ("a", "b", "c")


def test_questions_that_only_measure_are_counted_apart() -> None:
    """zero-grad is one of them, dataloader is not."""
    queries = [Query(id=q, language="en", query=q, question=q) for q in ("zero-grad", "dataloader")]
    groups = measure(Scripted(), queries).groups
    assert (groups["test"].n, groups["tuning"].n) == (1, 1)


def test_the_command_prints_json_and_exits_by_the_bars(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0 when the bars are reached, 1 when not; misses go to stderr."""
    path = tmp_path / "queries.jsonl"
    path.write_text(case("right").model_dump_json())
    assert main(Scripted(), ["--cases", str(path.with_suffix(""))]) == 0
    assert json.loads(capsys.readouterr().out)["groups"]["all"]["at_1"] == 1.0
    path.write_text(case("wrong").model_dump_json())
    assert main(Scripted(), ["--cases", str(path.with_suffix(""))]) == 1
    assert "-> wrong" in capsys.readouterr().err
