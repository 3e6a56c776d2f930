"""The seed lists, where they lie beside the checkout: nothing of them is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.importing import read_questions
from interviewer.importing.drafting import drafts_of
from interviewer.importing.lines import Found

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"


def seed(number: str) -> tuple[str, Found]:
    paths = sorted(SEEDS.glob(f"{number}_*.txt"))
    if not paths:
        pytest.skip("the seed lists are not beside this checkout")
    return paths[0].name, read_questions(paths[0].name, paths[0].read_bytes())


def test_the_numbered_list() -> None:
    """41 questions in Russian, each with its level, six of them asked almost always."""
    _, found = seed("000")
    assert len(found.items) == 41
    assert {i.language for i in found.items} == {"ru"}
    levels = [i.level for i in found.items]
    assert [levels.count(level) for level in ("junior", "middle", "senior")] == [7, 18, 16]
    assert [i.frequency for i in found.items].count("very_common") == 6
    assert not any(i.answer for i in found.items)


def test_the_outline() -> None:
    """22 questions and five skills in Chinese, each with its term."""
    _, found = seed("003")
    assert [i.kind for i in found.items].count("question") == 22
    assert [i.kind for i in found.items].count("skill") == 5
    assert all(i.title and i.text and i.language == "zh" for i in found.items)


def test_the_accepted_answers() -> None:
    """Ten questions in Russian with their answers, without the page's footer; each answer makes a rubric."""
    name, found = seed("004")
    assert len(found.items) == 10
    assert all(i.answer.endswith(".") and i.language == "ru" for i in found.items)
    assert all(2 <= len(draft.points) <= 7 for draft in drafts_of(found.items, name))
