"""viva sandbox run: exit 0 only when every check passed."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.cli.sandbox import read_source
from interviewer.errors import OperatorError
from interviewer.sandbox import TorchSandbox
from tests.cli.conftest import Viva


@pytest.fixture(scope="module")
def works() -> None:
    """Skips where this machine cannot isolate code."""
    try:
        TorchSandbox().describe()
    except OperatorError as error:
        pytest.skip(str(error))


@pytest.mark.slow
def test_a_correct_solution_exits_0(works: None, viva: Viva, content: Path) -> None:
    """With the keys that were promised."""
    reference = content / "corpus/exercises/dropout/reference.py"
    ran = viva("sandbox", "run", "--exercise", "dropout", "--file", reference, "--json")
    assert (ran.code, ran.json["verdict"]) == (0, "passed")
    assert set(ran.json) >= {"verdict", "checks", "stdout", "seconds", "layers"}
    assert all(set(check) >= {"name", "outcome", "message"} for check in ran.json["checks"])
    assert {check["outcome"] for check in ran.json["checks"]} == {"passed"}


@pytest.mark.slow
def test_a_wrong_solution_exits_1(works: None, viva: Viva, content: Path) -> None:
    """And people can read which check it failed."""
    wrong = content / "corpus/exercises/dropout/wrong/always-on.py"
    ran = viva("sandbox", "run", "--exercise", "dropout", "--file", wrong)
    assert ran.code == 1
    assert ran.out.startswith("failed")
    assert "check_" in ran.out


@pytest.mark.slow
def test_forbidden_built_ins_are_named(works: None, viva: Viva, content: Path) -> None:
    """In words and in JSON, with the line."""
    ready = content / "corpus/exercises/attention/wrong/ready-made-function.py"
    told = viva("sandbox", "run", "--exercise", "attention", "--file", ready)
    assert "finding  torch.nn.functional.scaled_dot_product_attention, line 14 (alias)" in told.out
    ran = viva("sandbox", "run", "--exercise", "attention", "--file", ready, "--json")
    assert {"name": "torch.nn.functional.scaled_dot_product_attention", "line": 14, "how": "called"} in ran.json[
        "findings"
    ]


@pytest.mark.parametrize("raw", [b"", b"x = 1\x00", b"\xff\xfe"])
def test_what_is_no_source_exits_1(works: None, viva: Viva, tmp_path: Path, raw: bytes) -> None:
    """Nothing is started for it, and the reason is named."""
    path = tmp_path / "odd.py"
    path.write_bytes(raw)
    ran = viva("sandbox", "run", "--exercise", "dropout", "--file", path, "--json")
    assert (ran.code, ran.json["verdict"], ran.json["reason"]) == (1, "error", "bad_source")


@pytest.mark.parametrize(
    ("exercise", "file", "message"),
    [
        ("nothing", "x.py", "--exercise: no exercise 'nothing'"),
        ("zero-grad", "x.py", "--exercise: no exercise 'zero-grad'"),
        ("dropout", "/nowhere/x.py", "--file: cannot read '/nowhere/x.py'"),
        ("dropout", "/", "--file: cannot read '/'"),
    ],
)
def test_bad_ids_and_files_exit_2(viva: Viva, exercise: str, file: str, message: str) -> None:
    """With a hint."""
    ran = viva("sandbox", "run", "--exercise", exercise, "--file", file, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "hint:" in ran.err


def test_bytes_that_are_no_utf8_stay_visible(tmp_path: Path) -> None:
    """As surrogates, for the sandbox to refuse by name."""
    path = tmp_path / "odd.py"
    path.write_bytes(b"# caf\xe9\n")
    assert read_source(path) == "# caf\udce9\n"
