"""Skeletons of new content: complete, explained, and never in the way of what exists."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.authoring import KINDS, Kind, new_question
from interviewer.bank import read_bank
from interviewer.errors import UsageError
from tests.builders import write_bank


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """corpus/ and rubrics/ of the mini bank."""
    return write_bank(tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_but_todos_is_at_fault(folders: tuple[Path, Path], kind: Kind) -> None:
    """A skeleton is valid content whose texts are missing, and the check names each of them with its line."""
    new_question(*folders, "fresh-idea", kind=kind, level="senior")
    bank, faults = read_bank(*folders)
    assert {fault.rsplit(": ", 1)[1] for fault in faults} == {"still to be filled in"}
    assert "questions/fresh-idea.yaml:11: title: still to be filled in" in faults
    assert bank.questions["fresh-idea"].level == "senior"
    assert len(bank.rubrics["fresh-idea"].criteria) == (5 if kind == "code" else 4)
    assert ("fresh-idea" in bank.exercises) == (kind == "code")


def test_every_fault_names_the_question(folders: tuple[Path, Path]) -> None:
    """So that `viva bank check <id>` finds them all, a wrong solution's included."""
    new_question(*folders, "fresh-idea", kind="code", level="middle")
    assert all("fresh-idea" in fault for fault in read_bank(*folders)[1])
    assert any("fresh-idea/wrong/first_mistake.py:6" in fault for fault in read_bank(*folders)[1])


def test_a_field_that_was_filled_in_is_no_longer_listed(folders: tuple[Path, Path]) -> None:
    """One language alone is named when the others are written."""
    path = new_question(*folders, "fresh-idea", level="middle")[0]
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("en: TODO", "en: A title", 1).replace("ru: TODO", "ru: Заголовок", 1), "utf-8")
    faults = read_bank(*folders)[1]
    assert "questions/fresh-idea.yaml:13: title.zh: still to be filled in" in faults
    assert not any(": title:" in fault for fault in faults)


def test_each_field_is_explained(folders: tuple[Path, Path]) -> None:
    """By a comment in its line or above; an editor finds the schema in the first line."""
    question, rubric = new_question(*folders, "fresh-idea", level="middle")
    assert question.read_text("utf-8").startswith("# yaml-language-server: $schema=../schema/question.json\n")
    assert rubric.read_text("utf-8").startswith("# yaml-language-server: $schema=../corpus/schema/rubric.json\n")
    fields = [line for line in rubric.read_text("utf-8").splitlines() if line.startswith("    ") and line[4] != " "]
    assert [line for line in fields if "#" not in line] == []


@pytest.mark.parametrize(
    "bad", ["", "Fresh", "a_b", "a--b", "-a", "../a", "a/b", "a.yaml", "a" * 61, "идея", "a\n", "draft-a", "delivery"]
)
def test_what_is_no_id_is_refused(folders: tuple[Path, Path], bad: str) -> None:
    """Nothing is written, here or elsewhere."""
    before = sorted(folders[0].parent.rglob("*"))
    with pytest.raises(UsageError):
        new_question(*folders, bad, level="middle")
    assert sorted(folders[0].parent.rglob("*")) == before


@pytest.mark.parametrize("taken", ["corpus/questions/idea.yaml", "rubrics/idea.yaml", "corpus/exercises/idea/notes.md"])
def test_nothing_is_overwritten(folders: tuple[Path, Path], taken: str) -> None:
    """A single file of that name is enough to leave all unwritten."""
    path = folders[0].parent / taken
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine", encoding="utf-8")
    before = sorted(folders[0].parent.rglob("*"))
    with pytest.raises(UsageError, match="nothing is overwritten"):
        new_question(*folders, "idea", kind="code", level="middle")
    assert sorted(folders[0].parent.rglob("*")) == before
    assert path.read_text(encoding="utf-8") == "mine"


def test_an_unknown_topic_is_refused(folders: tuple[Path, Path]) -> None:
    """With the known ones."""
    with pytest.raises(UsageError) as refused:
        new_question(*folders, "idea", topic="cooking", level="middle")
    assert "autograd" in refused.value.hint
