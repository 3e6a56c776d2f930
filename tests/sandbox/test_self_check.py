"""The self-check finds what holds, what is not promised and, shown a sandbox with holes, what does not hold."""

from __future__ import annotations

from typing import Any

import pytest

from interviewer.domain import SandboxResult
from interviewer.sandbox import TorchSandbox, self_check


def test_every_promise_holds_here(sandbox: TorchSandbox) -> None:
    """On this machine's strongest backend; the limits it borrowed are back afterwards."""
    limits = sandbox.limits
    rows = self_check.self_check(sandbox)
    assert not [row for row in rows if not row.holds]
    assert len(rows) >= 20
    assert len({row.promise for row in rows}) == len(rows)
    assert sandbox.limits == limits


class Open:
    """A sandbox that keeps nothing: all code runs to its end, and everything passes."""

    def __init__(self, backend: str, stdout: str = "") -> None:
        self.limits = TorchSandbox().limits
        self.backend = backend
        self.stdout = stdout

    def describe(self) -> tuple[str, tuple[str, ...]]:
        return self.backend, ()

    def run(self, source: str) -> SandboxResult:
        return SandboxResult(verdict="passed", stdout=self.stdout, seconds=0, backend=self.backend, layers=())

    check: Any = lambda self, exercise, source: self.run(source)


@pytest.mark.parametrize("stdout", ["", '["no network", ""]', "[]\n"])
def test_a_promise_that_is_not_kept_is_found(stdout: str) -> None:
    """Also when a probe said nothing at all."""
    sandbox: Any = Open("landlock", stdout)
    rows = {row.promise: row.holds for row in self_check.self_check(sandbox)}
    kept = {name for name, holds in rows.items() if holds}
    assert kept - {"no environment of the host's"} == {"honest code passes", "no process is left"}


def test_what_a_backend_does_not_promise_is_no_fault() -> None:
    """`process` builds no walls; its verdict is promised all the same."""
    sandbox: Any = Open("process")
    rows = {row.promise: row.holds for row in self_check.self_check(sandbox)}
    assert all(rows[wall] is None for wall in self_check.WALLS)
    assert rows["no pass by leaving"] is False
