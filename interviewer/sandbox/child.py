"""The candidate's process: runs the candidate's code and serves the judge's calls on it.

It knows no test and no expected value, and nothing it says about itself is believed: only numbers that come back are
compared, in another process. So the code here defends nothing; it is written for honest candidates (clear errors, their
own lines in tracebacks), and a hostile one that takes it over gains a socket on which it can send numbers.
"""

from __future__ import annotations

import inspect
import linecache
import random
import sys
import traceback
import types
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch

from . import findings, gradients, show
from .channel import Channel, Gone
from .devices import Carrier
from .ops import Recorder
from .protocol import Ref, Unsendable
from .values import lift, lower

MAX_ITEMS = 10_000
MAX_MESSAGE = 2_000
MAX_TRACEBACK = 8_000
SOLUTION, SCAFFOLD, EXAMPLES = "solution.py", "scaffold.py", "examples.py"
_OUT_OF_MEMORY = ("can't allocate memory", "Cannot allocate memory", "not enough memory")


class Missing(AttributeError):
    """The candidate's module has no such top-level name."""


class WrongSignature(TypeError):
    """The candidate's function does not take the arguments that the task names."""


class Workshop:
    """The candidate's modules, and the objects of theirs that the judge holds handles to."""

    def __init__(self) -> None:
        self.objects: list[Any] = []
        self.code = types.ModuleType("solution")
        self.scaffold = types.ModuleType("scaffold")
        self.recorder: Recorder | None = None
        self.carrier = Carrier("cpu")

    # --- values ---

    def keep(self, value: Any) -> Ref:
        self.objects.append(value)
        return Ref(len(self.objects) - 1, ascii(type(value).__name__)[1:-1][:200])

    def find(self, ref: Ref) -> Any:
        return self.objects[ref.number]

    def resolve(self, target: tuple[str, Any, str]) -> Any:
        """(space, object, dotted path): something of the candidate's, the scaffold's or torch's, or of an object."""
        space, value, path = target
        names = path.split(".") if path else []
        if space == "torch":
            value, names = torch, names[1:]
        elif space != "object":
            value = self.code if space == "code" else self.scaffold
            if not hasattr(value, names[0]):
                raise Missing(f"there is no {names[0]!r} in the code")
        for name in names:
            value = getattr(value, name)
        return value

    # --- operations, by the name the judge uses ---

    def load(self, source: str, scaffold: str | None, name: str) -> None:
        """Run the scaffold and the candidate's source as modules."""
        if scaffold is not None:
            sys.modules["scaffold"] = self.scaffold
            self.execute(scaffold, SCAFFOLD, self.scaffold)
        self.code.__name__ = name
        sys.modules[name] = self.code
        self.execute(source, SOLUTION, self.code)

    def script(self, source: str, scaffold: str | None, echo: bool) -> str:
        """Run the candidate's source as the main program. Its last line's value, printed as well with `echo`."""
        self.load("pass", scaffold, "__main__")
        return self.visible(source, SOLUTION, echo)

    def examples(self, source: str, echo: bool) -> str:
        """Run the visible script in the candidate's namespace."""
        return self.visible(source, EXAMPLES, echo)

    def visible(self, source: str, filename: str, echo: bool) -> str:
        self.note_source(source, filename, self.code)
        value = show.run_script(source, filename, self.code)
        if echo and value:
            print(value)
        return value

    def figures(self) -> list[bytes]:
        """What the script drew."""
        return show.figures()

    def scan(self, source: str, forbidden: list[str]) -> list[findings.Row]:
        """Uses of forbidden built-ins that the source shows; from now on, those that run are recorded too."""
        self.recorder = Recorder(forbidden, SOLUTION)
        return findings.scan(source, forbidden, SOLUTION)

    def recorded(self) -> list[findings.Row]:
        """Forbidden built-ins that ran."""
        return [] if self.recorder is None else self.recorder.rows

    def use_device(self, name: str) -> None:
        """From now on, tensors that arrive are put on this device, and come back from it."""
        self.carrier = Carrier(name)

    @staticmethod
    def note_source(source: str, filename: str, module: types.ModuleType) -> None:
        """Let tracebacks quote the source."""
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        module.__dict__["__file__"] = filename

    def execute(self, source: str, filename: str, module: types.ModuleType) -> None:
        self.note_source(source, filename, module)
        exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)  # noqa: S102  what this is for

    def call(self, target: Any, args: Any, kwargs: Any) -> Any:
        function = self.resolve(target)
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            if _does_not_take(function, args, kwargs, error):
                raise WrongSignature(str(error)) from None
            raise

    def get(self, target: Any) -> Any:
        return self.resolve(target)

    def set(self, target: Any, name: str, value: Any) -> None:
        setattr(self.resolve(target), name, value)

    def item(self, target: Any, index: Any) -> Any:
        return self.resolve(target)[index]

    def put_item(self, target: Any, index: Any, value: Any) -> None:
        self.resolve(target)[index] = value

    def length(self, target: Any) -> int:
        return len(self.resolve(target))

    def items(self, target: Any) -> list[Any]:
        found: list[Any] = []
        for value in self.resolve(target):
            if len(found) == MAX_ITEMS:
                raise ValueError(f"more than {MAX_ITEMS} items")
            found.append(value)
        return found

    def state(self, target: Any) -> dict[str, Any]:
        return dict(self.resolve(target).state_dict())

    def put_state(self, target: Any, state: dict[str, Any]) -> None:
        self.resolve(target).load_state_dict(state, strict=True)

    def vjp(self, target: Any, inputs: Any, kwargs: Any, cotangent: Any) -> Any:
        return gradients.vjp(self.resolve(target), inputs, kwargs, cotangent)

    def vjp_params(self, target: Any, inputs: Any, kwargs: Any, cotangent: Any) -> Any:
        return gradients.vjp_params(self.resolve(target), inputs, kwargs, cotangent)

    def vjp2(self, target: Any, inputs: Any, kwargs: Any, cotangents: Any) -> Any:
        return gradients.vjp2(self.resolve(target), inputs, kwargs, cotangents)

    def seed(self, number: int) -> None:
        seed_everything(number)


