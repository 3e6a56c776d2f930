"""What a check holds in its hands: `sut`, the candidate's module seen from the judge's process, and handles.

A call returns real values (tensors, numbers, containers of them) or, for anything else, a Handle to the object over
there. A Handle is never equal to anything and has no truth value, so an object that claims to equal everything cannot
pass for a number.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import torch

from .channel import Channel, Gone, Silence
from .protocol import Ref, WireError
from .values import lift, lower


class CandidateError(Exception):
    """The candidate's code raised. `type` is the exception's class name, `message` its text: hearsay, both."""

    def __init__(self, type: str, message: str = "", kind: str = "exception", traceback: str = "") -> None:
        super().__init__(type, message)
        self.type = type
        self.message = message
        self.kind = kind
        self.traceback = traceback

    def __str__(self) -> str:
        return f"{self.type}: {self.message}" if self.message else self.type


class RunOver(BaseException):
    """The candidate's process cannot go on: no check may catch this. `reason` says why."""

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message


class Caller:
    """Calls into the candidate's process, one at a time, each with a deadline."""

    def __init__(self, channel: Channel, *, call_seconds: float, run_ends: float) -> None:
        self.channel = channel
        self.call_seconds = call_seconds
        self.run_ends = run_ends
        self.number = 0
        self.seconds = 0.0
        """Wall time of the last call, measured here."""
        self.last_traceback = ""

    def wait_ready(self) -> None:
        """The candidate's process is confined and about to read its first call."""
        self._reply(self.run_ends, 0)

    def __call__(self, operation: str, *arguments: Any, share: bool = False) -> Any:
        """Perform `operation` over there. Raises CandidateError, or RunOver when there is nobody to go on with."""
        self.number += 1
        if self.channel.pending():
            raise RunOver("protocol", "The code's process sent something nobody had asked for.")
        started = time.monotonic()
        message = (self.number, operation, lower(arguments, _own_ref))
        try:
            self.channel.send(message, share=share)
            how, value = self._reply(min(started + self.call_seconds, self.run_ends), self.number)
        except Gone:
            raise RunOver("gone") from None
        self.seconds = time.monotonic() - started
        if how == "error":
            self._raise(value)
        return lift(value, lambda ref: Handle(self, ref))

    def _reply(self, deadline: float, number: int) -> tuple[str, Any]:
        try:
            reply = self.channel.receive(deadline)
            if type(reply) is not tuple or len(reply) != 3 or reply[1] not in ("ok", "error", "ready"):
                raise WireError("not a reply")
            if type(reply[0]) is not int or reply[0] != number:
                raise WireError("a reply to another call")
        except WireError as error:
            raise RunOver("protocol", f"The code's process broke the protocol: {error}.") from None
        except Silence:
            raise RunOver("wall_clock") from None
        except MemoryError:
            raise RunOver("memory", "The result was too large to look at.") from None
        return reply[1], reply[2]

    def _raise(self, value: Any) -> NoReturn:
        fields = ("type", "message", "kind", "traceback")
        if type(value) is not dict or not all(type(value.get(f)) is str and len(value[f]) <= 20_000 for f in fields):
            raise RunOver("protocol", "The code's process sent an error that is none.")
        self.last_traceback = value["traceback"]
        raise CandidateError(*(value[f] for f in fields))


def _own_ref(value: Any) -> Ref:
    if isinstance(value, Handle):
        return value._ref
    if isinstance(value, torch.nn.Module):
        raise TypeError("a module of the judge's cannot be sent: make one over there with sut.builtin")
    raise TypeError(f"a check cannot send a {type(value).__name__}; see docs/writing-checks.md for what travels")


class Place:
    """A name, or an attribute path of an object, in the candidate's process. Call it."""

    def __init__(self, caller: Caller, space: str, path: str) -> None:
        self._caller = caller
        self._space = space
        self._path = path

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._caller("call", _target(self), args, kwargs)

    def __bool__(self) -> bool:
        raise AssertionError(f"{self!r} is not data: call it, or read it with .get")

    def __repr__(self) -> str:
        return f"the name {self._path}"


def _target(place: Place | Handle, path: str = "") -> tuple[str, Any, str]:
    if isinstance(place, Handle):
        return ("object", place, path)
    own = ".".join(p for p in (place._path, path) if p)
    return (place._space, None, own)


