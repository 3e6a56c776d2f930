"""JSON schemas for editors: current, and true of every file that ships."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
import yaml

from interviewer.authoring.schema import schemas, write_schemas
from interviewer.config import load_config

CORPUS, RUBRICS = load_config().corpus, load_config().rubrics


def written() -> Iterator[tuple[str, Path]]:
    """(schema, file) for what authors have written."""
    yield from (("question", path) for path in sorted((CORPUS / "questions").glob("*.yaml")))
    yield from (("rubric", path) for path in sorted(RUBRICS.glob("*.yaml")) if path.stem != "delivery")
    yield from (("exercise", path) for path in sorted((CORPUS / "exercises").glob("*/exercise.yaml")))


@pytest.mark.parametrize("name", schemas())
def test_the_kept_schemas_are_current(name: str) -> None:
    """If not: `viva bank schema`."""
    assert (CORPUS / "schema" / name).read_text(encoding="utf-8") == schemas()[name]


@pytest.mark.parametrize("name", ["question", "rubric", "exercise"])
def test_the_bank_obeys_its_schemas(name: str) -> None:
    """An editor underlines nothing in a file that Viva accepts."""
    validator = jsonschema.Draft202012Validator(json.loads(schemas()[f"{name}.json"]))
    files = [path for kind, path in written() if kind == name]
    assert files
    for path in files:
        data = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        assert [f"{path.name}: {error.message}" for error in validator.iter_errors(data)] == []


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("question", {"levle": "junior"}), ("rubric", {"criteria": []}), ("exercise", {"starter": "def f(): ..."})],
)
def test_an_editor_sees_what_viva_would_refuse(name: str, wrong: dict[str, object]) -> None:
    """Unknown fields, empty lists, what belongs into a file of its own."""
    validator = jsonschema.Draft202012Validator(json.loads(schemas()[f"{name}.json"]))
    (field,) = wrong
    messages = [error.message for error in validator.iter_errors(wrong)]
    assert any(field in message or "too short" in message or "non-empty" in message for message in messages)


def test_they_can_be_written_anywhere(tmp_path: Path) -> None:
    """One file a kind."""
    assert [path.name for path in write_schemas(tmp_path / "new")] == ["question.json", "rubric.json", "exercise.json"]
