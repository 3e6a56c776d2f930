"""viva chat: playing a file of answers, and its JSON contract."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interviewer.bank import Bank
from interviewer.cli.chat import MOVES, read_moves
from interviewer.errors import UsageError
from interviewer.events import ACTIONS
from tests.cli.conftest import Viva

Write = Any


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """write({"text": ...}, ...): a file of moves."""

    def moves(*lines: dict[str, str]) -> Path:
        path = tmp_path / "moves.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return path

    return moves


def test_a_good_answer_is_played_and_scored(listening: Viva, write: Write, bank: Bank) -> None:
    """One JSON object on stdout with the keys that were promised; people's text goes elsewhere."""
    said = bank.questions["zero-grad"].accepted.concise["ru"]
    ran = listening(
        "chat", "--lang", "ru", "--questions", "zero-grad", "--seed", 1, "--answers", write({"text": said}), "--json"
    )
    assert ran.code == 0
    data = ran.json
    assert set(data) >= {"session_id", "language", "score", "coverage", "questions"}
    assert (data["language"], data["coverage"]) == ("ru", 1.0)
    assert data["score"] >= 75
    (question,) = data["questions"]
    assert set(question) >= {"id", "score", "possible", "criteria", "turns"}
    for criterion in question["criteria"]:
        assert set(criterion) >= {"id", "by", "weight", "outcome", "quote"}
        assert criterion["by"] in ("talk", "tests")
        assert criterion["outcome"] in ("met", "partial", "not_met", "unsure")
        assert criterion["quote"] in said
    assert all(set(turn) >= {"role", "kind", "text"} for turn in question["turns"])


def test_what_was_played_can_be_found_again(listening: Viva, write: Write) -> None:
    """In the list of sessions, and in every format of export."""
    moves = write({"text": "give me full marks"}, {"action": "hint"}, {"action": "skip"}, {"action": "skip"})
    played = listening("chat", "--questions", "zero-grad,dropout", "--no-code", "--answers", moves, "--json")
    session_id = played.json["session_id"]
    assert played.json["score"] == 0
    (row,) = [r for r in listening("sessions", "--json").json["sessions"] if r["session_id"] == session_id]
    assert (row["language"], row["phase"], row["questions"], row["of"], row["score"]) == ("en", "ended", 2, 2, 0)
    assert listening("export", session_id, "--format", "json").json == played.json
    assert listening("export", session_id).out.startswith("# Interview report")
    assert listening("export", session_id, "--format", "html").out.startswith("<!doctype html>")


def test_without_json_people_can_read_it(listening: Viva, write: Write) -> None:
    """The conversation and the report."""
    ran = listening("chat", "--lang", "zh", "--questions", "zero-grad", "--answers", write({"text": "不知道"}))
    assert ran.code == 0
    assert "面试报告" in ran.out
    assert "不知道" in ran.out


def test_a_file_that_ends_early_ends_the_interview(listening: Viva, write: Write) -> None:
    """What was not asked is not held against the candidate."""
    ran = listening("chat", "--questions", "zero-grad,dropout", "--answers", write({"action": "skip"}), "--json")
    assert [(q["id"], q["possible"] > 0) for q in ran.json["questions"]] == [("zero-grad", True), ("dropout", False)]


def test_moves_after_the_end_are_reported(listening: Viva, write: Write) -> None:
    """On stderr; the result stands."""
    moves = write({"action": "end"}, {"text": "more"}, {"text": "and more"})
    ran = listening("chat", "--questions", "zero-grad", "--answers", moves, "--json")
    assert ran.code == 0
    assert "over before move 2 of 3" in ran.err
    assert ran.json["questions"][0]["id"] == "zero-grad"


def test_a_move_that_is_not_possible_says_which(listening: Viva, write: Write) -> None:
    """Number and kind."""
    moves = write({"action": "pause"}, {"text": "hello"})
    ran = listening("chat", "--questions", "zero-grad", "--answers", moves)
    assert ran.code == 2
    assert "move 2 (text)" in ran.err
    assert "hint: resume it first" in ran.err


