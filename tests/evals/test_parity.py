"""The three languages say the same: each pair of parallel texts is near, and no list is out of order."""

from __future__ import annotations

import pytest

from evals.parity import FLOOR, REVIEWED, Parallel, Vectors, below, embed, measure, misplaced, parallels, summary
from interviewer.bank import Bank
from interviewer.domain import LANGUAGES
from interviewer.wiring import open_encoder
from tests.builders import mini_bank

Measured = tuple[tuple[Parallel, ...], Vectors]


@pytest.fixture(scope="module")
def measured(bank: Bank) -> Measured:
    """Every parallel text of the shipped bank, and its vectors."""
    found = parallels(bank)
    return found, embed(found, open_encoder())


def test_every_text_has_its_place() -> None:
    """Questions, rubrics and exercises, lists row by row, criteria by their names; searches are left out."""
    found = {p.where: p for p in parallels(mini_bank())}
    assert found["questions/alpha.title"].texts == {x: mini_bank().questions["alpha"].title[x] for x in LANGUAGES}
    assert found["rubrics/alpha.criteria.first.meets.1"].texts["zh"] == "first said another way 中文"
    assert found["rubrics/alpha.criteria.first.meets.1"].kind == "rubrics.criteria.meets"
    assert "exercises/beta.wrong.copies.py.mistake" in found
    assert not any("asked_as" in where for where in found)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_parallel_texts_are_near(measured: Measured) -> None:
    """None below the floor but those that a reader found right; true pairs beat shuffled ones."""
    pairs, shuffled = measure(*measured)
    assert {f"{p.where} {p.languages}": p.cosine for p in below(pairs)} == {}
    found = summary(pairs, shuffled)
    assert found["true above shuffled"] > 0.97
    assert found["true"]["0.1%"] > FLOOR - 0.05
    assert found["shuffled"]["50%"] > FLOOR - 0.05


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_no_list_is_out_of_order(measured: Measured) -> None:
    """The n-th row of each language makes the same remark."""
    assert misplaced(*measured) == {}


def test_a_row_out_of_order_is_found() -> None:
    """Three remarks, two of them swapped in one language; and a text that says something else."""
    remarks = (
        (
            "gradients add up in .grad until they are cleared",
            "градиенты копятся в .grad, пока их не обнулят",
            "梯度会在 .grad 里累加，直到清零",
        ),
        ("the cat sleeps on the warm stove", "кошка спит на тёплой печке", "猫在暖和的炉子上睡觉"),
        ("the train to the city leaves at noon", "поезд в город уходит в полдень", "去城里的火车中午开"),
    )
    rows = [dict(zip(LANGUAGES, remark, strict=True)) for remark in remarks]
    rows[1]["zh"], rows[2]["zh"] = rows[2]["zh"], rows[1]["zh"]
    found = [Parallel(where=f"r/q.meets.{i}", kind="r.meets", question="q", texts=row) for i, row in enumerate(rows)]
    vectors = embed(found, open_encoder())
    assert set(misplaced(found, vectors)) == {"r/q.meets en-zh", "r/q.meets ru-zh"}
    assert "r/q.meets.1" in {pair.where for pair in below(measure(found, vectors)[0])}


def test_what_was_reviewed_is_named_like_a_text() -> None:
    """So that an entry can be found again."""
    assert all(where.partition("/")[0] in ("questions", "rubrics", "exercises") for where in REVIEWED)
