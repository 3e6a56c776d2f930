"""One running sandbox on the strongest backend of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from interviewer.domain import Exercise, LocalText, SandboxResult
from interviewer.errors import OperatorError
from interviewer.sandbox import Limits, TorchSandbox

NONE = LocalText(en="-", ru="-", zh="-")


@pytest.fixture(scope="session")
def sandbox() -> Iterator[TorchSandbox]:
    """Shared: tests leave it as it was."""
    sandbox = TorchSandbox(Limits(wall_seconds=20.0, call_seconds=3.0, cpu_seconds=5))
    try:
        sandbox.describe()
    except OperatorError as error:
        pytest.skip(str(error))
    with sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def check(sandbox: TorchSandbox) -> Callable[..., SandboxResult]:
    """check(code, body): runs `body`, the inside of a check that has `sut`, against `code`."""

    def run(code: str, body: str, scaffold: str | None = None) -> SandboxResult:
        lines = "\n".join("    " + line for line in body.splitlines())
        checks = f"import torch\nfrom viva_check import assert_close, CandidateError\n\ndef check_it(sut):\n{lines}\n"
        return sandbox.check(exercise(checks, scaffold=scaffold), code)

    return run


def exercise(checks: str, scaffold: str | None = None) -> Exercise:
    """An exercise that is nothing but its checks."""
    return Exercise(
        id="test",
        statement=NONE,
        docstring=NONE,
        checks={},
        wrong={},
        starter="",
        reference="",
        checks_source=checks,
        examples="",
        scaffold=scaffold,
    )


@pytest.fixture(scope="session")
def make_exercise() -> Callable[..., Exercise]:
    return exercise
