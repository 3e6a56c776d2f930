"""Drafts as files: whole or not at all, and only data."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from interviewer.drafts import Draft, read_drafts
from interviewer.errors import OperatorError, UsageError
from interviewer.importing import read_questions
from interviewer.importing.drafting import drafts_of
from interviewer.importing.folder import write_drafts

NASTY = (
    "!!python/object/apply:os.system ['true']?",
    "*anchor & <<: {a: b} # no comment?",
    "=cmd|' /C calc'!A0",
    "<script>alert(1)</script>",
    "--- ...",
    "null",
    "- yes: 'no' \" \\n %TAG",
    "\u2028 and \u2029 and \ufffd?",
    "@`|>?",
)


def drafts() -> tuple[Draft, ...]:
    text = "".join(f"{n}. {question}\n\n{question}\n" for n, question in enumerate(NASTY, start=1))
    return drafts_of(read_questions("nasty.txt", text.encode()).items, "nasty.txt")


def test_whatever_a_list_says_comes_back_as_text(tmp_path: Path) -> None:
    """Tags, anchors, formulas and HTML are data, in the question and in the answer."""
    paths = write_drafts(drafts(), tmp_path / "nasty")
    found, faults = read_drafts(tmp_path)
    assert faults == ()
    assert found == drafts()
    assert [d.text for d in found] == [question.strip() for question in NASTY]
    assert [d.answer for d in found] == [question.strip() for question in NASTY]
    assert all(isinstance(yaml.safe_load(path.read_text("utf-8"))["text"], str) for path in paths)


def test_an_import_is_not_repeated(tmp_path: Path) -> None:
    """The folder that is there stays as it is."""
    write_drafts(drafts(), tmp_path / "nasty")
    with pytest.raises(UsageError, match="imported before"):
        write_drafts(drafts()[:1], tmp_path / "nasty")
    assert len(read_drafts(tmp_path)[0]) == len(NASTY)


def test_nothing_half_written_remains(tmp_path: Path) -> None:
    """A draft that cannot be written takes the others with it."""
    good, *_ = drafts()
    bad = good.model_copy(update={"id": "draft-" + "x" * 300})
    with pytest.raises(OperatorError):
        write_drafts((good, bad), tmp_path / "list")
    assert list(tmp_path.iterdir()) == []


def test_a_draft_that_does_not_read_back_is_not_kept(tmp_path: Path) -> None:
    """What is in the folder can be loaded."""
    good, *_ = drafts()
    with pytest.raises(OperatorError, match="does not read back"):
        write_drafts((good.model_copy(update={"text": " padded "}),), tmp_path / "list")
    assert list(tmp_path.iterdir()) == []
