"""The judge's process: holds the checks and the expected values, runs none of the candidate's code, gives the verdict.

The verdict leaves once, on a socket that only this process and the parent hold. What this stops: every way of faking a
pass from inside the candidate's process (its prints, exits, patches of torch, forged objects). What it does not: weak
checks. A program that returns the right numbers for inputs it has not seen has passed.
"""

from __future__ import annotations

import math
import os
import random
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import torch

from .findings import HOW, MAX_ROWS
from .pictures import encoded
from .sut import Caller, CandidateError, Handle, Place, RunOver, Sut

CHECKS = "checks.py"
NOT_READY = "not_ready"
"""The candidate's process ended before it had read anything: it could not be confined. The parent raises."""
MAX_MESSAGE = 600
MAX_LINE = 1_000_000
MAX_VALUE = 25_000

Finding = dict[str, Any]
Outcome = dict[str, Any]
"""A SandboxResult's verdict, reason, message, traceback and checks, as JSON."""

_SAID = {
    "wall_clock": ("timeout", "The code did not finish in time."),
    "memory": ("memory", "The code ran out of memory."),
    "missing_name": ("failed", ""),
    "gone": ("failed", "The code's process ended before it answered."),
    "protocol": ("failed", ""),
}
_REASONS = {
    "missing": "missing_name",
    "exit": "exited",
    "memory": "memory",
    "syntax": "syntax_error",
    "signature": "wrong_signature",
    "input": "reads_input",
    "output": "output_limit",
    "unsendable": "bad_result",
}


def run_job(caller: Caller, job: dict[str, Any]) -> Outcome:
    """Do what the parent asked for: `check` or `run`. A fault of the checks' own is said to be one."""
    try:
        caller.wait_ready()
    except RunOver:
        return _outcome("error", NOT_READY)
    try:
        return _run(caller, job) if job["mode"] == "run" else _check(caller, job)
    except RunOver as over:
        return _over(over)
    except MemoryError:
        return _outcome("memory", "memory", "The result was too large to look at.")
    except Exception as error:
        return _outcome(
            "error", "broken_checks", f"The checks are broken: {type(error).__name__}: {error}"[:MAX_MESSAGE]
        )


def _outcome(verdict: str, reason: str = "", message: str = "", traceback: str = "") -> Outcome:
    return {"verdict": verdict, "reason": reason, "message": message, "traceback": traceback, "checks": []}


def _over(over: RunOver) -> Outcome:
    verdict, message = _SAID[over.reason]
    return _outcome(verdict, over.reason, over.message or message)


def _raised(error: CandidateError) -> Outcome:
    """The candidate's code raised outside a check's expectation."""
    reason = _REASONS.get(error.kind, "exception")
    verdict = {"memory": "memory", "syntax_error": "error"}.get(reason, "failed")
    message = {
        "memory": "The code ran out of memory.",
        "exited": "The code ended its own process.",
        "syntax_error": f"The code does not compile: {error.message}.",
        "missing_name": f"{error.message[:1].upper()}{error.message[1:]}.",
        "wrong_signature": f"The code cannot be called as the task says: {error.message}.",
        "reads_input": "The code waits for input, and nobody is there to type.",
        "output_limit": "The code printed more than is kept; its output was cut off.",
        "bad_result": f"The code gave back what cannot be looked at: {error.message}.",
    }.get(reason, f"The code raised {error}")
    return _outcome(verdict, reason, message[:MAX_MESSAGE], error.traceback)


def _run(caller: Caller, job: dict[str, Any]) -> Outcome:
    """The visible run, `predict` included: what it came to, its last value and its figures."""
    value = ""
    try:
        value = caller("script", job["source"], job["scaffold"], job["echo"])
        if job["examples"]:
            value = caller("examples", job["examples"], job["echo"])
        outcome = _outcome("passed")
    except RunOver as over:
        return _over(over)
    except CandidateError as error:
        outcome = _raised(error) | {"raised": str(error)[:MAX_MESSAGE]}
    shown = value[:MAX_VALUE] if type(value) is str else ""
    return outcome | {"value": shown, "pictures": _pictures(caller)}


def _pictures(caller: Caller) -> list[str]:
    try:
        return list(encoded(caller("figures")))
    except (CandidateError, RunOver):
        return []


