"""A script: looks names up in the installed torch and runs blocks of code, each in a fork of one process.

stdin: {"names": [...], "blocks": [[source, ...], ...]}; sources of one block run one after another in one namespace.
stdout: {"names": {name: null | "missing" | "deprecated: ..."}, "blocks": ["" | what went wrong, ...]}
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import json
import os
import resource
import signal
import sys
import tempfile
import traceback
import types
import warnings
from typing import Any

SECONDS = 20
RAN = "ran"
ALIASES = {"nn": "torch.nn", "F": "torch.nn.functional", "optim": "torch.optim"}


def resolve(name: str) -> str | None:
    """None when torch has the name, else what is wrong with it."""
    first, _, rest = name.partition(".")
    parts = (f"{ALIASES.get(first, first)}.{rest}" if rest else first).split(".")
    found: Any = importlib.import_module(parts[0])
    for i, part in enumerate(parts[1:], start=1):
        if not hasattr(found, part):
            try:
                found = importlib.import_module(".".join(parts[: i + 1]))
            except ImportError:
                return _without_its_library(parts[: i + 1])
        else:
            found = getattr(found, part)
    told = getattr(found, "__deprecated__", None)
    return f"deprecated: {told}" if isinstance(told, str) else None


def _without_its_library(parts: list[str]) -> str | None:
    """A module of torch that needs a library which is not installed (tensorboard) is there all the same."""
    try:
        return None if importlib.util.find_spec(".".join(parts)) else "missing"
    except (ImportError, AttributeError):
        return "missing"


def run(sources: list[str]) -> str:
    """What a fork of this process says about the sources; empty when all of them ran."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        os.close(out)
        _child(sources, into)
    os.close(into)
    with os.fdopen(out, "rb") as pipe:
        said = pipe.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    if said == RAN:
        return ""
    return said or (f"killed by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "it left early")


def _child(sources: list[str], into: int) -> None:
    """Runs the sources in an empty folder with little time, and leaves without cleaning up after torch."""
    signal.alarm(SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    said = RAN
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                for source in sources:
                    exec(compile(source, "<block>", "exec"), module.__dict__)
        except BaseException as error:
            frames = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == "<block>"]
            said = f"line {frames[-1] if frames else '?'}: {type(error).__name__}: {error}"
    os.write(into, said.encode()[:4000])
    os.close(into)
    os._exit(0)


def main() -> None:
    """See the module's docstring."""
    asked = json.load(sys.stdin)
    warnings.simplefilter("ignore")
    import torch

    torch.set_num_threads(1)
    names = {name: resolve(name) for name in asked["names"]}
    with contextlib.suppress(ImportError):  # blocks import it; once is enough
        importlib.import_module("torch.utils.data")
    print(json.dumps({"names": names, "blocks": [run(sources) for sources in asked["blocks"]]}))


if __name__ == "__main__":
    main()
