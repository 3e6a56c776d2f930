"""Help for authors: skeletons of new content, and JSON schemas with which an editor checks it while it is written."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Literal, get_args

from pydantic import TypeAdapter, ValidationError

from interviewer.domain import Level, Slug
from interviewer.errors import UsageError
from interviewer.labels import labels

Kind = Literal["talk", "predict", "code"]
KINDS: tuple[Kind, ...] = get_args(Kind)

EXERCISE_FILES = {
    "exercise.yaml": "exercise.yaml",
    "starter.py": "starter.py.txt",
    "reference.py": "reference.py.txt",
    "checks.py": "checks.py.txt",
    "examples.py": "examples.py.txt",
    "wrong/first_mistake.py": "first_mistake.py.txt",
}
"""Files of an exercise and their skeletons."""

_WEIGHTS = (4, 3, 2, 2)


def new_question(
    corpus: Path, rubrics: Path, question_id: str, *, kind: Kind = "talk", topic: str = "practice", level: Level
) -> tuple[Path, ...]:
    """Write the skeletons of a question, its rubric and, for `code`, its exercise; the paths written.

    UsageError, and nothing written, when the id is no id, the topic is unknown, or any of the files exists.
    """
    _refuse_bad_id(question_id)
    topics = [topic for topic in labels("en").topic if topic != "imported"]
    if topic not in topics:
        raise UsageError(f"--topic: no topic '{topic[:40]}'", hint=f"topics are {', '.join(topics)}")
    texts = dict(_texts(corpus, rubrics, question_id, kind=kind, topic=topic, level=level))
    exercise = corpus / "exercises" / question_id
    taken = [path for path in (*texts, exercise) if path.exists() or path.is_symlink()]
    if taken:
        raise UsageError(f"{taken[0]} exists, and nothing is overwritten", hint="choose another id, or edit that file")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    return tuple(texts)


def _refuse_bad_id(question_id: str) -> None:
    hint = "lower case letters and digits in words with single hyphens between them, at most 60: grad-clipping"
    try:
        TypeAdapter(Slug).validate_python(question_id)
    except ValidationError:
        raise UsageError(f"'{question_id[:80]}' is no id", hint=hint) from None
    if question_id.startswith("draft-") or question_id == "delivery":
        raise UsageError(f"the id '{question_id[:80]}' is reserved", hint="ids of drafts begin with draft-")


def _texts(
    corpus: Path, rubrics: Path, question_id: str, *, kind: Kind, topic: str, level: Level
) -> Iterator[tuple[Path, str]]:
    question = _filled("question.yaml", id=question_id, kind=kind, topic=topic, level=level)
    if kind == "predict":
        question += _filled("snippet.yaml")
    yield corpus / "questions" / f"{question_id}.yaml", question
    yield rubrics / f"{question_id}.yaml", _rubric(question_id, kind)
    if kind == "code":
        for name, skeleton in EXERCISE_FILES.items():
            yield corpus / "exercises" / question_id / name, _filled(skeleton)


def _rubric(question_id: str, kind: Kind) -> str:
    last = len(_WEIGHTS)
    criteria = [
        _filled("criterion.yaml", id=f"point-{n}", weight=weight, senior="true" if n == last else "false")
        for n, weight in enumerate(_WEIGHTS, start=1)
    ]
    if kind == "code":
        criteria.append(_filled("tests_criterion.yaml", id="works", weight=4))
    beliefs = [_filled("misconception.yaml", id=f"belief-{n}", penalty=2) for n in (1, 2)]
    return _filled(
        "rubric.yaml", id=question_id, criteria="".join(criteria).rstrip(), misconceptions="".join(beliefs).rstrip()
    )


def _filled(name: str, **values: object) -> str:
    text = (files("interviewer.authoring") / "skeleton" / name).read_text(encoding="utf-8")
    return Template(text).substitute(values)
