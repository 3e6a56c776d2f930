"""YAML files read strictly, with the line of every field, so that a fault can say where it is.

Refused: duplicate keys, aliases (they hide expansion bombs), anything but plain data, files over MAX_BYTES.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

MAX_BYTES = 1_000_000

TODO = "TODO"
"""What a skeleton has where an author is to write."""

Location = tuple[str | int, ...]

_PLAIN = frozenset(("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"))
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Source:
    """A parsed file: its data, where each field stands, and the faults found while reading."""

    path: Path
    data: Any = None
    lines: Mapping[Location, int] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    def where(self, location: Location) -> str:
        """`folder/file:line: field` of the deepest known part of `location`."""
        name = ".".join(str(part) for part in location) or "(file)"
        for length in range(len(location), -1, -1):
            if location[:length] in self.lines:
                return f"{shown(self.path)}:{self.lines[location[:length]]}: {name}"
        return f"{shown(self.path)}: {name}"

    def explain(self, error: ValidationError) -> tuple[str, ...]:
        """One line a fault: file, line, field, what is wrong, and the value that was found."""
        rows = []
        items = error.errors(include_url=False)
        for item in items:
            inside = [other for other in items if other is not item and other["loc"][: len(item["loc"])] == item["loc"]]
            if item["type"] == "too_short" and inside:  # pydantic left faulty entries out before it counted
                continue
            found = ""
            if item["type"] not in ("missing", "value_error") and isinstance(item["input"], str | int | float):
                found = f" (found {item['input']!r:.80})"
            rows.append(f"{self.where(tuple(item['loc']))}: {item['msg']}{found}")
        return tuple(rows)

    def unfilled(self) -> tuple[str, ...]:
        """One line for each field that still holds the TODO of a skeleton; the languages of one text together."""
        return tuple(f"{self.where(at)}: still to be filled in" for at in _unfilled(self.data, ()))


def _unfilled(value: Any, at: Location) -> Iterator[Location]:
    if _is_todo(value):
        yield at
    elif isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _unfilled(inner, (*at, key))


def _is_todo(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip() == TODO
    parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return bool(parts) and all(map(_is_todo, parts))


def shown(path: Path) -> str:
    """A file as faults name it: with its folder, since a question and its rubric share a file name."""
    return f"{path.parent.name}/{path.name}"


def yaml_text(data: Mapping[str, Any]) -> str:
    """Plain data as YAML that `read_yaml` reads back: text stays text, whatever it looks like."""
    return str(yaml.safe_dump(dict(data), allow_unicode=True, sort_keys=False, width=110))


def read_yaml(path: Path) -> Source:
    """Parse `path`; problems become faults of the returned Source, never exceptions."""
    try:
        raw = path.read_bytes()
        if len(raw) > MAX_BYTES:
            return Source(path, faults=(f"{shown(path)}: {len(raw)} bytes, at most {MAX_BYTES} are read",))
        loader = _Loader(raw.decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        return Source(path, faults=(f"{shown(path)}: cannot be read as UTF-8 YAML: {error}",))
    try:
        node = loader.get_single_node()
        if node is None:
            return Source(path, faults=(f"{shown(path)}: the file is empty",))
        reader = _Reader(path, loader)
        data = reader.build(node, ())
        return Source(path, data, reader.lines, tuple(reader.faults))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        return Source(path, faults=(f"{shown(path)}{line}: malformed YAML: {problem}",))
    finally:
        loader.dispose()


class _Reader:
    """Turns a YAML node tree into plain data and notes the line of each field."""

    def __init__(self, path: Path, loader: Any) -> None:
        self.path = path
        self.loader = loader
        self.lines: dict[Location, int] = {}
        self.faults: list[str] = []
        self._seen: set[int] = set()

    def build(self, node: Any, at: Location) -> Any:
        line = node.start_mark.line + 1
        self.lines[at] = line
        if id(node) in self._seen:
            self.faults.append(f"{shown(self.path)}:{line}: aliases are not allowed")
            return None
        self._seen.add(id(node))
        if not isinstance(node, yaml.ScalarNode) and node.tag not in _PLAIN:
            self.faults.append(f"{shown(self.path)}:{line}: the tag {node.tag} is not plain data")
            return None
        if isinstance(node, yaml.MappingNode):
            result: dict[str, Any] = {}
            for key_node, value_node in node.value:
                key = str(getattr(key_node, "value", key_node))
                if key in result:
                    self.faults.append(f"{shown(self.path)}:{key_node.start_mark.line + 1}: key '{key}' appears twice")
                result[key] = self.build(value_node, (*at, key))
            return result
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item, (*at, index)) for index, item in enumerate(node.value)]
        return self.loader.construct_object(node)
