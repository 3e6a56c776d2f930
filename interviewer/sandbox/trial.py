"""python -m interviewer.sandbox.trial corpus/exercises/<id>: try an exercise's files as its author writes them.

Runs the reference (all checks must pass), every wrong solution (its `killed_by` must be the first check that fails) and
the examples. Exit status 0 when all is well, 1 when not, 2 when the folder cannot be read.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import yaml

from interviewer.domain import Exercise, LocalText, SandboxResult
from interviewer.errors import AuthorError, VivaError

from . import TorchSandbox

_EMPTY = LocalText(en="-", ru="-", zh="-")


def load(folder: Path) -> tuple[Exercise, dict[str, str], dict[str, str]]:
    """(exercise, wrong sources, expected first failing checks, both by file name) of a folder, finished or not."""
    meta: dict[str, Any] = {}
    if (folder / "exercise.yaml").exists():
        meta = yaml.safe_load((folder / "exercise.yaml").read_text(encoding="utf-8")) or {}
    missing = [name for name in ("reference.py", "checks.py") if not (folder / name).exists()]
    if missing:
        raise AuthorError(f"{folder}: no {' and no '.join(missing)}")
    exercise = Exercise(
        id=folder.name,
        profile=meta.get("profile", "base"),
        statement=_EMPTY,
        docstring=_EMPTY,
        checks={},
        wrong={},
        starter=_read(folder / "starter.py") or "",
        reference=_read(folder / "reference.py") or "",
        checks_source=_read(folder / "checks.py") or "",
        examples=_read(folder / "examples.py") or "",
        scaffold=_read(folder / "scaffold.py"),
    )
    wrong = {path.name: path.read_text(encoding="utf-8") for path in sorted((folder / "wrong").glob("*.py"))}
    killed_by = {name: entry.get("killed_by", "?") for name, entry in (meta.get("wrong") or {}).items()}
    return exercise, wrong, killed_by


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def show(result: SandboxResult) -> None:
    """A result for its author's eyes."""
    print(f"  {result.verdict} {result.reason} in {result.seconds:.2f} s  {result.message}")
    for check in result.checks:
        print(f"    {check.outcome:8} {check.name}  {check.message}")
    if result.traceback:
        print("    " + result.traceback.rstrip().replace("\n", "\n    "))


def trial(folder: Path, sandbox: TorchSandbox) -> bool:
    """Try everything in `folder`, printing as it goes. Whether all is as it should be."""
    exercise, wrong, killed_by = load(folder)
    print("reference.py")
    reference = sandbox.check(exercise, exercise.reference)
    show(reference)
    good = reference.verdict == "passed"
    for name, source in wrong.items():
        result = sandbox.check(exercise, source)
        found, expected = result.first_failure, killed_by.get(name, "?")
        agrees = found == expected
        good = good and agrees
        message = next((c.message for c in result.checks if c.name == found), result.message)
        print(
            f"wrong/{name}: {'ok' if agrees else 'WRONG'}: fails {found or 'NOTHING'}, killed_by {expected}: {message}"
        )
    for name in sorted(set(killed_by) - set(wrong)):
        print(f"wrong/{name}: WRONG: named in exercise.yaml, but there is no such file")
        good = False
    if len(wrong) < 6:
        print(f"note: {len(wrong)} wrong solutions; an exercise needs 6")
    if exercise.starter and sandbox.check(exercise, exercise.starter_in("en")).verdict == "passed":
        print("starter.py: WRONG: the starter passes")
        good = False
    if exercise.examples:
        print("examples.py on the reference")
        result = sandbox.run(
            exercise.reference, examples=exercise.examples, scaffold=exercise.scaffold, profile=exercise.profile
        )
        show(result)
        print("    | " + result.stdout.rstrip().replace("\n", "\n    | "))
        good = good and result.verdict == "passed"
    return good


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m interviewer.sandbox.trial", description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, help="exercise folders")
    parser.add_argument("--backend", help="namespaces, landlock or process; the strongest that works if not given")
    arguments = parser.parse_args()
    good = True
    try:
        with TorchSandbox(backend=arguments.backend) as sandbox:
            print("sandbox:", *sandbox.describe()[0:1], "with", ", ".join(sandbox.describe()[1]))
            for folder in arguments.folders:
                print(f"\n== {folder}")
                good = trial(folder, sandbox) and good
    except VivaError as error:
        print(error, file=sys.stderr)
        return 2
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
