"""viva bank import, viva bank drafts, viva chat --drafts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Viva

LIST = """\
1. What does a write-ahead log promise?
   Senior· asked often

   Changes are logged before they are made. After a crash the log is replayed.
2. Why do B-trees keep pages half full?
   Middle
"""


@pytest.fixture
def apart(viva: Viva, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Viva:
    """The command line with a data folder of its own."""
    monkeypatch.setenv("VIVA_DATA", str(tmp_path / "data"))
    return viva


@pytest.fixture
def list_file(tmp_path: Path) -> Path:
    path = tmp_path / "Our List.txt"
    path.write_text(LIST, encoding="utf-8")
    return path


def test_a_list_becomes_drafts(apart: Viva, list_file: Path, tmp_path: Path) -> None:
    """As JSON with counts and a row a draft, and as files in the data folder."""
    ran = apart("bank", "import", list_file, "--no-compare", "--json")
    assert ran.code == 0
    found = ran.json
    assert (found["questions"], found["skills"], found["with_level"], found["with_answer"]) == (2, 0, 2, 1)
    assert [row["askable"] for row in found["drafts"]] == [True, False]
    assert sorted(path.name for path in (tmp_path / "data/drafts/our-list").iterdir()) == [
        "draft-our-list-01.yaml",
        "draft-our-list-02.yaml",
    ]
    assert apart("bank", "drafts", "--json").json["faults"] == []
    listed = apart("bank", "drafts").out
    assert "no answer to score by" in listed and "drafts: 2, for interviews: 1" in listed
    assert "Draft: What does a write-ahead log promise?" in apart("bank", "show", "draft-our-list-01").out


def test_a_list_without_answers_says_that_nothing_can_be_asked(apart: Viva, tmp_path: Path) -> None:
    """No promise of an interview that would find nothing."""
    path = tmp_path / "bare.jsonl"
    path.write_text('{"question": "What does a write-ahead log promise?"}\n', encoding="utf-8")
    ran = apart("bank", "import", path, "--no-compare")
    assert "none of the new ones has an answer" in ran.err and "viva chat" not in ran.err


def test_a_second_import_is_refused(apart: Viva, list_file: Path) -> None:
    """Nothing is overwritten."""
    assert apart("bank", "import", list_file, "--no-compare").code == 0
    ran = apart("bank", "import", list_file, "--no-compare")
    assert (ran.code, "imported before" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "what"),
    [("1. One?\n3. Three?\n", "Our List.txt: line 2: item 3 follows item 1"), ("Prose.\n", "line 1: no question")],
)
def test_a_file_that_is_not_understood(apart: Viva, list_file: Path, tmp_path: Path, text: str, what: str) -> None:
    """Exit 2, the line, and nothing written."""
    list_file.write_text(text, encoding="utf-8")
    ran = apart("bank", "import", list_file)
    assert (ran.code, ran.out) == (2, "")
    assert what in ran.err
    assert not (tmp_path / "data" / "drafts").exists()


def test_a_file_that_is_not_there(apart: Viva, tmp_path: Path) -> None:
    """Is said so; a folder is no file."""
    assert "cannot be read" in apart("bank", "import", tmp_path / "none.txt").err
    assert apart("bank", "import", tmp_path).code == 2


def test_a_broken_draft_is_told(apart: Viva, list_file: Path, tmp_path: Path) -> None:
    """Exit 1; interviews go on without it."""
    apart("bank", "import", list_file, "--no-compare")
    path = tmp_path / "data/drafts/our-list/draft-our-list-01.yaml"
    path.write_text(path.read_text("utf-8").replace("level: senior", "level: guru"), encoding="utf-8")
    ran = apart("bank", "drafts")
    assert (ran.code, "level" in ran.err) == (1, True)
    assert apart("bank", "show", "draft-our-list-01").code == 2


def test_duplicates_are_shown_and_drafts_are_asked(listening: Viva, tmp_path: Path) -> None:
    """A question of the bank is recognised in an imported list; a draft is asked in an interview that wants drafts."""
    path = tmp_path / "compared.jsonl"
    rows = [
        {"question": "In review you see that a colleague removed optimizer.zero_grad(). What goes wrong?"},
        {"question": "What does a write-ahead log promise?", "answer": "Changes are logged before they are made."},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    ran = listening("bank", "import", path, "--json")
    known, fresh = ran.json["drafts"]
    assert (known["nearest"], fresh["duplicate_of"]) == ("zero-grad", None)
    moves = tmp_path / "moves.jsonl"
    moves.write_text('{"text": "Changes are logged before they are made."}\n', encoding="utf-8")
    played = listening("chat", "--drafts", "--topics", "imported", "--answers", moves, "--json").json
    assert [(q["id"], q["score"]) for q in played["questions"]] == [("draft-compared-02", 3)]
    refused = listening("chat", "--topics", "imported", "--answers", moves, "--json")
    assert (refused.code, "no topic 'imported'" in refused.err) == (2, True)
