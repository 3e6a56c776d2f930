"""The bank: every fault at once, with file, line and field; the one that ships has none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from interviewer.bank import SEEDS, Bank, load_bank, read_bank
from interviewer.domain import LANGUAGES
from interviewer.errors import AuthorError, UsageError
from tests.builders import mini_bank, write_bank

Edit = Callable[..., tuple[str, ...]]


@pytest.fixture
def edit(tmp_path: Path) -> Edit:
    """edit(path, old, new): the faults of the mini bank's files after replacing `old` by `new` in one of them."""
    corpus, rubrics = write_bank(tmp_path)

    def change(path: str, old: str, new: str) -> tuple[str, ...]:
        file = tmp_path / path
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        return read_bank(corpus, rubrics)[1]

    return change


QUESTION, RUBRIC, EXERCISE = "corpus/questions/alpha.yaml", "rubrics/alpha.yaml", "corpus/exercises/beta/exercise.yaml"


def test_a_bank_is_what_its_files_say(tmp_path: Path) -> None:
    """Questions, rubrics and exercises come back as they were written."""
    bank, faults = read_bank(*write_bank(tmp_path))
    expected = mini_bank()
    assert faults == ()
    assert (bank.questions, bank.rubrics, bank.exercises) == (
        expected.questions,
        expected.rubrics,
        expected.exercises,
    )


def test_no_verdict_alone_turns_an_answer_from_full_to_poor(bank: Bank) -> None:
    """A criterion carries a quarter of the talk's points at most, a third where there are only four."""
    for rubric in bank.rubrics.values():
        weights = [c.weight for c in rubric.talk]
        assert max(weights) / sum(weights) <= (0.25 if len(weights) > 4 else 1 / 3), rubric.question


def test_the_shipped_bank_is_whole(bank: Bank) -> None:
    """Every seed item is asked, every coding question has its exercise, hints and six wrong solutions or more."""
    assert len(bank.questions) == len(bank.rubrics) == 59
    assert bank.sources_found() == {"000": (41, 41), "003": (27, 27), "004": (10, 10)}
    coding = {q.id for q in bank.questions.values() if q.kind == "code"}
    assert set(bank.exercises) == coding
    assert len(coding) == 36
    for exercise in bank.exercises.values():
        assert len(exercise.hints) == 3, exercise.id
        assert len(exercise.wrong) >= 6, exercise.id
        assert 4 <= len(bank.rubrics[exercise.id].criteria) <= 7, exercise.id


def test_the_hash_changes_with_any_file(tmp_path: Path) -> None:
    """A question, a rubric, a hidden check: each is content."""
    corpus, rubrics = write_bank(tmp_path)
    seen = {read_bank(corpus, rubrics)[0].hash}
    for path in (corpus / "questions/alpha.yaml", rubrics / "beta.yaml", corpus / "exercises/beta/checks.py"):
        path.write_text(path.read_text(encoding="utf-8") + "\n# more\n", encoding="utf-8")
        seen.add(read_bank(corpus, rubrics)[0].hash)
    assert len(seen) == 4


def test_the_hash_does_not_depend_on_the_folder(tmp_path: Path) -> None:
    """The same files elsewhere are the same bank."""
    one, two = (read_bank(*write_bank(tmp_path / name))[0] for name in ("one", "two"))
    assert one.hash == two.hash


@pytest.mark.parametrize(
    ("path", "old", "new", "fault"),
    [
        (
            QUESTION,
            "level: junior",
            "level: guru",
            "questions/alpha.yaml:2: level: Input should be 'junior', 'middle' or 'senior'",
        ),
        (
            QUESTION,
            "level: junior",
            "level: junior\nlevel: senior",
            "questions/alpha.yaml:3: key 'level' appears twice",
        ),
        (
            QUESTION,
            "level: junior",
            "level: junior\ncolour: red",
            "questions/alpha.yaml:3: colour: Extra inputs are not permitted",
        ),
        (QUESTION, "topic: training", "topic: [training", "questions/alpha.yaml:5: malformed YAML"),
        (
            QUESTION,
            "topic: training",
            "topic: &t training\nkind2: *t",
            "questions/alpha.yaml:4: aliases are not allowed",
        ),
        (QUESTION, "  zh: Title alpha 中文\n", "", "questions/alpha.yaml:9: title.zh: Field required"),
        (QUESTION, "- R1", "- R99", "questions/alpha.yaml: sources: no seed item 'R99'"),
        (QUESTION, "- R1", "- page 3", "questions/alpha.yaml:7: sources.0: String should match pattern"),
        (QUESTION, "id: alpha", "id: omega", "questions/alpha.yaml: id: is 'omega', but the file is named alpha"),
        (
            QUESTION,
            "kind: talk",
            "kind: predict",
            "questions/alpha.yaml: snippet: kind is 'predict' but there is no snippet",
        ),
        (QUESTION, "kind: talk", "kind: code", "questions/alpha.yaml: kind is 'code' but it has no exercise"),
        (
            RUBRIC,
            "weight: 4",
            "weight: heavy",
            "rubrics/alpha.yaml:4: criteria.0.weight: Input should be a valid integer",
        ),
        (RUBRIC, "senior: true", "senior: false", "rubrics/alpha.yaml: criteria: none is marked senior"),
        (RUBRIC, "- first\n", "- fifth\n", "misconception wrong-way contradicts unknown ['fifth']"),
        ("rubrics/beta.yaml", "- check_shape\n", "", "name the checks ['check_value'], the exercise has"),
        (EXERCISE, "killed_by: check_value", "killed_by: check_sum", "wrong.copies.py.killed_by: no check 'check_sum'"),
        (EXERCISE, "  copies.py:", "  other.py:", "wrong/other.py: the file is missing"),
        (EXERCISE, "  copies.py:", "  other.py:", "beta/exercise.yaml: wrong: copies.py exists but is not listed"),
        ("corpus/exercises/beta/checks.py", "def check_value", "def check_values", "checks.py defines"),
        ("corpus/exercises/beta/checks.py", "def check_value", "deaf check_value", "beta/checks.py: invalid syntax"),
        ("corpus/exercises/beta/starter.py", "__DOC__", "doc", "beta/starter.py: the placeholder __DOC__ is missing"),
    ],
)
def test_a_fault_is_named(edit: Edit, path: str, old: str, new: str, fault: str) -> None:
    """Each mistake an author can make is found where it is."""
    faults = edit(path, old, new)
    assert any(fault in found for found in faults), faults


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_language_is_named(edit: Edit, language: str) -> None:
    """In a text that has all three otherwise."""
    old = {"en": "  en: Tell", "ru": "  ru: Tell", "zh": "  zh: Tell"}[language]
    faults = edit(QUESTION, old, f"  # {old.strip()}")
    assert any(f"text.{language}: Field required" in fault for fault in faults)