def _check(caller: Caller, job: dict[str, Any]) -> Outcome:
    number = int.from_bytes(os.urandom(8), "big") >> 1
    torch.manual_seed(number)
    random.seed(number)
    checks = load_checks(job["checks"])
    if not checks:
        return _outcome("error", "broken_checks", "There is no check.")
    found: list[Finding] = []
    try:
        if job["forbidden"]:
            found = _scanned(caller, job["source"], job["forbidden"])
        if job["device"] != "cpu":
            caller("use_device", job["device"])
        caller("load", job["source"], job["scaffold"], "solution")
        outcome = _perform(Sut(caller), checks)
        if job["forbidden"]:
            found += _believable(_asked(caller, "recorded"), job["forbidden"])
    except RunOver as over:
        outcome = _over(over) | {"checks": [_result(name, "not_run") for name in checks]}
    except CandidateError as error:
        outcome = _raised(error) | {"checks": [_result(name, "not_run") for name in checks]}
    return outcome | {"findings": found}


def _scanned(caller: Caller, source: str, forbidden: list[str]) -> list[Finding]:
    """Before any of the candidate's code runs, so what comes back is what the scan found."""
    try:
        return _believable(caller("scan", source, forbidden), forbidden)
    except CandidateError:
        return []  # no Python: loading it will say so


def _asked(caller: Caller, operation: str) -> Any:
    try:
        return caller(operation)
    except (CandidateError, RunOver):
        return []


def _believable(rows: Any, forbidden: list[str]) -> list[Finding]:
    """Rows that have the shape of findings. What they say of code that has run is hearsay."""
    found: list[Finding] = []
    for row in rows[:MAX_ROWS] if type(rows) is list else ():
        if type(row) is tuple and [type(part) for part in row] == [str, int, str]:
            name, line, how = row
            if name in forbidden and 0 <= line <= MAX_LINE and how in HOW:
                found.append({"name": name, "line": line, "how": how})
    return found


def assert_close(actual: Any, expected: Any, **tolerances: Any) -> None:
    """torch.testing.assert_close, with a plain sentence when the candidate's object is no value at all."""
    if isinstance(actual, Handle | Place):
        raise AssertionError(f"expected {_kind(expected)}, got {actual!r}")
    torch.testing.assert_close(actual, expected, **tolerances)


def _kind(value: Any) -> str:
    return "a tensor" if isinstance(value, torch.Tensor) else f"a {type(value).__name__}"


def load_checks(source: str) -> dict[str, Callable[[Sut], None]]:
    """The functions check_* that `source` defines, in order. `viva_check` is importable while it runs."""
    module = types.ModuleType("viva_check")
    module.__dict__.update(assert_close=assert_close, CandidateError=CandidateError, torch=torch, math=math)
    sys.modules["viva_check"] = module
    checks = types.ModuleType("checks")
    sys.modules["checks"] = checks
    exec(compile(source, CHECKS, "exec", dont_inherit=True), checks.__dict__)  # noqa: S102  the author's own
    return {
        name: value
        for name, value in vars(checks).items()
        if name.startswith("check_") and isinstance(value, types.FunctionType) and value.__module__ == "checks"
    }


def _perform(sut: Sut, checks: dict[str, Callable[[Sut], None]]) -> Outcome:
    """Run every check. The first that fails decides the reason; one that ends the process leaves the rest not run."""
    worst: Outcome | None = None
    results: list[dict[str, str]] = []
    for name, check in checks.items():
        if worst is not None and worst["over"]:
            results.append(_result(name, "not_run"))
            continue
        failed = _one(sut, check)
        outcome = "passed" if failed is None else {"timeout": "timeout"}.get(failed["verdict"], "failed")
        results.append(_result(name, outcome, "" if failed is None else failed["message"]))
        if failed is not None and (worst is None or failed["over"]):
            worst = failed if worst is None else {**worst, "over": True}
    final = worst or _outcome("passed")
    final.pop("over", None)
    return {**final, "checks": results}


def _one(sut: Sut, check: Callable[[Sut], None]) -> Outcome | None:
    """None when the check passed, else what to say. `over` is set when no further check can run."""
    try:
        check(sut)
    except RunOver as over:
        return _over(over) | {"over": True}
    except CandidateError as error:
        return _raised(error) | {"over": False}
    except AssertionError as error:
        return _outcome("failed", "check_failed", str(error)[:MAX_MESSAGE] or "A check failed.") | {"over": False}
    except Exception as error:
        message = f"The result cannot be used as asked: {type(error).__name__}: {error}"
        return _outcome("failed", "check_failed", message[:MAX_MESSAGE]) | {"over": False}
    return None


def _result(name: str, outcome: str, message: str = "") -> dict[str, str]:
    return {"name": name, "outcome": outcome, "message": message}


def clock(job: dict[str, Any], caller_channel: Any) -> Caller:
    """A caller that stops a little before the parent's own deadline, so that a late run still has its results told."""
    seconds = float(job["wall_seconds"])
    ends = time.monotonic() + max(seconds - 0.5, seconds / 2)
    return Caller(caller_channel, call_seconds=float(job["call_seconds"]), run_ends=ends)
