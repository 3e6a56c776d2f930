"""viva bank: check, list, show."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import write_bank
from tests.cli.conftest import Viva
from tests.conftest import HEARD


@pytest.fixture
def broken(viva: Viva, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Viva:
    """The command line on the mini bank with three faults in three files."""
    corpus, rubrics = write_bank(tmp_path)
    for path, old, new in (
        (corpus / "questions/alpha.yaml", "level: junior", "level: [junior"),
        (rubrics / "beta.yaml", "weight: 4", "weight: heavy"),
        (corpus / "exercises/beta/exercise.yaml", "killed_by: check_value", "killed_by: check_sum"),
    ):
        path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    monkeypatch.setenv("VIVA_CORPUS", str(corpus))
    monkeypatch.setenv("VIVA_RUBRICS", str(rubrics))
    return viva


def test_a_broken_bank_exits_1_with_every_fault(broken: Viva) -> None:
    """As JSON, with the keys that were promised."""
    ran = broken("bank", "check", "--json")
    assert ran.code == 1
    assert set(ran.json) >= {
        "questions",
        "languages",
        "sources",
        "exercises",
        "wrong_solutions",
        "killed",
        "faults",
    }
    places = [": ".join(fault.split(": ")[:2]) for fault in ran.json["faults"]]
    assert places == [
        "questions/alpha.yaml:3: malformed YAML",
        "rubrics/beta.yaml:4: criteria.0.weight",
        "beta/exercise.yaml: wrong.copies.py.killed_by",
    ]


def test_people_read_faults_on_stderr(broken: Viva) -> None:
    """One a line, counts on stdout."""
    ran = broken("bank", "check")
    assert ran.code == 1
    assert len([line for line in ran.err.splitlines() if line.startswith("  - ")]) == 3
    assert "3 fault(s)" in ran.out


@pytest.mark.parametrize("command", [("bank", "list"), ("sessions",), ("chat", "--json")])
def test_nothing_starts_on_a_broken_bank(broken: Viva, command: tuple[str, ...]) -> None:
    """Exit 2, every fault, and what to do."""
    ran = broken(*command)
    assert (ran.code, ran.out) == (2, "")
    assert "the bank has 3 fault(s)" in ran.err
    assert "hint:" in ran.err


def test_sound_files_have_no_faults(viva: Viva) -> None:
    """Without running anything, exit 0."""
    ran = viva("bank", "check", "--no-run", "--json")
    assert (ran.code, ran.json["faults"]) == (0, [])
    assert ran.json["questions"] == 3
    assert ran.json["languages"] == {"en": 3, "ru": 3, "zh": 3}
    assert set(ran.json["sources"]) == {"000", "003", "004"}
    assert all(found <= of for found, of in ran.json["sources"].values())
    assert (ran.json["exercises"], ran.json["killed"]) == (2, 0)
    assert ran.json["wrong_solutions"] >= 10


def test_one_question_can_be_checked(viva: Viva) -> None:
    """Only that one is counted."""
    assert viva("bank", "check", "zero-grad", "--no-run", "--json").json["questions"] == 1


def test_an_unknown_question_exits_2(viva: Viva) -> None:
    """With a near one."""
    ran = viva("bank", "check", "zero-gard", "--no-run")
    assert ran.code == 2
    assert "did you mean zero-grad?" in ran.err


@pytest.mark.parametrize(("lang", "title"), [("en", "zero_grad"), ("ru", "zero_grad"), ("zh", "zero_grad")])
def test_the_bank_can_be_listed(viva: Viva, lang: str, title: str) -> None:
    """As JSON and as a table."""
    rows = viva("bank", "list", "--lang", lang, "--json").json["questions"]
    assert [row["id"] for row in rows] == sorted(HEARD)
    assert all(set(row) >= {"id", "level", "topic", "kind", "title"} for row in rows)
    assert title in viva("bank", "list", "--lang", lang).out


def test_a_question_can_be_shown(viva: Viva) -> None:
    """As its author sees it."""
    out = viva("bank", "show", "zero-grad", "--lang", "ru").out
    assert "accumulates" in out
    assert "overwrites" in out


@pytest.mark.parametrize(
    "command",
    [("bank", "show", "nothing"), ("bank", "show", "zero-grad", "--lang", "de"), ("bank", "list", "--lang", "")],
)
def test_bad_ids_and_languages_exit_2(viva: Viva, command: tuple[str, ...]) -> None:
    """With a hint."""
    ran = viva(*command)
    assert (ran.code, ran.out) == (2, "")
    assert "hint:" in ran.err


def test_a_new_question_can_be_begun(viva: Viva, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`new` names the files, `check` what is still to be filled in; a second `new` is refused."""
    corpus, rubrics = write_bank(tmp_path)
    monkeypatch.setenv("VIVA_CORPUS", str(corpus))
    monkeypatch.setenv("VIVA_RUBRICS", str(rubrics))
    ran = viva("bank", "new", "fresh-idea", "--kind", "predict", "--topic", "data", "--level", "junior")
    assert ran.code == 0
    assert [Path(line).parent.name for line in ran.out.splitlines()] == ["questions", "rubrics"]
    ran = viva("bank", "check", "fresh-idea")
    assert ran.code == 1
    assert "questions/fresh-idea.yaml:38: snippet: still to be filled in" in ran.err
    assert viva("bank", "new", "fresh-idea").code == 2
    assert viva("bank", "new", "other-idea", "--kind", "quiz").code == 2


def test_the_schemas_can_be_written(viva: Viva, tmp_path: Path) -> None:
    """Into any folder."""
    assert viva("bank", "schema", "--out", tmp_path).code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["exercise.json", "question.json", "rubric.json"]