def seed_everything(number: int) -> None:
    """Seed torch, random and, where it is loaded, numpy."""
    torch.manual_seed(number)
    random.seed(number)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(number % (1 << 32))


_NAMES: dict[type, str] = {Missing: "AttributeError", WrongSignature: "TypeError"}


def serve(channel: Channel) -> None:
    """Answer calls until the judge hangs up. Request: (number, operation, arguments); reply: (number, how, value)."""
    workshop = Workshop()
    channel.send((0, "ready", None))
    while True:
        try:
            number, operation, arguments = channel.receive(trusted=True)
        except Gone:
            return
        how, value = _answer(workshop, getattr(workshop, operation), arguments)
        _flush()
        try:
            channel.send((number, how, value))
        except Unsendable as error:
            channel.send((number, "error", _report("ResultError", f"the result is {error}", "unsendable", "")))
        except Gone:
            return


def _answer(workshop: Workshop, operation: Callable[..., Any], arguments: Any) -> tuple[str, Any]:
    try:
        values = workshop.carrier.there(lift(arguments, workshop.find))
        with _recording(workshop, operation.__name__, arguments):
            result = operation(*values)
        return "ok", lower(workshop.carrier.back(result), workshop.keep)
    except Unsendable as error:
        return "error", _report("ResultError", f"the result is {error}", "unsendable", "")
    except BaseException as error:
        return "error", _describe(error)


def _recording(workshop: Workshop, operation: str, arguments: Any) -> AbstractContextManager[None]:
    """Watch what runs, but for what the judge or the scaffold does itself."""
    if workshop.recorder is None or operation not in ("call", "vjp", "vjp_params", "vjp2"):
        return nullcontext()
    space, _, path = arguments[0]
    return nullcontext() if space in ("torch", "scaffold") else workshop.recorder.watching(f"{space} {path}")


def _does_not_take(function: Any, args: Any, kwargs: Any, error: TypeError) -> bool:
    """Whether the call itself failed, before any line of the candidate's ran."""
    if any(frame.f_code.co_filename == SOLUTION for frame, _ in traceback.walk_tb(error.__traceback__)):
        return False
    if isinstance(function, torch.nn.Module):
        function = function.forward
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return True
    except ValueError:
        return False  # has no signature to look at
    return False


def _describe(error: BaseException) -> dict[str, str]:
    """An exception as data: type, message, what kind of end it is, and the candidate's own frames."""
    try:
        message = str(error)
    except BaseException:
        message = "(its message could not be read)"
    kind = "exception"
    if isinstance(error, SyntaxError) and error.filename in (SOLUTION, EXAMPLES, SCAFFOLD):
        kind = "syntax"
        message = f"line {error.lineno}: {error.msg}"
    elif isinstance(error, Missing):
        kind = "missing"
    elif isinstance(error, SystemExit):
        kind = "exit"
    elif isinstance(error, MemoryError) or any(words in message for words in _OUT_OF_MEMORY):
        kind, message = "memory", message or "out of memory"
    elif isinstance(error, BrokenPipeError):
        kind = "output"
    elif isinstance(error, EOFError) and message == "EOF when reading a line":
        kind = "input"
    elif isinstance(error, WrongSignature):
        kind = "signature"
    name = _NAMES.get(type(error)) or type(error).__name__
    return _report(name, message, kind, "" if kind == "signature" else _own_frames(error))


def _report(name: str, message: str, kind: str, frames: str) -> dict[str, str]:
    def clean(text: str, size: int) -> str:
        return text.encode("utf-8", "backslashreplace").decode()[:size]

    return {
        "type": clean(name, 200),
        "message": clean(message, MAX_MESSAGE),
        "kind": kind,
        "traceback": clean(frames, MAX_TRACEBACK),
    }


def _own_frames(error: BaseException) -> str:
    """The traceback as Python prints it, less every frame that is not the candidate's (or the examples')."""
    try:
        own = (SOLUTION, EXAMPLES, SCAFFOLD)
        report = traceback.TracebackException.from_exception(error, limit=-200)
        todo = [report]
        while todo:
            part = todo.pop()
            part.stack = traceback.StackSummary.from_list([f for f in part.stack if f.filename in own])
            todo += [other for other in (part.__cause__, part.__context__) if other is not None]
        return "".join(report.format())
    except BaseException:
        return ""


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # noqa: S112  a broken stream of the candidate's is the candidate's loss
            continue
