"""Drafts: one language, a criterion a claim, and what they must not pretend."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from interviewer.adapters.fakes import MemoryStore
from interviewer.bank import Bank
from interviewer.domain import LANGUAGES
from interviewer.drafts import Draft, as_question, read_draft, read_drafts
from interviewer.errors import UsageError
from interviewer.events import Settings
from interviewer.interview import NoHint
from interviewer.judging.embedded import EmbeddedJudge
from interviewer.policy import plan
from interviewer.ports import Embedder
from interviewer.report import make_report
from tests.builders import interviewer, mini_bank, settings, thread, write_yaml

TEXT: dict[str, Any] = {
    "draft": True,
    "id": "draft-list-01",
    "language": "ru",
    "level": "senior",
    "title": "Зачем кэш?",
    "text": "Зачем нужен кэш и чем за него платят?",
    "answer": "Кэш ускоряет повторное чтение. Данные в нём устаревают.",
    "points": [
        {"id": "first", "weight": 3, "says": "Кэш ускоряет повторное чтение."},
        {"id": "second", "weight": 2, "says": "Данные в нём устаревают."},
    ],
    "source": "list.txt, line 1",
}


def draft(**changes: Any) -> Draft:
    return Draft.model_validate({**TEXT, **changes})


def bank(*drafts: Draft) -> Bank:
    return mini_bank().with_drafts(drafts or (draft(),))


def test_a_draft_becomes_a_question_and_a_rubric() -> None:
    """One criterion a claim; its look-alikes are the question and the other claims. The title says what it is."""
    question, rubric = as_question(draft())
    assert question.title["ru"] == "Черновик: Зачем кэш?"
    assert (question.level, question.topic, question.language) == ("senior", "imported", "ru")
    assert rubric.criteria[0].nod["ru"] == f"«{rubric.criteria[0].says['ru'].rstrip('.')}»"
    assert [(c.id, c.weight, c.probe, c.hint) for c in rubric.criteria] == [
        ("first", 3, None, None),
        ("second", 2, None, None),
    ]
    looks = rubric.criteria[0].lookalikes
    assert looks is not None and looks["ru"] == (TEXT["text"], "Данные в нём устаревают.")


def test_the_report_says_what_the_score_rests_on() -> None:
    """Below the accepted answer, in the draft's language."""
    assert "Этот вопрос — черновик" in as_question(draft())[0].accepted.concise["ru"]


def test_interviews_use_drafts_only_when_asked() -> None:
    """And only in the draft's language."""
    found = {
        (language, asked): "draft-list-01" in plan(bank(), Settings(language=language, drafts=asked, count=60))
        for language in LANGUAGES
        for asked in (True, False)
    }
    assert {key for key, used in found.items() if used} == {("ru", True)}


def test_a_draft_can_be_named() -> None:
    """That is asking for it, in its own language."""
    assert plan(bank(), settings("draft-list-01", language="ru")) == ("draft-list-01",)
    with pytest.raises(UsageError, match="is a draft in 'ru'"):
        plan(bank(), settings("draft-list-01", language="en"))


@pytest.mark.parametrize(
    "changes", [{"points": [], "answer": None}, {"kind": "skill"}], ids=["without an answer", "a skill"]
)
def test_what_cannot_be_scored_is_not_asked(changes: dict[str, Any]) -> None:
    """It stays a file."""
    assert bank(draft(**changes)).questions.keys() == mini_bank().questions.keys()


def test_what_the_bank_asks_already_is_not_asked_twice() -> None:
    """Unless it is named, or the mark is taken out."""
    marked = bank(draft(duplicate_of="alpha"))
    assert "draft-list-01" not in plan(marked, Settings(language="ru", drafts=True, count=60))
    assert plan(marked, settings("draft-list-01", language="ru")) == ("draft-list-01",)


def test_drafts_change_the_hash_and_nothing_else() -> None:
    """The bank's own content wins, even under a draft's name."""
    assert bank().hash != mini_bank().hash
    assert bank().questions["alpha"] == mini_bank().questions["alpha"]
    assert mini_bank().with_drafts(()) == mini_bank()


def test_an_interview_on_a_draft() -> None:
    """It is asked, judged and reported; there is no follow-up and no hint to give."""
    viva = interviewer(bank=bank(), store=MemoryStore())
    session = viva.start(settings("draft-list-01", language="ru"))
    with pytest.raises(NoHint):
        viva.act(session, "hint")
    state = viva.answer(session, "first, кажется")
    assert state.phase == "ended"
    assert not any(turn.kind == "probe" for turn in state.questions[0].turns)
    (row,) = make_report(session, state, viva.bank).questions
    assert (row.title, row.score.earned, row.score.possible) == ("Черновик: Зачем кэш?", 3, 5)


def test_an_author_may_add_a_probe_and_a_hint() -> None:
    """In the draft's language; then the interview uses them."""
    point = TEXT["points"][0] | {"probe": "Что меняется при повторе?", "hint": "Подумайте о времени."}
    viva = interviewer(bank=bank(draft(points=[point, TEXT["points"][1]])), store=MemoryStore())
    session = viva.start(settings("draft-list-01", language="ru"))
    assert viva.act(session, "hint").questions[0].turns[-1].text == "Подумайте о времени."
    state = viva.answer(session, "не уверен, что помню это")
    assert state.questions[0].turns[-1].text.endswith("Что меняется при повторе?")


def test_the_judge_hears_claims(embedder: Embedder) -> None:
    """A claim in its own words is met, the question said back is not; no misconceptions are no error."""
    question, rubric = as_question(draft())
    judge = EmbeddedJudge(embedder)
    for said, outcomes in (
        ("Кэш ускоряет повторное чтение. Но данные в нём устаревают.", ["met", "met"]),
        ("Зачем нужен кэш и чем за него платят?", ["not_met", "not_met"]),
    ):
        judged = judge.judge(question, rubric, thread(said, question_id=question.id), "ru")
        assert [v.outcome for v in judged.verdicts] == outcomes


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "list-01"},
        {"id": "draft-../x"},
        {"draft": False},
        {"language": "de"},
        {"extra": 1},
        {"text": ""},
        {"points": [TEXT["points"][0]] * 2},
    ],
)
def test_a_draft_is_checked_like_any_content(wrong: dict[str, Any]) -> None:
    """Ids, languages, unknown fields, ids used twice."""
    with pytest.raises(ValidationError):
        draft(**wrong)


def test_faulty_files_are_told_and_left_out(tmp_path: Path) -> None:
    """With file, line and field; the others are read."""
    write_yaml(tmp_path / "list" / "draft-list-01.yaml", TEXT)
    write_yaml(tmp_path / "list" / "draft-list-02.yaml", TEXT)
    write_yaml(tmp_path / "list" / "draft-list-03.yaml", TEXT | {"id": "draft-list-03", "level": "guru"})
    write_yaml(tmp_path / "other" / "draft-list-01.yaml", TEXT)
    drafts, faults = read_drafts(tmp_path)
    assert [found.id for found in drafts] == ["draft-list-01"]
    assert [fault.split(": ")[0] for fault in faults] == [
        "list/draft-list-02.yaml",
        "list/draft-list-03.yaml:4",
        "other/draft-list-01.yaml",
    ]
    assert read_draft(tmp_path / "list" / "draft-list-01.yaml") == (draft(), ())
    assert read_drafts(tmp_path / "nowhere") == ((), ())