@pytest.mark.parametrize("name", ["starter.py", "reference.py", "checks.py", "examples.py", "exercise.yaml"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    """An exercise is all of its files."""
    corpus, rubrics = write_bank(tmp_path)
    (corpus / "exercises/beta" / name).unlink()
    assert any(f"beta/{name}" in fault for fault in read_bank(corpus, rubrics)[1])


@pytest.mark.parametrize("name", ["corpus/questions", "rubrics"])
def test_a_missing_folder_is_named(tmp_path: Path, name: str) -> None:
    """Not an empty bank, a fault."""
    corpus, rubrics = write_bank(tmp_path)
    (tmp_path / name).rename(tmp_path / "elsewhere")
    folder = name.rsplit("/", 1)[-1]
    assert f"{folder}/: the folder is missing" in read_bank(corpus, rubrics)[1]


def test_a_question_without_rubric_is_named(tmp_path: Path) -> None:
    """And a rubric without question."""
    corpus, rubrics = write_bank(tmp_path)
    (rubrics / "alpha.yaml").unlink()
    (corpus / "questions/beta.yaml").unlink()
    faults = read_bank(corpus, rubrics)[1]
    assert "questions/alpha.yaml: no rubric rubrics/alpha.yaml" in faults
    assert "rubrics/beta.yaml: no question corpus/questions/beta.yaml" in faults


def test_a_broken_file_does_not_hide_others(tmp_path: Path) -> None:
    """Four files, four faults, and no file is blamed for another's."""
    corpus, rubrics = write_bank(tmp_path)
    for path, old, new in (
        (corpus / "questions/alpha.yaml", "level: junior", "level: [junior"),
        (corpus / "questions/beta.yaml", "level: middle", "level: guru"),
        (rubrics / "alpha.yaml", "weight: 4", "weight: 40"),
        (corpus / "exercises/beta/exercise.yaml", "killed_by", "killer"),
    ):
        path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    faults = read_bank(corpus, rubrics)[1]
    files = [fault.split(":")[0] for fault in faults]
    expected = ["questions/alpha.yaml", "questions/beta.yaml", "rubrics/alpha.yaml", "beta/exercise.yaml"]
    assert files == [*expected, "beta/exercise.yaml"]


def test_every_fault_of_one_file_is_listed(edit: Edit, tmp_path: Path) -> None:
    """An author mends a file once."""
    edit(QUESTION, "level: junior", "level: guru")
    edit(QUESTION, "kind: talk", "kind: song")
    faults = edit(QUESTION, "frequency: common", "frequency: daily")
    assert [fault.split(":")[2].strip() for fault in faults] == ["level", "frequency", "kind"]


def test_loading_a_faulty_bank_raises_with_all_faults(tmp_path: Path) -> None:
    """AuthorError counts and lists them and says what to do."""
    corpus, rubrics = write_bank(tmp_path)
    for name in ("alpha", "beta"):
        (corpus / f"questions/{name}.yaml").write_text("- no map\n", encoding="utf-8")
    with pytest.raises(AuthorError, match="the bank has 2 fault") as caught:
        load_bank(corpus, rubrics)
    assert len(caught.value.faults) == 2
    assert "viva bank check" in caught.value.hint
    assert all(fault in str(caught.value) for fault in caught.value.faults)


def test_a_question_is_found_by_id() -> None:
    """Or the error says what is near."""
    bank = mini_bank()
    assert bank.question("alpha").id == "alpha"
    with pytest.raises(UsageError, match="no question with id 'gamma'") as caught:
        bank.question("gamma")
    assert "viva bank list" in caught.value.hint


def test_seed_items_are_counted() -> None:
    """41 of the first document, 27 of the second, 10 of the third."""
    assert {seed: len(items) for seed, items in SEEDS.items()} == {"000": 41, "003": 27, "004": 10}
    assert mini_bank().sources_found() == {"000": (1, 41), "003": (0, 27), "004": (0, 10)}
