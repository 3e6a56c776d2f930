"""Prompts are files beside this one. Variables are strict, and the hash of what was rendered can be recorded."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

from interviewer.errors import VivaError

_VARIABLE = re.compile(r"\{\{ (\w+) \}\}")


@cache
def _template(name: str) -> str:
    return Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8")


def render(name: str, **variables: str) -> str:
    """The prompt `name` with every `{{ variable }}` filled in. Missing and unknown variables raise VivaError.

    Values are inserted as they are and never looked at again: a value cannot smuggle in a variable.
    """
    template = _template(name)
    wanted = set(_VARIABLE.findall(template))
    if wanted != set(variables):
        raise VivaError(f"prompt '{name}' takes {sorted(wanted)}, was given {sorted(variables)}")
    return _VARIABLE.sub(lambda match: variables[match[1]], template)


def prompt_hash(name: str) -> str:
    """Twelve hex digits that change with the prompt's file."""
    return hashlib.sha256(_template(name).encode()).hexdigest()[:12]


def fence(text: str, limit: int = 4000) -> str:
    """Somebody else's words made harmless inside a prompt: cut, and with no line that could close the fence."""
    return text[:limit].replace("<<<", "‹‹‹").replace(">>>", "›››")
