"""JSON schemas of the files that people write, made from the models, for editors that read `$schema` lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interviewer.domain import Exercise, Model, Question, Rubric

BESIDE = ("id", "starter", "reference", "checks_source", "examples", "scaffold")
"""Fields of an exercise that come from its folder's name and from files beside exercise.yaml."""


def schemas() -> Mapping[str, str]:
    """File name -> JSON text, as `corpus/schema/` keeps them."""
    return {f"{name}.json": json.dumps(schema, ensure_ascii=False, indent=1) + "\n" for name, schema in _made()}


def write_schemas(folder: Path) -> tuple[Path, ...]:
    """Write all of them into `folder`; the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in schemas().items():
        path = folder / name
        path.write_text(text, encoding="utf-8", newline="\n")
        paths.append(path)
    return tuple(paths)


def _made() -> tuple[tuple[str, dict[str, Any]], ...]:
    return ("question", _schema(Question)), ("rubric", _schema(Rubric)), ("exercise", _exercise())


def _schema(model: type[Model]) -> dict[str, Any]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}


def _exercise() -> dict[str, Any]:
    """What exercise.yaml holds: the rest of an `Exercise` is read from other files."""
    schema = _schema(Exercise)
    for part, names in ((schema, BESIDE), (schema["$defs"]["WrongSolution"], ("source",))):
        for name in names:
            del part["properties"][name]
        part["required"] = [name for name in part["required"] if name not in names]
    return schema
