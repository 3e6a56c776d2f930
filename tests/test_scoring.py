"""Points, worked by hand. alpha: first 4, second 3, third 2, fourth 1; wrong-way costs 3, off-track 1."""

from __future__ import annotations

import pytest

from interviewer.domain import Criterion, Judgement, Turn
from interviewer.scoring import QuestionScore, score_question, score_session
from interviewer.session import QuestionState
from tests.builders import ALPHA_RUBRIC, BETA_RUBRIC, answer, heard, judgement, verdict


def asked(**fields: object) -> QuestionState:
    """alpha with one answer (event 2) and a judgement of it."""
    return QuestionState.model_validate({"question": "alpha", "turns": (answer("words"),), **fields})


def judged(*outcomes: str, beliefs: tuple[str, ...] = (), **fields: object) -> QuestionScore:
    """The score of alpha with these outcomes of first, second, third and fourth."""
    verdicts = [verdict(c.id, outcome) for c, outcome in zip(ALPHA_RUBRIC.criteria, outcomes, strict=False)]
    found = judgement(*verdicts, beliefs=tuple(heard(name) for name in beliefs))
    return score_question(ALPHA_RUBRIC, asked(judgement=found, **fields))


def aimed(kind: str, target: str, seq: int) -> Turn:
    return Turn(seq=seq, role="interviewer", kind=kind, text="?", target=target)


def lines(scored: QuestionScore) -> dict[str, float]:
    return {line.criterion.id: line.earned for line in scored.criteria}


def test_met_earns_its_weight() -> None:
    """4 + 3 of 4 + 3 + 2 + 1."""
    score = judged("met", "met", "not_met", "not_met").score
    assert (score.earned, score.possible, score.coverage) == (7, 10, 1)
    assert score.share == 0.7


def test_partial_earns_half() -> None:
    """4 / 2 + 2 / 2."""
    assert judged("partial", "not_met", "partial", "not_met").score.earned == 3


def test_unsure_is_outside_what_is_possible() -> None:
    """Without the 3 of `second`, 4 of 7 are earned and 70 % is covered."""
    score = judged("met", "unsure", "not_met", "not_met").score
    assert (score.earned, score.possible, score.coverage) == (4, 7, 0.7)


def test_a_criterion_without_a_verdict_is_unsure() -> None:
    """What the judge left out is not held against the candidate."""
    score = judged("met").score
    assert (score.earned, score.possible, score.coverage) == (4, 4, 0.4)


def test_all_unsure_has_no_share() -> None:
    """Nothing judged is no score, not 0."""
    score = judged("unsure", "unsure", "unsure", "unsure").score
    assert (score.possible, score.coverage, score.share) == (0, 0, None)


def test_a_question_not_asked_has_no_share() -> None:
    """Possible 0, coverage 0."""
    score = score_question(ALPHA_RUBRIC, None).score
    assert (score.earned, score.possible, score.coverage, score.share) == (0, 0, 0, None)


def test_a_point_after_a_probe_earns_four_fifths() -> None:
    """4 x 0.8: the probe (event 1) came before the quoted answer (event 2)."""
    scored = judged("met", "met", "not_met", "not_met", probes=(aimed("probe", "first", 1),))
    assert lines(scored) == {"first": 3.2, "second": 3, "third": 0, "fourth": 0}
    assert scored.criteria[0].help == "probe"


def test_a_point_after_a_hint_earns_half() -> None:
    """4 x 0.5."""
    scored = judged("met", hints=(aimed("hint", "first", 1),))
    assert lines(scored)["first"] == 2
    assert scored.criteria[0].help == "hint"


def test_a_hint_costs_more_than_a_probe_and_not_both() -> None:
    """With both it is 4 x 0.5, not 4 x 0.5 x 0.8."""
    scored = judged("met", hints=(aimed("hint", "first", 1),), probes=(aimed("probe", "first", 0),))
    assert lines(scored)["first"] == 2


def test_partial_after_a_probe_multiplies() -> None:
    """4 x 0.5 x 0.8."""
    assert lines(judged("partial", probes=(aimed("probe", "first", 1),)))["first"] == pytest.approx(1.6)


def test_help_after_the_quoted_answer_costs_nothing() -> None:
    """The point stood at event 2, the probe came at 3."""
    assert lines(judged("met", probes=(aimed("probe", "first", 3),)))["first"] == 4


def test_help_costs_only_the_criterion_it_aimed_at() -> None:
    """A probe about `second` leaves `first` whole."""
    assert lines(judged("met", "met", probes=(aimed("probe", "second", 1),))) == {
        "first": 4,
        "second": pytest.approx(2.4),
        "third": 0,
        "fourth": 0,
    }


def test_a_misconception_costs_its_penalty() -> None:
    """3 earned by `second`, 1 lost by off-track."""
    scored = judged("not_met", "met", "not_met", "not_met", beliefs=("off-track",))
    assert scored.score.earned == 2
    assert [(p.misconception.id, p.points) for p in scored.penalties] == [("off-track", 1)]


def test_a_question_never_goes_below_0() -> None:
    """2 earned, 4 lost."""
    assert judged("not_met", "not_met", "met", "not_met", beliefs=("wrong-way", "off-track")).score.earned == 0


