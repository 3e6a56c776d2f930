"""State -> report: scores, quotes, what was missing, what to do this week."""

from __future__ import annotations

import pytest

from interviewer.domain import LANGUAGES, Language
from interviewer.report import STUDY_ITEMS, make_report
from interviewer.session import State, replay
from tests.builders import ALPHA_RUBRIC, BETA, BETA_RUBRIC, bank_of, interviewer, mini_bank, question, settings
from tests.small_report import SAID, small_report


def test_a_report_adds_up() -> None:
    """alpha: 4 + 1.5 + 2 x 0.5 (after the hint) - 1 of 10; beta: 4 + 3 + 2 + 2.5 of 14. Together the mean."""
    report = small_report()
    alpha, beta = report.questions
    assert (alpha.score.earned, alpha.score.possible) == (5.5, 10)
    assert (beta.score.earned, beta.score.possible) == (11.5, 14)
    assert report.percent == round(100 * (0.55 + 11.5 / 14) / 2, 1)
    assert report.score.coverage == 1


def test_each_line_carries_the_candidates_words() -> None:
    """The quote is the slice of the turn that it points to."""
    alpha = small_report().questions[0]
    said = {turn.seq: turn.text for turn in alpha.turns}
    rows = [(c.seq, c.start, c.end, c.quote) for c in alpha.criteria]
    rows += [(p.seq, p.start, p.end, p.quote) for p in alpha.penalties]
    quoted = [row for row in rows if row[0] is not None]
    assert len(quoted) == 4
    assert all(said[seq or 0][start:end] == quote for seq, start, end, quote in quoted)


def test_help_is_shown() -> None:
    """`third` came after a hint."""
    rows = {row.id: row for row in small_report().questions[0].criteria}
    assert (rows["first"].help, rows["third"].help) == ("none", "hint")


def test_code_is_shown_with_its_result() -> None:
    """Source, checks, and who judged."""
    beta = small_report().questions[1]
    assert beta.source is not None
    assert beta.result is not None
    assert [(c.name, c.outcome) for c in beta.result.checks] == [("check_shape", "passed"), ("check_value", "failed")]
    assert beta.judges == ("scripted 1", "tests 1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_speaks_the_sessions_language(language: Language) -> None:
    """Authored texts are in it throughout."""
    alpha = small_report(language).questions[0]
    marks: dict[Language, str] = {"en": "", "ru": "по-русски", "zh": "中文"}
    texts = [alpha.title, alpha.text, alpha.accepted, *(c.says for c in alpha.criteria)]
    assert all(text.endswith(marks[language]) for text in texts)


def test_the_topics_are_compared() -> None:
    """training 0.55, modules 0.82."""
    report = small_report()
    assert (report.strongest, report.weakest) == ("modules", "training")


def test_one_topic_is_not_compared() -> None:
    """There is no strongest of one."""
    bank = bank_of((BETA, BETA_RUBRIC))
    conductor = interviewer(bank=bank)
    session_id = conductor.start(settings("beta", code=False))
    report = make_report(session_id, conductor.act(session_id, "skip"), bank)
    assert (report.strongest, report.weakest) == (None, None)


def test_the_study_plan_names_the_heaviest_misses() -> None:
    """At most one of a question: `second` lacks 1.5 and `fourth` 1 of 10; `works` lacks 2.5 of 14."""
    assert [(item.question, item.says) for item in small_report().study] == [
        ("beta", "The code works."),
        ("alpha", "The second fact."),
    ]


def test_a_frequent_question_is_more_urgent() -> None:
    """The same miss counts half as much again."""
    common, often = question("one"), question("two", frequency="very_common")
    rubrics = [ALPHA_RUBRIC.model_copy(update={"question": q.id}) for q in (common, often)]
    bank = bank_of((common, rubrics[0]), (often, rubrics[1]))
    conductor = interviewer(bank=bank)
    session_id = conductor.start(settings("one", "two"))
    conductor.act(session_id, "skip")
    state = conductor.act(session_id, "skip")
    assert [item.question for item in make_report(session_id, state, bank).study] == ["two", "one"]


def test_the_study_plan_is_short() -> None:
    """Three items however much was missed."""
    questions = [question(f"q-{i}") for i in range(6)]
    bank = bank_of(*((q, ALPHA_RUBRIC.model_copy(update={"question": q.id})) for q in questions))
    conductor = interviewer(bank=bank)
    session_id = conductor.start(settings(*bank.questions))
    for _ in questions:
        state = conductor.act(session_id, "skip")
    assert len(make_report(session_id, state, bank).study) == STUDY_ITEMS


def test_what_was_not_judged_is_not_to_be_learnt() -> None:
    """An unsure criterion is no miss."""
    conductor = interviewer()
    session_id = conductor.start(settings())
    report = make_report(session_id, conductor.state(session_id), mini_bank())
    assert (report.percent, report.study, report.finished) == (None, (), False)


def test_an_empty_session_has_a_report() -> None:
    """Before anything was asked."""
    report = make_report("s", State(), mini_bank())
    assert (report.percent, report.score.coverage, report.questions) == (None, 0, ())


def test_a_question_that_left_the_bank_is_left_out() -> None:
    """The rest is reported."""
    conductor = interviewer()
    session_id = conductor.start(settings())
    conductor.act(session_id, "skip")
    state = conductor.act(session_id, "skip")
    report = make_report(session_id, state, bank_of((BETA, BETA_RUBRIC)))
    assert [row.id for row in report.questions] == ["beta"]


def test_the_same_log_gives_the_same_report() -> None:
    """Nothing but log and bank goes in."""
    assert small_report() == small_report()
    assert make_report("s", replay(()), mini_bank()) == make_report("s", State(), mini_bank())


def test_follow_ups_and_hints_are_counted() -> None:
    """As they were given."""
    alpha = small_report().questions[0]
    assert (alpha.follow_ups, alpha.hints) == (2, 1)
    assert SAID in [turn.text for turn in alpha.turns]