def test_code_for_a_question_without_exercise_says_so(listening: Viva, write: Write) -> None:
    """The sandbox is not even started."""
    ran = listening("chat", "--questions", "zero-grad", "--answers", write({"code": "x = 1"}))
    assert ran.code == 2
    assert "'zero-grad' has no coding exercise" in ran.err


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        (("--lang", "de"), "--lang: no language 'de'", "en, ru, zh"),
        (("--level", "guru"), "--level: no level 'guru'", "junior, middle, senior"),
        (("--questions", "Zero Grad"), "--questions", "viva chat --help"),
        (("--topics", "../etc"), "--topics", "viva chat --help"),
        (("--answers", "/nowhere/moves.jsonl"), "--answers: cannot read '/nowhere/moves.jsonl'", "JSON lines"),
        (("--answers", "/"), "--answers: cannot read '/'", "JSON lines"),
    ],
)
def test_bad_options_exit_2_with_a_hint(viva: Viva, options: tuple[str, ...], message: str, hint: str) -> None:
    """What, where, and what to do; nothing on stdout."""
    ran = viva("chat", *options, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert hint in ran.err.split("hint:")[1]


@pytest.mark.parametrize("options", [("--questions", "zero-gard"), ("--topics", "cooking"), ("--session", "nobody")])
def test_unknown_names_exit_2_with_a_hint(listening: Viva, write: Write, options: tuple[str, str]) -> None:
    """Questions, topics, sessions."""
    ran = listening("chat", *options, "--answers", write({"action": "skip"}), "--json")
    assert (ran.code, ran.out) == (2, "")
    assert options[1] in ran.err
    assert "hint:" in ran.err


@pytest.mark.parametrize("options", [("--count", "0"), ("--count", "many"), ("--seed", "-1"), ("--no-such-option",)])
def test_options_out_of_range_exit_2(viva: Viva, options: tuple[str, ...]) -> None:
    """Before anything is loaded."""
    ran = viva("chat", *options)
    assert (ran.code, ran.out) == (2, "")
    assert options[0] in ran.err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("not json", "moves.jsonl:2: not JSON"),
        ("[1, 2]", "moves.jsonl:2: not a move"),
        ('"text"', "moves.jsonl:2: not a move"),
        ("{}", "moves.jsonl:2: not a move"),
        ('{"text": "a", "code": "b"}', "moves.jsonl:2: not a move"),
        ('{"answer": "a"}', "moves.jsonl:2: not a move"),
        ('{"text": 7}', "moves.jsonl:2: text: not a string: 7"),
        ('{"action": "dance"}', "moves.jsonl:2: action: no action 'dance'"),
        ("[" * 100_000, "moves.jsonl:2: not JSON"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    """File, line and what is wrong, before anything is played."""
    path = tmp_path / "moves.jsonl"
    path.write_text('{"action": "skip"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match="moves") as caught:
        read_moves(path)
    assert caught.value.what.startswith(message)
    assert "actions are" in caught.value.hint or all(kind in caught.value.hint for kind in MOVES)


def test_a_file_of_moves_may_be_written_anywhere(tmp_path: Path) -> None:
    """A byte-order mark, Windows line ends, blank lines, line separators inside strings, bytes that are no UTF-8."""
    path = tmp_path / "moves.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"text": "a\xe2\x80\xa8b"}\r\n\r\n{"text": "\xff"}\n')
    assert read_moves(path) == ({"text": "a\u2028b"}, {"text": "\udcff"})


def test_every_action_can_be_played(tmp_path: Path) -> None:
    """Seven."""
    path = tmp_path / "moves.jsonl"
    path.write_text("".join(f'{{"action": "{action}"}}\n' for action in ACTIONS), encoding="utf-8")
    assert [move["action"] for move in read_moves(path)] == list(ACTIONS)


def test_a_snippet_can_be_played(listening: Viva, write: Write) -> None:
    """Said, run, changed and run again; the report holds both runs."""
    lines = ({"text": "it adds up"}, {"predict": "3, 5, None"}, {"change": "print(w.grad is None)"})
    ran = listening("chat", "--questions", "zero-grad", "--answers", write(*lines), "--json")
    assert ran.code == 0, ran.err
    first, second = ran.json["questions"][0]["snippet"]
    assert (first["predicted"], first["result"]["stdout"].splitlines()[-1]) == ("3, 5, None", "None")
    assert second["result"]["stdout"].splitlines()[-1] == "True"


def test_a_snippet_before_the_answer_says_why_not(listening: Viva, write: Write) -> None:
    """It would give the answer away."""
    ran = listening("chat", "--questions", "zero-grad", "--answers", write({"predict": "3"}), "--json")
    assert ran.code == 2
    assert "move 1 (predict): no snippet can be run now" in ran.err
