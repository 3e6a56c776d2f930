"""corpus/ + rubrics/ -> a validated Bank. Every fault at once, with file, line and field."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from interviewer.domain import DeliveryRubric, Exercise, Language, Model, Question, Rubric
from interviewer.drafts import Draft, DraftQuestion, as_question
from interviewer.errors import AuthorError, UsageError
from interviewer.yaml_source import TODO, Source, read_yaml, shown

SEEDS: Mapping[str, tuple[str, ...]] = {
    "000": tuple(f"R{n}" for n in range(1, 42)),
    "003": tuple(
        f"Z {section}.{n}"
        for section, count in (("I", 5), ("II", 5), ("III", 8), ("IV", 4), ("V", 5))
        for n in range(1, count + 1)
    ),
    "004": tuple(f"A{n}" for n in range(1, 11)),
}
"""The seed documents' items, as question files name them in `sources`."""

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Bank:
    """All content, keyed by question id, in file order. `hash` changes when any file's content does."""

    questions: Mapping[str, Question]
    rubrics: Mapping[str, Rubric]
    exercises: Mapping[str, Exercise]
    hash: str
    delivery: DeliveryRubric | None = None

    def question(self, question_id: str) -> Question:
        """The question, or UsageError naming the ids that are close."""
        if question_id not in self.questions:
            from difflib import get_close_matches

            close = get_close_matches(question_id, self.questions, n=3)
            hint = f"did you mean {', '.join(close)}?" if close else "see `viva bank list` for the ids"
            raise UsageError(f"no question with id '{question_id}'", hint=hint)
        return self.questions[question_id]

    def offered(self, language: Language, *, drafts: bool = False) -> tuple[Question, ...]:
        """What an interview in `language` may choose from: drafts only when asked for, and not what the bank has."""
        return tuple(
            question
            for question in self.questions.values()
            if not isinstance(question, DraftQuestion)
            or (drafts and question.language == language and question.duplicate_of not in self.questions)
        )

    def with_drafts(self, drafts: Iterable[Draft]) -> Bank:
        """The bank with those drafts added that can be asked. Its own questions stay as they are."""
        pairs = [as_question(draft) for draft in drafts if draft.askable]
        if not pairs:
            return self
        known = "\0".join([self.hash, *(model.model_dump_json() for pair in pairs for model in pair)])
        return Bank(
            {**{question.id: question for question, _ in pairs}, **self.questions},
            {**{rubric.question: rubric for _, rubric in pairs}, **self.rubrics},
            self.exercises,
            hashlib.sha256(known.encode("utf-8", "surrogatepass")).hexdigest(),
            self.delivery,
        )

    def sources_found(self) -> dict[str, tuple[int, int]]:
        """For each seed document, how many of its items a question or a delivery criterion names, of how many."""
        named = {source for question in self.questions.values() for source in question.sources}
        named |= {criterion.source for criterion in self.delivery.criteria} if self.delivery else set()
        return {seed: (len(named.intersection(items)), len(items)) for seed, items in SEEDS.items()}


def load_bank(corpus: Path, rubrics: Path) -> Bank:
    """Read and validate everything below the two folders. AuthorError carries every fault found."""
    bank, faults = read_bank(corpus, rubrics)
    if faults:
        raise AuthorError(
            f"the bank has {len(faults)} fault(s)",
            faults=faults,
            hint="mend the files named above, then run `viva bank check`",
        )
    return bank


def read_bank(corpus: Path, rubrics: Path) -> tuple[Bank, tuple[str, ...]]:
    """What could be read, and every fault: file, line, field, what is wrong, what was found."""
    loading = _Loading()
    questions = loading.folder(corpus / "questions", Question, key="id")
    found_rubrics = loading.folder(rubrics, Rubric, key="question", skip={"delivery"})
    exercises = {
        folder.name: exercise
        for folder in sorted(p for p in (corpus / "exercises").glob("*") if p.is_dir())
        if (exercise := loading.exercise(folder)) is not None
    }
    delivery = loading.delivery(rubrics / "delivery.yaml")
    faults = loading.faults + _cross_faults(questions, found_rubrics, exercises, loading.broken)
    return Bank(questions, found_rubrics, exercises, loading.digest.hexdigest(), delivery), tuple(faults)


