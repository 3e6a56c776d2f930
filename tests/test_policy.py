"""What is asked next, from the state alone."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.bank import Bank
from interviewer.domain import LEVELS, Turn
from interviewer.errors import UsageError
from interviewer.events import Settings
from interviewer.policy import MAX_SUBMISSIONS, code_is_done, follow_ups, hint_targets, plan
from interviewer.session import QuestionState
from tests.builders import ALPHA_RUBRIC, answer, bank_of, heard, judgement, mini_bank, question, sandbox_result, verdict

TOPICS = ("tensors", "autograd", "data")


def wide_bank() -> Bank:
    """Twelve junior questions of three topics; the first of each topic is very common."""
    questions = [
        question(f"{topic}-{i}", topic=topic, frequency="common" if i else "very_common")
        for topic in TOPICS
        for i in range(4)
    ]
    return bank_of(*((q, ALPHA_RUBRIC) for q in questions))


def state(
    *outcomes: str, beliefs: tuple[str, ...] = (), probes: tuple[str, ...] = (), **fields: object
) -> QuestionState:
    """alpha after one judged answer and these probes."""
    verdicts = [verdict(c.id, outcome) for c, outcome in zip(ALPHA_RUBRIC.criteria, outcomes, strict=False)]
    aimed = tuple(_aimed("probe", target) for target in probes)
    return QuestionState.model_validate(
        {
            "question": "alpha",
            "turns": (answer("words"), *aimed),
            "judgement": judgement(*verdicts, beliefs=tuple(heard(b) for b in beliefs)),
            "probes": aimed,
            **fields,
        }
    )


def _aimed(kind: str, target: str) -> Turn:
    return Turn(seq=5, role="interviewer", kind=kind, text="?", target=target)


def target(asked: QuestionState) -> str | None:
    found = next(iter(follow_ups(ALPHA_RUBRIC, asked)), None)
    return found.id if found else None


@given(st.integers(0, 2**32), st.integers(1, 12))
def test_the_same_seed_gives_the_same_plan(seed: int, count: int) -> None:
    """A plan is determined by settings and bank."""
    chosen = Settings(seed=seed, count=count)
    assert plan(wide_bank(), chosen) == plan(wide_bank(), chosen)


def test_seeds_give_different_plans() -> None:
    """Not everybody is asked the same."""
    assert len({plan(wide_bank(), Settings(seed=seed, count=6)) for seed in range(20)}) > 15


@given(st.integers(0, 1000), st.integers(1, 12))
def test_topics_take_turns(seed: int, count: int) -> None:
    """No topic has two questions more than another."""
    topics = Counter(q.rsplit("-", 1)[0] for q in plan(wide_bank(), Settings(seed=seed, count=count)))
    counts = [topics[topic] for topic in TOPICS]
    assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize("seed", range(5))
def test_frequent_questions_come_first(seed: int) -> None:
    """With room for one of each topic it is the one that is asked most."""
    assert set(plan(wide_bank(), Settings(seed=seed, count=3))) == {f"{topic}-0" for topic in TOPICS}


@pytest.mark.parametrize("seed", range(5))
def test_what_was_asked_before_comes_last(seed: int) -> None:
    """Avoided questions are chosen only when there is nothing else."""
    avoid = [f"{topic}-{i}" for topic in TOPICS for i in (0, 1)]
    assert not set(plan(wide_bank(), Settings(seed=seed, count=6), avoid=avoid)) & set(avoid)
    assert len(plan(wide_bank(), Settings(seed=seed, count=12), avoid=avoid)) == 12


def test_a_plan_goes_from_easy_to_hard(bank: Bank) -> None:
    """Juniors' questions first, whatever the seed."""
    for seed in range(10):
        levels = [LEVELS.index(bank.questions[q].level) for q in plan(bank, Settings(seed=seed, count=16))]
        assert levels == sorted(levels)


def test_a_plan_has_no_question_twice(bank: Bank) -> None:
    """Also when more is asked for than there is."""
    assert sorted(plan(bank, Settings(count=60))) == sorted(bank.questions)


def test_a_level_is_kept_to() -> None:
    """Only questions of the level that was chosen."""
    assert plan(mini_bank(), Settings(level="middle")) == ("beta",)


def test_topics_are_kept_to() -> None:
    """Only questions of the topics that were chosen."""
    assert plan(mini_bank(), Settings(topics=("training",))) == ("alpha",)


def test_named_questions_keep_their_order() -> None:
    """Exactly these, each once."""
    assert plan(mini_bank(), Settings(questions=("beta", "alpha", "beta"))) == ("beta", "alpha")


def test_an_unknown_question_suggests_a_near_one() -> None:
    """The error says which id, and which was perhaps meant."""
    with pytest.raises(UsageError, match="no question with id 'alhpa'") as caught:
        plan(mini_bank(), Settings(questions=("alhpa",)))
    assert caught.value.hint == "did you mean alpha?"


