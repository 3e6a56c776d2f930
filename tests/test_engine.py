"""Hints to an exercise: one step at a time, each with its price, and old logs that know nothing of them."""

from __future__ import annotations

import pytest

from interviewer.bank import Bank
from interviewer.domain import LANGUAGES, Language
from interviewer.errors import UsageError
from interviewer.events import Hinted
from interviewer.interview import Interviewer, NoHint
from interviewer.policy import next_step
from interviewer.report import make_report
from interviewer.report_formats import to_dict, to_markdown
from interviewer.scoring import LADDER_SHARE, score_question
from interviewer.session import LADDER, legal
from interviewer.speech import speech
from interviewer.view import Screen, make_screen
from tests.builders import BETA, BETA_RUBRIC, EXERCISE, REFERENCE, WRONG, bank_of, interviewer, local, settings

HINTS = tuple(local(text) for text in ("Look at the sign.", "It is a product.", "Return 2 * x, says first."))
LADDERED = EXERCISE.model_copy(update={"hints": HINTS})
BANK: Bank = bank_of((BETA, BETA_RUBRIC), exercises=[LADDERED])


class Desk:
    """An interview about beta, with its exercise on the desk."""

    def __init__(self, bank: Bank = BANK, language: Language = "en") -> None:
        self.bank = bank
        self.conductor: Interviewer = interviewer(bank=bank)
        self.session = self.conductor.start(settings("beta", language=language))
        self.conductor.act(self.session, "dont_know")

    @property
    def screen(self) -> Screen:
        return make_screen(self.session, self.conductor.state(self.session), self.bank)

    def hint(self) -> str:
        state = self.conductor.act(self.session, "hint")
        return state.questions[0].hints[-1].text

    def works(self) -> tuple[str, float]:
        """What the criterion of the tests needed and earned."""
        state = self.conductor.state(self.session)
        line = next(x for x in score_question(BETA_RUBRIC, state.questions[0]).criteria if x.criterion.id == "works")
        return line.help, line.earned


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_steps_come_in_order_and_run_out(language: Language) -> None:
    """First, second, third, then none: in the interview's language, whatever the leak gate would say."""
    desk = Desk(language=language)
    assert [desk.hint() for _ in HINTS] == [text[language] for text in HINTS]
    with pytest.raises(NoHint) as none:
        desk.hint()
    assert none.value.what == speech(language).no_hint
    assert "hint" not in desk.screen.actions


def test_the_price_is_shown_before_it_is_paid() -> None:
    """The next step, of how many, and what the tests then earn."""
    desk = Desk()
    shown = []
    while desk.screen.code_hint is not None:
        assert "hint" in desk.screen.actions
        shown.append((desk.screen.code_hint.step, desk.screen.code_hint.of, desk.screen.code_hint.earns))
        desk.hint()
    assert shown == [(1, 3, 0.9), (2, 3, 0.75), (3, 3, 0.5)]
    assert [m.step for m in desk.screen.messages if m.kind == "hint"] == [1, 2, 3]


@pytest.mark.parametrize("taken", [0, 1, 2, 3])
def test_each_step_lowers_what_the_tests_decide(taken: int) -> None:
    """Five points of weight; the talk's criteria are not touched."""
    desk = Desk()
    for _ in range(taken):
        desk.hint()
    desk.conductor.submit_code(desk.session, REFERENCE)
    assert desk.works() == (("none", "hint_1", "hint_2", "hint_3")[taken], 5 * LADDER_SHARE[taken])


def test_a_hint_after_the_last_submission_costs_nothing() -> None:
    """It did not help the code that counts."""
    desk = Desk()
    desk.conductor.submit_code(desk.session, WRONG)
    before = desk.works()
    desk.hint()
    assert desk.works() == before == ("none", 2.5)
    desk.conductor.submit_code(desk.session, REFERENCE)
    assert desk.works() == ("hint_1", 4.5)


def test_the_report_says_what_hints_cost() -> None:
    """Beside the criterion and in the line on prices."""
    desk = Desk()
    desk.hint()
    desk.conductor.submit_code(desk.session, REFERENCE)
    report = make_report(desk.session, desk.conductor.state(desk.session), BANK)
    assert to_dict(report)["prices"]["ladder"] == [0.9, 0.75, 0.5]
    assert "after 1 hint to the exercise" in to_markdown(report)
    assert "90%, 75% or 50%" in to_markdown(report)


def test_an_exercise_without_hints_says_so() -> None:
    """And no button offers one."""
    desk = Desk(bank_of((BETA, BETA_RUBRIC), exercises=[EXERCISE]))
    assert desk.screen.code_hint is None
    assert "hint" not in desk.screen.actions
    with pytest.raises(NoHint) as none:
        desk.hint()
    assert none.value.what == speech("en").no_hint_code


def test_a_step_is_not_left_out() -> None:
    """Whatever a log holds: the next one is the first that was not given."""
    desk = Desk()
    asked = desk.conductor.state(desk.session).questions[0]
    third = asked.thread.turns[0].model_copy(update={"role": "interviewer", "kind": "hint", "target": LADDER[2]})
    assert next_step(LADDERED, asked) == 0
    assert next_step(LADDERED, asked.model_copy(update={"hints": (third,)})) == 0


def test_hints_to_talk_and_to_code_do_not_mix() -> None:
    """While the talk is open a hint aims at a criterion; a log with such a hint folds as it always did."""
    conductor = interviewer(bank=BANK)
    session = conductor.start(settings("beta"))
    state = conductor.act(session, "hint")
    (hint,) = state.questions[0].hints
    assert hint.target == "first"
    assert state.questions[0].steps == ()
    assert make_screen(session, state, BANK).code_hint is None
    opened = conductor.act(session, "dont_know")
    assert opened.phase == "coding"
    assert legal(opened, Hinted(question="beta", target=LADDER[0], text="Look."))


def test_no_hint_while_paused() -> None:
    """As any other action."""
    desk = Desk()
    desk.conductor.act(desk.session, "pause")
    with pytest.raises(UsageError):
        desk.hint()