def test_a_corrected_misconception_costs_nothing() -> None:
    """wrong-way at event 2; `first`, which contradicts it, met at event 4."""
    found = judgement(verdict("first", seq=4), beliefs=(heard("wrong-way", seq=2),))
    scored = score_question(ALPHA_RUBRIC, asked(judgement=found))
    assert [p.points for p in scored.penalties] == [0]
    assert scored.score.earned == 4


@pytest.mark.parametrize(("outcome", "seq"), [("met", 2), ("met", 0), ("partial", 4)])
def test_only_a_later_and_full_correction_counts(outcome: str, seq: int) -> None:
    """The same turn, an earlier one, or half of it takes nothing back."""
    found = judgement(verdict("first", outcome, seq=seq), beliefs=(heard("wrong-way", seq=2),))
    assert [p.points for p in score_question(ALPHA_RUBRIC, asked(judgement=found)).penalties] == [3]


def test_a_belief_that_left_the_rubric_costs_nothing() -> None:
    """An old session can be scored with a newer rubric."""
    found = judgement(verdict("first"), beliefs=(heard("gone"),))
    scored = score_question(ALPHA_RUBRIC, asked(judgement=found))
    assert (scored.penalties, scored.score.earned) == ((), 4)


@pytest.mark.parametrize("fields", [{"skipped": True}, {"given_up": ("",)}])
def test_declining_the_question_is_not_met(fields: dict[str, object]) -> None:
    """Skip and "I don't know" without an answer: 0 of 10, all of it covered."""
    score = score_question(ALPHA_RUBRIC, QuestionState.model_validate({"question": "alpha", **fields})).score
    assert (score.earned, score.possible, score.coverage) == (0, 10, 1)


def test_giving_up_on_a_probe_declines_nothing() -> None:
    """What was said before still stands, what was not judged stays unsure."""
    score = score_question(ALPHA_RUBRIC, asked(given_up=("second",))).score
    assert score.possible == 0


def test_a_skip_after_an_unjudged_answer_declines_nothing() -> None:
    """Something was said; a judge has yet to hear it."""
    assert score_question(ALPHA_RUBRIC, asked(skipped=True)).score.possible == 0


def code(**fields: object) -> QuestionScore:
    """beta with nothing judged in words."""
    state = {"question": "beta", "turns": (answer("words"),), "code_open": True, **fields}
    return score_question(BETA_RUBRIC, QuestionState.model_validate(state))


def test_checks_decide_code() -> None:
    """`works` is worth 5 of 14."""
    tests = judgement(verdict("works", "met", checks=("check_shape", "check_value")))
    score = code(code=tests).score
    assert (score.earned, score.possible) == (5, 5)
    assert score.coverage == pytest.approx(5 / 14, abs=1e-6)


def test_words_do_not_decide_code() -> None:
    """A verdict on a tests criterion in the judgement of the talk is not looked at."""
    said: Judgement = judgement(verdict("works", "met", checks=("check_shape",)))
    assert code(judgement=said).score.possible == 0


def test_an_exercise_left_alone_is_not_met() -> None:
    """Opened, skipped and closed without a submission: 0 of 5."""
    score = code(skipped=True, closed=True).score
    assert (score.earned, score.possible) == (0, 5)


def test_code_that_was_sent_but_never_checked_is_unsure() -> None:
    """The sandbox failed and the candidate moved on: that is not declining."""
    sent = Turn(seq=4, role="candidate", kind="code", text="x")
    assert code(turns=(answer("words"), sent), skipped=True, closed=True).score.possible == 0


def test_an_exercise_never_opened_is_unsure() -> None:
    """An interview without code does not count it."""
    assert code(code_open=False, skipped=True, closed=True).score.possible == 0


def test_an_open_exercise_is_unsure() -> None:
    """Nothing is decided before it is closed."""
    assert code().score.possible == 0


def test_a_session_counts_each_question_alike() -> None:
    """0.7 of 10 points and 1.0 of 4 points: 1.7 of 2 questions; coverage is the mean of 1.0 and 0.4."""
    score = score_session([judged("met", "met", "not_met", "not_met"), judged("met")])
    assert (score.earned, score.possible, score.coverage) == (1.7, 2, 0.7)


def test_an_unscored_question_counts_for_coverage_alone() -> None:
    """One question at 0.7, one not judged: 0.7 of 1, half covered."""
    score = score_session([judged("met", "met", "not_met", "not_met"), score_question(ALPHA_RUBRIC, None)])
    assert (score.earned, score.possible, score.coverage) == (0.7, 1, 0.5)


def test_no_questions_have_no_share() -> None:
    """An empty session is unscored."""
    assert score_session([]).share is None


@pytest.mark.parametrize(("outcome", "missing"), [("met", 0), ("partial", 2), ("not_met", 4), ("unsure", 4)])
def test_missing_is_what_the_outcome_leaves_open(outcome: str, missing: float) -> None:
    """Whatever help it took, a met point is not asked about again."""
    line = judged(outcome, probes=(aimed("probe", "first", 1),)).criteria[0]
    assert line.missing == missing


def test_every_criterion_has_a_line() -> None:
    """In rubric order, whether judged or not."""
    criteria: tuple[Criterion, ...] = tuple(line.criterion for line in judged("met").criteria)
    assert criteria == ALPHA_RUBRIC.criteria