class Handle:
    """An object in the candidate's process."""

    def __init__(self, caller: Caller, ref: Ref) -> None:
        self._caller = caller
        self._ref = ref

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._caller("call", _target(self), args, kwargs)

    def __getattr__(self, name: str) -> Method:
        if name.startswith("__"):
            raise AttributeError(name)
        return Method(self, name)

    def __getitem__(self, index: Any) -> Any:
        return self._caller("item", _target(self), index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._caller("put_item", _target(self), index, value)

    def __len__(self) -> int:
        length = self._caller("length", _target(self))
        if type(length) is not int or length < 0:
            raise AssertionError("len() gave no number")
        return length

    def __iter__(self) -> Iterator[Any]:
        items = self._caller("items", _target(self))
        if type(items) is not list:
            raise AssertionError("iterating gave no list")
        return iter(items)

    def __bool__(self) -> bool:
        raise AssertionError(f"expected a value, got {self!r}")

    def __repr__(self) -> str:
        return f"an object of type {self._ref.type_name}"

    def get(self, path: str) -> Any:
        """Read an attribute."""
        return self._caller("get", _target(self, path))

    def set(self, name: str, value: Any) -> None:
        """Set an attribute; `name` may be a dotted path."""
        owner, _, last = name.rpartition(".")
        self._caller("set", _target(self, owner), last, value)

    def state(self) -> dict[str, torch.Tensor]:
        """Its state_dict()."""
        state = self._caller("state", _target(self))
        if type(state) is not dict:
            raise AssertionError("state_dict() gave no dictionary")
        return state

    def load(self, state: dict[str, torch.Tensor]) -> None:
        """load_state_dict(state, strict=True): the judge's own weights."""
        self._caller("put_state", _target(self), dict(state))

    def vjp(self, *inputs: Any, cotangent: Any, **kwargs: Any) -> tuple[Any, ...]:
        """(out, gradients by input, gradients by parameter name) of <out, cotangent>."""
        return _parts(self._caller("vjp_params", _target(self), inputs, kwargs, cotangent), 3)


class Method(Place):
    """`handle.name`: a method to call."""

    def __init__(self, handle: Handle, name: str) -> None:
        super().__init__(handle._caller, "object", name)
        self._handle = handle

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._caller("call", _target(self._handle, self._path), args, kwargs)


class Scaffold:
    """The exercise's helpers, loaded beside the candidate's code and no more believable than it."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def __getattr__(self, name: str) -> Place:
        return Place(self._caller, "scaffold", name)


class Sut:
    """The system under test: the candidate's module."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.scaffold = Scaffold(caller)

    def __getattr__(self, name: str) -> Place:
        if name.startswith("__"):
            raise AttributeError(name)
        return Place(self._caller, "code", name)

    @property
    def seconds(self) -> float:
        """Wall time of the last call, in seconds, by the judge's clock. Includes about a millisecond of transport."""
        return self._caller.seconds

    def get(self, path: str) -> Any:
        """Read a module-level value."""
        return self._caller("get", ("code", None, path))

    def builtin(self, path: str, *args: Any, **kwargs: Any) -> Any:
        """Call something of torch over there by its dotted name."""
        if not path.startswith("torch."):
            raise TypeError("sut.builtin takes a dotted name that starts with torch.")
        return self._caller("call", ("torch", None, path), args, kwargs)

    def vjp(self, function: Any, *inputs: Any, cotangent: Any, **kwargs: Any) -> tuple[Any, ...]:
        """(out, gradients by input) of <out, cotangent>."""
        return _parts(self._caller("vjp", self._callable(function), inputs, kwargs, cotangent), 2)

    def vjp2(self, function: Any, *inputs: Any, cotangent: Any, cotangent2: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Second order: d<d<out, cotangent>/d inputs[0], cotangent2>/d(*inputs, cotangent)."""
        arguments = (self._callable(function), inputs, kwargs, (cotangent, cotangent2))
        return _parts(self._caller("vjp2", *arguments), len(inputs) + 1)

    def watch(self, function: Any, *args: Any, **kwargs: Any) -> tuple[Any, tuple[Any, ...]]:
        """(out, args as they are after the call), the latter read by the judge from memory it shares."""
        out = self._caller("call", self._callable(function), args, kwargs, share=True)
        _, _, (_, after, _) = self._caller.channel.look_again()
        return out, tuple(lift(after, lambda ref: Handle(self._caller, ref)))

    def seed(self, number: int) -> None:
        """Seed torch, random and numpy over there."""
        self._caller("seed", number)

    @contextmanager
    def raises(self, *types: str) -> Iterator[None]:
        """Passes when the candidate's code raises one of these. Check values as well: dead code raises too."""
        wanted = " or ".join(types)
        try:
            yield
        except CandidateError as error:
            if error.kind != "missing" and error.type in types:
                return
            raise AssertionError(f"expected {wanted}, got {error}") from None
        raise AssertionError(f"expected {wanted}, nothing was raised")

    def _callable(self, function: Any) -> tuple[str, Any, str]:
        if isinstance(function, str):
            return ("code", None, function)
        if isinstance(function, Method):
            return _target(function._handle, function._path)
        if isinstance(function, (Handle, Place)):
            return _target(function)
        raise TypeError("name the function, or pass a handle")


def _parts(value: Any, count: int) -> tuple[Any, ...]:
    if type(value) is not tuple or len(value) != count:
        raise AssertionError(f"expected {count} parts, got {value!r:.80}")
    return value
