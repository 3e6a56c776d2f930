"""How checks become a verdict."""

from __future__ import annotations

from collections.abc import Callable

from interviewer.domain import Exercise
from interviewer.sandbox import TorchSandbox

Make = Callable[..., Exercise]

THREE = """
def check_first(sut):
    assert sut.f() == 1
def check_second(sut):
    assert sut.f() == 2, "the second"
def _helper(sut):
    raise AssertionError
def check_third(sut):
    assert sut.f() == 3, "the third"
"""


def outcomes(sandbox: TorchSandbox, exercise: Exercise, code: str) -> list[tuple[str, str]]:
    return [(c.name, c.outcome) for c in sandbox.check(exercise, code).checks]


def test_checks_run_in_order_and_all_of_them(sandbox: TorchSandbox, make_exercise: Make) -> None:
    """A failed check does not hide the next; the first one gives the message."""
    result = sandbox.check(make_exercise(THREE), "def f(): return 1")
    assert [(c.name, c.outcome) for c in result.checks] == [
        ("check_first", "passed"),
        ("check_second", "failed"),
        ("check_third", "failed"),
    ]
    assert (result.verdict, result.reason, result.message) == ("failed", "check_failed", "the second")


def test_a_dead_process_leaves_the_rest_unrun(sandbox: TorchSandbox, make_exercise: Make) -> None:
    """What nobody answered is not a failure of its own."""
    code = "import os\nn = 0\ndef f():\n    global n\n    n += 1\n    return n if n < 2 else os._exit(0)"
    result = sandbox.check(make_exercise(THREE), code)
    assert [c.outcome for c in result.checks] == ["passed", "failed", "not_run"]
    assert result.checks[1].message == result.message == "The code ended its own process."


def test_a_call_that_never_returns_is_a_timeout(sandbox: TorchSandbox, make_exercise: Make) -> None:
    """Of that check; the rest is not run."""
    checks = "def check_a(sut):\n    assert sut.f() == 1\ndef check_b(sut):\n    sut.g()\ndef check_c(sut):\n    pass\n"
    code = "import time\ndef f(): return 1\ndef g(): time.sleep(60)"
    result = sandbox.check(make_exercise(checks), code)
    assert [c.outcome for c in result.checks] == ["passed", "timeout", "not_run"]
    assert (result.verdict, result.reason) == ("timeout", "wall_clock")


def test_a_check_cannot_swallow_the_end_of_the_run(sandbox: TorchSandbox, make_exercise: Make) -> None:
    """`except Exception` around a call does not turn a dead process into a pass."""
    checks = "def check_a(sut):\n    try:\n        sut.f()\n    except Exception:\n        pass\n"
    assert sandbox.check(make_exercise(checks), "import os\ndef f(): os._exit(0)").reason == "exited"


def test_no_checks_is_no_pass(sandbox: TorchSandbox, make_exercise: Make) -> None:
    """`passed` means that at least one check passed."""
    result = sandbox.check(make_exercise("import torch\ndef helper(sut): pass\n"), "x = 1")
    assert (result.verdict, result.reason) == ("error", "broken_checks")


def test_broken_checks_are_the_authors_fault(sandbox: TorchSandbox, make_exercise: Make) -> None:
    """Not a failure of the candidate's."""
    for checks in ("def check_a(sut)\n", "import nowhere\n"):
        result = sandbox.check(make_exercise(checks), "x = 1")
        assert (result.verdict, result.reason) == ("error", "broken_checks")


def test_imported_checks_do_not_count(sandbox: TorchSandbox, make_exercise: Make) -> None:
    """Only functions that the file defines."""
    checks = "from torch.testing import assert_close as check_imported\ndef check_own(sut):\n    pass\n"
    assert outcomes(sandbox, make_exercise(checks), "x = 1") == [("check_own", "passed")]


def test_code_that_does_not_load_fails_every_check(sandbox: TorchSandbox, make_exercise: Make) -> None:
    """Each is listed as not run."""
    result = sandbox.check(make_exercise(THREE), "raise ValueError('at once')")
    assert (result.verdict, result.reason) == ("failed", "exception")
    assert [c.outcome for c in result.checks] == ["not_run"] * 3