class _Loading:
    """Collects faults and the content hash while files are read."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.broken: set[str] = set()
        self.digest = hashlib.sha256()

    def folder(self, folder: Path, model: type[M], *, key: str, skip: Iterable[str] = ()) -> dict[str, M]:
        if not folder.is_dir():
            self.faults.append(f"{folder.name}/: the folder is missing")
            return {}
        found: dict[str, M] = {}
        for path in sorted(folder.glob("*.yaml")):
            if path.stem in skip:
                continue
            value = self._validate(self._read(path), model)
            if value is None:
                self.broken.add(path.stem)
            elif getattr(value, key) != path.stem:
                self.faults.append(
                    f"{shown(path)}: {key}: is '{getattr(value, key)}', but the file is named {path.stem}"
                )
                self.broken.add(path.stem)
            else:
                found[path.stem] = value
        return found

    def delivery(self, path: Path) -> DeliveryRubric | None:
        """The rubric on how answers are given; a bank may do without."""
        if not path.is_file():
            return None
        rubric = self._validate(self._read(path), DeliveryRubric)
        known = {item for items in SEEDS.values() for item in items}
        for c in rubric.criteria if rubric else ():
            if c.source not in known:
                self.faults.append(f"{shown(path)}: {c.id}.source: no seed item '{c.source}'")
        return rubric

    def exercise(self, folder: Path) -> Exercise | None:
        source = self._read(folder / "exercise.yaml")
        if not isinstance(source.data, dict):
            self.broken.add(folder.name)
            return None
        data: dict[str, Any] = {**source.data, "id": folder.name}
        for name, file, needed in (
            ("starter", "starter.py", True),
            ("reference", "reference.py", True),
            ("checks_source", "checks.py", True),
            ("examples", "examples.py", True),
            ("scaffold", "scaffold.py", False),
        ):
            text = self._text(folder / file, needed=needed)
            if text is not None:
                data[name] = text
        self._wrong_solutions(folder, data)
        exercise = self._validate(Source(source.path, data, source.lines, source.faults), Exercise)
        if exercise is None:
            self.broken.add(folder.name)
            return None
        self.faults += _exercise_faults(exercise)
        return exercise

    def _wrong_solutions(self, folder: Path, data: dict[str, Any]) -> None:
        listed = data.get("wrong")
        if not isinstance(listed, dict):
            return
        on_disk = {p.name for p in (folder / "wrong").glob("*.py")}
        for name in sorted(on_disk - set(listed)):
            self.faults.append(f"{folder.name}/exercise.yaml: wrong: {name} exists but is not listed")
        data["wrong"] = {
            name: {**entry, "source": self._text(folder / "wrong" / name, needed=True) or ""}
            if isinstance(entry, dict)
            else entry
            for name, entry in listed.items()
        }

    def _read(self, path: Path) -> Source:
        source = read_yaml(path)
        self._feed(path)
        self.faults += source.faults + source.unfilled()
        return source

    def _text(self, path: Path, *, needed: bool) -> str | None:
        if not path.is_file():
            if needed:
                self.faults.append(f"{_shown_source(path)}: the file is missing")
            return None
        self._feed(path)
        try:
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".py":
                ast.parse(text)
                self._todo(path, text)
        except (OSError, UnicodeDecodeError, SyntaxError, ValueError) as error:
            self.faults.append(f"{_shown_source(path)}: {error}")
            return None
        return text

    def _todo(self, path: Path, text: str) -> None:
        line = next((n for n, line in enumerate(text.splitlines(), 1) if re.search(rf"\b{TODO}\b", line)), None)
        if line is not None:
            self.faults.append(f"{_shown_source(path)}:{line}: still to be filled in")

    def _feed(self, path: Path) -> None:
        with suppress(OSError):  # whoever reads the text reports it
            content = path.read_bytes()
            self.digest.update(f"{path.parent.name}/{path.name}\0".encode())
            self.digest.update(hashlib.sha256(content).digest())

    def _validate(self, source: Source, model: type[M]) -> M | None:
        if source.data is None or source.faults:
            return None
        try:
            return model.model_validate(source.data)
        except ValidationError as error:
            self.faults += source.explain(error)
            return None


def _shown_source(path: Path) -> str:
    """A file of an exercise as faults name it: with the exercise's id, also below wrong/."""
    return f"{path.parents[1].name}/{shown(path)}" if path.parent.name == "wrong" else shown(path)


def _exercise_faults(exercise: Exercise) -> list[str]:
    """Names in exercise.yaml against what the files define."""
    faults = []
    tree = ast.parse(exercise.checks_source)
    defined = [n.name for n in tree.body if isinstance(n, ast.FunctionDef) and n.name.startswith("check_")]
    if sorted(defined) != sorted(exercise.checks):
        faults.append(
            f"{exercise.id}/exercise.yaml: checks: lists {sorted(exercise.checks)}, checks.py defines {sorted(defined)}"
        )
    if "__DOC__" not in exercise.starter:
        faults.append(f"{exercise.id}/starter.py: the placeholder __DOC__ is missing")
    faults += [
        f"{exercise.id}/exercise.yaml: wrong.{name}.killed_by: no check '{wrong.killed_by}'"
        for name, wrong in exercise.wrong.items()
        if wrong.killed_by not in exercise.checks
    ]
    return faults


def _cross_faults(
    questions: Mapping[str, Question],
    rubrics: Mapping[str, Rubric],
    exercises: Mapping[str, Exercise],
    broken: set[str],
) -> list[str]:
    """What only shows when the files are laid beside each other. Files already at fault are not blamed twice."""
    faults = []
    for question in questions.values():
        name = f"questions/{question.id}.yaml"
        if question.id not in rubrics and question.id not in broken:
            faults.append(f"{name}: no rubric rubrics/{question.id}.yaml")
        if (question.kind == "code") != (question.id in exercises) and question.id not in broken:
            state = "has no" if question.kind == "code" else "has an"
            faults.append(f"{name}: kind is '{question.kind}' but it {state} exercise corpus/exercises/{question.id}")
        if question.kind == "predict" and question.snippet is None:
            faults.append(f"{name}: snippet: kind is 'predict' but there is no snippet")
        known = {item for items in SEEDS.values() for item in items}
        faults += [f"{name}: sources: no seed item '{s}'" for s in question.sources if s not in known]
    for rubric in rubrics.values():
        name = f"rubrics/{rubric.question}.yaml"
        if rubric.question not in questions and rubric.question not in broken:
            faults.append(f"{name}: no question corpus/questions/{rubric.question}.yaml")
        if not any(c.senior for c in rubric.criteria):
            faults.append(f"{name}: criteria: none is marked senior")
        named = [check for criterion in rubric.tests for check in criterion.checks]
        exercise = exercises.get(rubric.question)
        has = sorted(exercise.checks) if exercise else []
        if rubric.question not in broken and sorted(named) != has:
            faults.append(f"{name}: criteria: name the checks {sorted(named)}, the exercise has {has}")
    return faults
