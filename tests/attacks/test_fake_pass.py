"""Nothing but a solution passes, on any backend: the weakest included, because the verdict does not depend on walls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from interviewer.sandbox import TorchSandbox
from interviewer.sandbox.confine import BACKENDS
from tests.attacks import target

Sandboxes = Callable[[str], TorchSandbox]
ATTACKS = sorted((Path(__file__).parent / "fake_pass").glob("*.py"))


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_honest_solution_passes(sandboxes: Sandboxes, backend: str) -> None:
    """The control: without it, a sandbox that fails everything would look safe."""
    result = sandboxes(backend).check(target.exercise(), target.HONEST)
    assert result.verdict == "passed", result
    assert all(check.outcome == "passed" for check in result.checks)
    assert len(result.checks) == 6


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda path: path.stem)
def test_no_attack_passes(sandboxes: Sandboxes, backend: str, attack: Path) -> None:
    """The verdict is not `passed`, and at least one check did not pass."""
    result = sandboxes(backend).check(target.exercise(), attack.read_text(encoding="utf-8"))
    assert result.verdict != "passed", result
    assert result.reason
    assert any(check.outcome != "passed" for check in result.checks) or not result.checks


@pytest.mark.parametrize("backend", BACKENDS)
def test_after_all_attacks_an_honest_solution_still_passes(sandboxes: Sandboxes, backend: str) -> None:
    """No attack leaves the fork server changed for the next run."""
    assert sandboxes(backend).check(target.exercise(), target.HONEST).verdict == "passed"
