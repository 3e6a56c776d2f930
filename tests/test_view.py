"""State -> what a screen shows."""

from __future__ import annotations

import pytest

from interviewer.adapters.fakes import FakeSandbox, ScriptedLLM
from interviewer.domain import LANGUAGES, Language
from interviewer.interview import Interviewer
from interviewer.phrasing import Phraser
from interviewer.ports import ModelError
from interviewer.speech import speech
from interviewer.view import Screen, make_screen
from tests.builders import EXERCISE, GATE, REFERENCE, WRONG, bank_of, interviewer, mini_bank, settings


class Page:
    """An interview and what its screen shows."""

    def __init__(self, *questions: str, conductor: Interviewer | None = None, **fields: object) -> None:
        self.conductor = conductor or interviewer()
        self.session_id = self.conductor.start(settings(*questions, **fields))

    @property
    def screen(self) -> Screen:
        return make_screen(self.session_id, self.conductor.state(self.session_id), mini_bank())

    def say(self, text: str) -> Screen:
        self.conductor.answer(self.session_id, text)
        return self.screen

    def do(self, action: str) -> Screen:
        self.conductor.act(self.session_id, action)
        return self.screen

    def submit(self, source: str) -> Screen:
        self.conductor.submit_code(self.session_id, source)
        return self.screen


@pytest.fixture
def page() -> Page:
    return Page()


def test_the_first_screen_asks_the_first_question(page: Page) -> None:
    """One message, one card, two dots."""
    screen = page.screen
    assert [(m.role, m.kind, m.text) for m in screen.messages] == [("interviewer", "question", "Tell me about alpha?")]
    assert screen.card is not None
    assert (screen.card.number, screen.card.of, screen.card.id, screen.card.follow_ups) == (1, 2, "alpha", 0)
    assert screen.dots == ("now", "to_come")
    assert (screen.can_answer, screen.desk, screen.feedback) == (True, None, ())


def test_the_number_to_send_back_is_the_next_event(page: Page) -> None:
    """A move with an older one is stale."""
    assert page.screen.seq == page.conductor.state(page.session_id).seq == 2


def test_while_asked_everything_is_possible(page: Page) -> None:
    """But resuming."""
    assert page.screen.actions == {"hint", "skip", "dont_know", "repeat", "pause", "end"}


def test_paused_leaves_resume_and_end(page: Page) -> None:
    """And nothing can be said."""
    screen = page.do("pause")
    assert (screen.actions, screen.can_answer, screen.paused) == (frozenset({"resume", "end"}), False, True)


def test_the_end_leaves_nothing(page: Page) -> None:
    """A last message, no card, all that was asked is done."""
    screen = page.do("end")
    assert (screen.actions, screen.can_answer) == (frozenset(), False)
    assert screen.messages[-1].text == speech("en").ended
    assert screen.dots == ("done", "to_come")


def test_every_action_offered_is_possible(page: Page) -> None:
    """What the screen offers, the interviewer does."""
    for action in sorted(page.screen.actions - {"end"}):
        Page().do(action)


def test_hints_are_offered_while_there_are_any(page: Page) -> None:
    """Four."""
    for _ in range(4):
        assert "hint" in page.screen.actions
        page.do("hint")
    assert "hint" not in page.screen.actions


def test_code_comes_to_the_desk() -> None:
    """With statement, starter and examples in the candidate's language; the checks stay hidden."""
    screen = Page("beta", language="ru").say("first second third")
    assert screen.desk is not None
    assert screen.desk.statement == "Write double. по-русски"
    assert screen.desk.source == screen.desk.starter == EXERCISE.starter_in("ru")
    assert screen.desk.submissions_left == 3
    assert EXERCISE.checks_source not in screen.model_dump_json()
    assert "hint" not in screen.actions


def test_the_desk_keeps_the_candidates_code() -> None:
    """And shows each check with a title, and advice where it failed."""
    page = Page("beta")
    page.say("first second third")
    screen = page.submit(WRONG)
    assert screen.desk is not None
    assert (screen.desk.source, screen.desk.submissions_left) == (WRONG, 2)
    assert [(r.title, r.outcome, r.advice) for r in screen.desk.rows] == [
        ("Title of check_shape", "passed", ""),
        ("Title of check_value", "failed", "Look at check_value"),
    ]


def test_a_failed_sandbox_leaves_the_desk_as_it_was() -> None:
    """The code is there and three submissions are left."""
    page = Page("beta", conductor=interviewer(sandbox=FakeSandbox(broken=True)))
    page.say("first second third")
    screen = page.submit(REFERENCE)
    assert screen.desk is not None
    assert (screen.desk.source, screen.desk.submissions_left, screen.desk.rows) == (REFERENCE, 3, ())


def test_practice_shows_feedback_after_each_question(page: Page) -> None:
    """Of closed questions."""
    assert page.screen.feedback == ()
    assert [row.id for row in page.do("skip").feedback] == ["alpha"]


def test_an_exam_shows_feedback_at_the_end() -> None:
    """Not before."""
    page = Page(mode="exam")
    assert page.do("skip").feedback == ()
    assert [row.id for row in page.do("skip").feedback] == ["alpha", "beta"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_leave_words_in_the_conversation(language: Language) -> None:
    """A skip and an "I don't know" are shown in the candidate's language."""
    page = Page(language=language)
    page.do("skip")
    texts = {m.kind: m.text for m in page.do("dont_know").messages if m.role == "candidate"}
    assert set(texts) == {"skip", "dont_know"}
    assert all(texts.values())


def test_typed_words_are_shown_as_typed(page: Page) -> None:
    """Not replaced by a label."""
    assert "No idea!" in [m.text for m in page.say("No idea!").messages]


def test_a_failed_model_is_told_once() -> None:
    """Of the question on the table, until the next one."""
    conductor = interviewer(phraser=Phraser(GATE, llm=ScriptedLLM([ModelError("slow")])))
    page = Page(conductor=conductor)
    assert page.screen.model_notice == ""
    assert page.say("second").model_notice == "slow"
    assert page.do("skip").model_notice == ""


def test_the_price_of_a_hint_is_shown(page: Page) -> None:
    """Half of the criterion."""
    assert page.screen.hint_price == 0.5


def test_a_question_that_left_the_bank_has_no_card(page: Page) -> None:
    """The conversation is shown all the same."""
    state = page.conductor.state(page.session_id)
    screen = make_screen(page.session_id, state, bank_of())
    assert screen.card is None
    assert len(screen.messages) == 1
