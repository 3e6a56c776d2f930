"""Case files: what is labelled belongs to the bank, and a bad line is named."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from evals import case_files
from evals.case_files import TEST, Case, read_cases, read_queries
from interviewer.bank import Bank
from interviewer.domain import LANGUAGES
from interviewer.errors import AuthorError

LABELLED = ("judging", "training", "interview_bar")


@pytest.mark.parametrize("name", LABELLED)
def test_labels_name_what_the_rubrics_have(bank: Bank, name: str) -> None:
    """Questions, talk criteria and misconceptions that exist."""
    for case in read_cases(name):
        rubric = bank.rubrics[case.question]
        assert set(case.outcomes) <= {c.id for c in rubric.talk}, case.id
        assert set(case.misconceptions) <= {m.id for m in rubric.misconceptions}, case.id


@pytest.mark.parametrize("name", LABELLED)
def test_ids_are_unique(name: str) -> None:
    """A disagreement can be looked up."""
    counts = Counter(case.id for case in read_cases(name))
    assert [key for key, count in counts.items() if count > 1] == []


def test_no_answer_is_both_learnt_and_measured() -> None:
    """The held-out answers are in no other file."""
    held_out = {case.text for case in read_cases("interview_bar")}
    assert not held_out & {case.text for name in ("judging", "training") for case in read_cases(name)}


def test_what_is_measured_is_measured_in_every_language(bank: Bank) -> None:
    """Eight labelled answers or more to sixteen questions of the bank."""
    cases: list[Case] = list(read_cases())
    counts = Counter(c.question for c in cases)
    assert len(counts) >= 16
    assert set(counts) <= set(bank.questions)
    assert min(counts.values()) >= 8
    assert {(c.question, c.language) for c in cases} == {(q, x) for q in counts for x in LANGUAGES}


def test_the_split_names_questions(bank: Bank) -> None:
    """Those that only measure are in the bank."""
    assert set(bank.questions) > TEST


def test_every_question_is_searched_for(bank: Bank) -> None:
    """240 queries or more, in three languages."""
    queries = read_queries()
    assert len(queries) >= 240
    assert {q.question for q in queries} == set(bank.questions)
    assert {q.language for q in queries} == set(LANGUAGES)


@pytest.mark.parametrize("line", ["not json", "{}", '{"id": "a"}', "[]"])
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    """File and line."""
    path = tmp_path / "bad.jsonl"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(AuthorError, match=r"bad\.jsonl:2: not a case"):
        read_cases(str(path.with_suffix("")))


def test_a_line_separator_inside_an_answer_is_no_line(tmp_path: Path) -> None:
    """JSON allows it as it stands."""
    case = Case.model_validate(
        {"id": "a", "question": "alpha", "language": "en", "band": "good", "register": "spoken", "outcomes": {}}
        | {"text": "one\u2028two\x85three"}
    )
    path = tmp_path / "odd.jsonl"
    path.write_text(case.model_dump_json(by_alias=True) + "\n", encoding="utf-8")
    assert read_cases(str(path.with_suffix("")))[0].text == case.text
    assert case_files.FOLDER.is_dir()