def test_an_unknown_topic_lists_the_known() -> None:
    """The error says which topic, and what there is."""
    with pytest.raises(UsageError, match="no topic 'cooking'") as caught:
        plan(mini_bank(), Settings(topics=("training", "cooking")))
    assert caught.value.hint == "topics are modules, training"


def test_settings_that_leave_nothing_are_refused() -> None:
    """The error says which level and which topics exclude each other."""
    with pytest.raises(UsageError, match="no question of level 'senior' in topics training"):
        plan(mini_bank(), Settings(level="senior", topics=("training",)))


def test_a_follow_up_aims_at_the_heaviest_open_criterion() -> None:
    """first (4) is met, so second (3) is next."""
    assert target(state("met", "not_met", "not_met", "not_met")) == "second"


def test_half_a_point_is_worth_half() -> None:
    """second misses 1.5, third misses 2."""
    assert target(state("met", "partial", "not_met", "met")) == "third"


def test_an_unsure_criterion_is_asked_about() -> None:
    """A judge that could not tell costs a question, not points."""
    assert target(state("unsure", "not_met", "met", "met")) == "first"


def test_a_misconception_is_exposed_with_what_it_contradicts() -> None:
    """wrong-way: 3 of its own and the 4 of `first`."""
    assert target(state("not_met", "not_met", "met", "met", beliefs=("wrong-way",))) == "wrong-way"


def test_a_small_misconception_waits() -> None:
    """off-track costs 1, `first` misses 4."""
    assert target(state("not_met", "met", "met", "met", beliefs=("off-track",))) == "first"


def test_exposing_a_misconception_settles_what_it_contradicts() -> None:
    """Its probe already gave the candidate the chance to say `first`."""
    assert target(state("not_met", "not_met", "met", "met", beliefs=("wrong-way",), probes=("wrong-way",))) == "second"


def test_nothing_is_asked_twice() -> None:
    """A criterion that was probed is left alone."""
    assert target(state("not_met", "not_met", "met", "met", probes=("first",))) == "second"


def test_two_follow_ups_are_enough() -> None:
    """Whatever is still open."""
    assert target(state("not_met", "not_met", "not_met", "not_met", probes=("first", "second"))) is None


def test_all_met_needs_no_follow_up() -> None:
    """Nothing is missing."""
    assert target(state("met", "met", "met", "met")) is None


def test_not_knowing_the_question_ends_the_talk() -> None:
    """No follow-up after "I don't know" to the question itself."""
    assert target(state("not_met", "not_met", given_up=("",))) is None


def test_not_knowing_a_follow_up_does_not() -> None:
    """The other one is still asked."""
    assert target(state("not_met", "not_met", "met", "met", probes=("first",), given_up=("first",))) == "second"


def test_no_follow_up_beside_open_code() -> None:
    """The talk is over."""
    assert target(state("not_met", code_open=True)) is None


def test_a_hint_helps_what_is_being_asked() -> None:
    """`third` was probed, although `first` is heavier."""
    assert hint_of(state("not_met", "not_met", "not_met", probes=("third",))) == "third"


def test_a_hint_helps_the_heaviest_otherwise() -> None:
    """Nothing was probed yet."""
    assert hint_of(state("partial", "not_met", "not_met", "not_met")) == "second"


def test_a_hint_before_any_answer_helps_the_heaviest() -> None:
    """Nothing is judged, all is open."""
    assert hint_of(QuestionState(question="alpha")) == "first"


def test_a_hint_is_given_once() -> None:
    """The next one helps something else; when all are given there is none."""
    hints = tuple(_aimed("hint", c.id) for c in ALPHA_RUBRIC.criteria)
    assert hint_of(state("not_met", "not_met", hints=hints[:1])) == "second"
    assert hint_of(state("not_met", "not_met", hints=hints)) is None


def test_no_hint_where_nothing_is_missing() -> None:
    """And none for code."""
    assert hint_of(state("met", "met", "met", "met")) is None
    assert hint_of(state("not_met", code_open=True)) is None


def hint_of(asked: QuestionState) -> str | None:
    found = next(iter(hint_targets(ALPHA_RUBRIC, asked)), None)
    return found.id if found else None


@pytest.mark.parametrize(
    ("verdict_", "submissions", "done"),
    [("passed", 1, True), ("failed", 1, False), ("failed", MAX_SUBMISSIONS, True), (None, 1, False)],
)
def test_code_is_done_when_it_passed_or_was_sent_often_enough(
    verdict_: str | None, submissions: int, done: bool
) -> None:
    """Three submissions, or one that passes."""
    checked = sandbox_result({}, verdict_) if verdict_ else None
    assert code_is_done(QuestionState(question="beta", checked=checked, submissions=submissions)) is done
