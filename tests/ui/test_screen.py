"""What a screen, a report and a review look like as HTML."""

from __future__ import annotations

import re

import pytest

from interviewer.bank import Bank
from interviewer.domain import LANGUAGES, CheckResult, Finding, Language, SandboxResult
from interviewer.events import Settings
from interviewer.labels import labels
from interviewer.report import PenaltyRow, make_report
from interviewer.ui import fragments, review_tab
from interviewer.ui.feedback import transcript
from interviewer.ui.fragments import Pending
from interviewer.ui.interview_tab import all_checks
from interviewer.ui.report_view import report_page, review_page
from interviewer.ui.texts import texts
from interviewer.view import Screen, make_screen
from interviewer.wiring import Viva
from tests.ui.installation import everything, make_viva
from tests.ui.test_markup import HOSTILE, tags

BAD = {"script", "img", "iframe", "svg", "style", "a", "link", "object"}


@pytest.fixture
def viva(bank: Bank) -> Viva:
    return make_viva(bank)


def begin(viva: Viva, language: Language = "en", mode: str = "practice") -> str:
    chosen = Settings.model_validate({"language": language, "questions": ("zero-grad", "dropout"), "mode": mode})
    return viva.interviewer.start(chosen)


def screen_of(viva: Viva, session: str) -> Screen:
    return make_screen(session, viva.interviewer.state(session), viva.bank)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_top_bar_says_where_one_is(viva: Viva, language: Language) -> None:
    """Number, level, topic, and a dot a question with its meaning in words."""
    html = fragments.top_bar(screen_of(viva, begin(viva, language)), language)
    ui = texts(language)
    assert ui.position.format(number=1, of=2) in html
    assert labels(language).level["junior"] in html
    assert re.findall(r'class="dot (\w+)"', html) == ["now", "to_come"]
    assert ui.to_come in html


def test_hostile_words_stay_words_everywhere(viva: Viva) -> None:
    """In the conversation, the report and the review."""
    session = begin(viva)
    for text in HOSTILE:
        if viva.interviewer.state(session).phase in ("asking", "coding"):
            viva.interviewer.answer(session, text)
    viva.interviewer.act(session, "end")
    state = viva.interviewer.state(session)
    report = make_report(session, state, viva.bank)
    checks = all_checks(state, viva.bank)
    pages = (
        fragments.chat(screen_of(viva, session), "en"),
        report_page(report, checks, "en"),
        review_page(report, checks, "en"),
    )
    for html in pages:
        assert not {tag for tag, _ in tags(html)} & BAD
        assert not any(name.startswith("on") or name in ("href", "src") for _, names in tags(html) for name in names)


def test_what_is_on_its_way_is_shown_at_once(viva: Viva) -> None:
    """The candidate's words, what is being done, and a reply as it comes."""
    screen = screen_of(viva, begin(viva))
    html = fragments.chat(screen, "en", Pending("Listening…", "it <adds>", "And what"))
    assert "it &lt;adds&gt;" in html and "Listening…" in html and "<p>And what</p>" in html


def test_practice_shows_how_a_question_went_and_an_exam_does_not(viva: Viva) -> None:
    """The card stands where the question closed."""
    for mode, cards in (("practice", 1), ("exam", 0)):
        session = begin(viva, mode=mode)
        viva.interviewer.answer(session, everything(viva.bank, "zero-grad"))
        assert fragments.chat(screen_of(viva, session), "en").count('class="card"') == cards


def test_failed_checks_say_what_to_look_at(viva: Viva) -> None:
    """Sign, word, title, advice and message for each check; no colour alone."""
    session = begin(viva)
    viva.interviewer.act(session, "skip")
    viva.interviewer.act(session, "dont_know")
    exercise = viva.bank.exercises["dropout"]
    viva.interviewer.submit_code(session, exercise.wrong["no-scale.py"].source)
    html = fragments.results(screen_of(viva, session), "en")
    killed = exercise.checks["check_training_values"]
    assert f"✗ {labels('en').check['failed']}" in html and f"✓ {labels('en').check['passed']}" in html
    assert killed.advice.en[:30] in html


def test_a_traceback_and_a_fault_of_the_machine_are_told_apart() -> None:
    """A run that raised shows where; one that was stopped says why."""
    parts = {"seconds": 0.5, "backend": "namespaces", "layers": ("seccomp",), "stdout": "<b>out</b>"}
    raised = SandboxResult(verdict="error", reason="exception", traceback="ValueError: x", **parts)  # type: ignore[arg-type]
    html = fragments.ran(raised, "en")
    assert "ValueError: x" in html and "&lt;b&gt;out&lt;/b&gt;" in html and "seccomp" in html
    stopped = SandboxResult(verdict="timeout", reason="wall_clock", **parts)  # type: ignore[arg-type]
    assert labels("ru").reason["wall_clock"] in fragments.ran(stopped, "ru")


def test_the_figures_of_a_run_are_shown() -> None:
    """A run that only draws is not said to have printed nothing."""
    result = SandboxResult(verdict="passed", pictures=("iVBORw0KGgo=",), seconds=0, backend="fake", layers=())
    html = fragments.ran(result, "en")
    assert 'src="data:image/png;base64,iVBORw0KGgo="' in html
    assert "soft" not in html


def test_a_check_without_a_title_still_shows() -> None:
    """A check unknown to the bank keeps its name."""
    result = SandboxResult(
        verdict="failed",
        checks=(CheckResult(name="check_new", outcome="failed"),),
        seconds=0,
        backend="fake",
        layers=(),
    )
    assert "fake" in fragments.checked(result, (), "zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_report_lights_the_words_that_earned_points(viva: Viva, language: Language) -> None:
    """A mark in the transcript carries its criterion's id and outcome."""
    session = begin(viva, language)
    first = viva.bank.rubrics["zero-grad"].talk[0].id
    viva.interviewer.answer(session, f"<i> {first} </i>")
    viva.interviewer.act(session, "end")
    state = viva.interviewer.state(session)
    html = report_page(make_report(session, state, viva.bank), all_checks(state, viva.bank), language, lead="bye")
    assert f'<mark class="met" data-c="{first}"' in html and "bye" in html
    assert labels(language).this_week in html


def test_a_misconception_is_marked_where_it_was_said(viva: Viva) -> None:
    """The words that cost points are as visible as those that earned them."""
    session = begin(viva)
    viva.interviewer.answer(session, "step() clears the gradients")
    report = make_report(session, viva.interviewer.state(session), viva.bank)
    row = report.questions[0]
    seq = next(t.seq for t in row.turns if t.role == "candidate")
    heard = PenaltyRow(id="wrong", belief="<it clears>", quote="clears", points=1, seq=seq, start=7, end=13)
    html = transcript(row.model_copy(update={"penalties": (heard,)}), "en")
    assert '<mark class="not_met" data-c="wrong" title="&lt;it clears&gt;">clears</mark>' in html


def test_the_review_hides_the_question_on_the_table(viva: Viva) -> None:
    """Whoever is being interviewed does not read the rubric next door."""
    session = begin(viva)
    viva.interviewer.answer(session, everything(viva.bank, "zero-grad"))
    html = review_tab.detail(viva, session, "en")
    hidden = viva.bank.rubrics["dropout"].criteria[0].says.en
    assert viva.bank.rubrics["zero-grad"].criteria[0].says.en[:20] in html.replace("&#x27;", "'")
    assert hidden not in html and texts("en").still_running in html


def test_the_list_has_every_interview(viva: Viva) -> None:
    """Newest first, each with a button that names it."""
    one, two = begin(viva, "ru"), begin(viva, "zh")
    html = review_tab.listing(viva, "en")
    assert html.count("data-open=") == 2 and one in html and two in html
    assert texts("en").no_sessions in review_tab.session_list((), "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_snippet_is_shown_after_the_first_answer(viva: Viva, language: Language) -> None:
    """The program, then what was said of it and what came of it, all as text."""
    session = begin(viva, language)
    assert fragments.snippet(screen_of(viva, session), language) == ""
    viva.interviewer.answer(session, "it adds up")
    shown = fragments.snippet(screen_of(viva, session), language)
    assert "optimizer.zero_grad()" in shown
    assert fragments.tries_of(screen_of(viva, session), language) == ""
    viva.interviewer.run_snippet(session, "<b>3</b>", "print('<i>')")
    words, html = labels(language), fragments.tries_of(screen_of(viva, session), language)
    assert words.predicted in html and words.change in html
    assert "&lt;b&gt;3" in html
    assert not BAD & {name for name, _ in tags(html)}
    state = viva.interviewer.act(session, "end")
    report = make_report(session, state, viva.bank)
    assert "&lt;b&gt;3" in report_page(report, {}, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_findings_are_shown_with_their_place_and_change_nothing(viva: Viva, language: Language) -> None:
    """Under the checks, in the report and in the review; the verdict stays."""
    found = (
        Finding(name="torch.softmax", line=3, how="alias"),
        Finding(name="torch.relu", line=0, how="called"),
    )
    result = SandboxResult(verdict="passed", seconds=0.1, backend="fake", layers=(), findings=found)
    words, html = labels(language), fragments.checked(result, (), language)
    assert words.findings in html and words.findings_note in html
    assert words.finding.format(name="torch.softmax", line=3, how=words.how["alias"]) in html
    assert words.finding_nowhere.format(name="torch.relu", how=words.how["called"]) in html
    assert words.verdict["passed"] in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_place_in_the_queue_is_said(language: Language) -> None:
    """And nothing while the run is on."""
    assert "4" in fragments.waiting(4, language)
    assert fragments.waiting(0, language) == ""
