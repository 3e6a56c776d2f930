"""Journeys through the page as a candidate makes them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from interviewer.adapters.fakes import ScriptedLLM
from interviewer.domain import LANGUAGES, Language
from interviewer.events import Settings
from interviewer.labels import labels
from interviewer.speech import speech
from interviewer.ui.texts import texts
from tests.browser.conftest import Open, Server
from tests.test_drafts import draft
from tests.ui.installation import everything, make_viva
from tests.ui.test_markup import HOSTILE
from tests.ui.test_moves import Waiting

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from interviewer.bank import Bank

pytestmark = pytest.mark.browser

LOCALES: dict[Language, str] = {"en": "en-US", "ru": "ru-RU", "zh": "zh-CN"}
TITLES = ("zero-grad", "dropout")


def begin(server: Server, **changes: Any) -> str:
    """A session of the two questions, started behind the page's back."""
    return server.viva.interviewer.start(Settings.model_validate({"questions": TITLES, **changes}))


def say(page: Page, text: str) -> None:
    page.fill("#viva-text textarea", text)
    page.click("#viva-send")


def write(page: Page, source: str) -> None:
    """Replace what is in the editor."""
    page.click("#viva-code .cm-content")
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(source)


def fits(page: Page, width: int) -> bool:
    """Whether nothing sticks out to the right."""
    return bool(page.evaluate("document.documentElement.scrollWidth") <= width)


def choose_questions(page: Page, server: Server, language: Language) -> None:
    page.click("#viva-advanced > button")
    for question in TITLES:
        title = server.viva.bank.questions[question].title[language]
        page.fill("#viva-exact input", title)
        page.get_by_role("option", name=title).first.click()
    page.keyboard.press("Escape")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_interview(open_page: Open, server: Server, language: Language) -> None:
    """From the form in the browser's language through talk, hint, code and checks to the downloaded report."""
    ui, words = texts(language), labels(language)
    page = open_page(locale=LOCALES[language], dark=language == "zh")
    page.get_by_role("heading", name=ui.welcome).wait_for()
    choose_questions(page, server, language)
    page.locator(".go .summary b").get_by_text("2").wait_for()
    page.click("#viva-begin")
    page.locator(".msg.question").get_by_text(server.viva.bank.questions["zero-grad"].text[language][:40]).wait_for()
    page.wait_for_url("**/?session=*")

    first = server.viva.bank.rubrics["zero-grad"].talk[0].id
    say(page, f"{first}, и ещё 梯度")
    page.wait_for_selector(".msg.probe")
    page.click("#viva-hint")
    page.wait_for_selector(".msg.hint")
    page.fill("#viva-text textarea", everything(server.viva.bank, "zero-grad"))
    page.press("#viva-text textarea", "Shift+Enter")
    page.press("#viva-text textarea", "Enter")
    page.wait_for_selector(".chat .card")
    assert page.input_value("#viva-text textarea") == ""
    say(page, everything(server.viva.bank, "dropout"))
    page.wait_for_selector("#viva-code .cm-content")

    exercise = server.viva.bank.exercises["dropout"]
    write(page, exercise.wrong["no-scale.py"].source)
    page.click("#viva-run")
    page.locator("#viva-results").get_by_role("heading", name=ui.output, exact=True).wait_for()
    page.click("#viva-submit")
    page.locator(".checks").get_by_text(words.check["failed"]).first.wait_for()
    assert exercise.checks["check_training_values"].advice[language][:20] in page.inner_text(".checks")
    write(page, exercise.reference)
    page.click("#viva-submit")

    page.wait_for_selector("#viva-report .report")
    assert speech(language).finished in page.inner_text("#viva-report")
    assert words.this_week in page.inner_text("#viva-report")
    page.locator("#viva-report details.q").first.click()
    page.locator("#viva-report mark.met").first.wait_for()
    with page.expect_download() as download:
        page.click("#viva-get-html")
    saved = Path(str(download.value.path())).read_text(encoding="utf-8")
    assert words.report in saved and "<script" not in saved


def test_a_refresh_keeps_the_place(open_page: Open, server: Server) -> None:
    """The same question, the same talk, the draft, and the desk with what was run."""
    session = begin(server)
    page = open_page(address=server.link(session))
    page.fill("#viva-text textarea", "half an ans")
    page.reload()
    page.wait_for_selector(".msg.question")
    page.wait_for_function("document.querySelector('#viva-text textarea').value === 'half an ans'")
    say(page, everything(server.viva.bank, "zero-grad"))
    page.wait_for_selector(".chat .card")
    page.click("#viva-dont_know")
    page.wait_for_selector("#viva-code .cm-content")
    write(page, "print('mine')")
    page.click("#viva-run")
    page.wait_for_selector(".results h3")
    page.reload()
    page.locator("#viva-code .cm-content").get_by_text("print('mine')").wait_for()
    assert page.input_value("#viva-text textarea") == ""
    write(page, "print('not yet run')")
    page.wait_for_function("Object.values(localStorage).some(value => value.includes('not yet run'))")
    page.reload()
    page.locator("#viva-code .cm-content").get_by_text("print('not yet run')").wait_for()
    assert page.locator(".chat .card").count() == 1
    page = page.context.new_page()
    page.goto(server.url)
    page.click("#viva-continue")
    page.locator(".chat .card").wait_for()
    page.wait_for_url("**/?session=*")


def test_the_language_switches_without_a_reload(open_page: Open, server: Server) -> None:
    """Buttons and bar change, the interview's own words and what is being typed do not."""
    session = begin(server, language="en")
    page = open_page(address=server.link(session))
    page.wait_for_selector(".msg.question")
    asked = page.inner_text(".msg.question > p:last-child")
    page.fill("#viva-text textarea", "typed so far")
    for language in ("ru", "zh", "en"):
        page.locator("#viva-lang label").nth(["en", "ru", "zh"].index(language)).click()
        page.locator("#viva-send").get_by_text(texts(language).send, exact=True).wait_for()
        page.locator("#viva-skip").get_by_text(texts(language).skip, exact=True).wait_for()
        assert page.inner_text(".msg.question > p:last-child") == asked
        assert page.input_value("#viva-text textarea") == "typed so far"


def test_hostile_text_is_shown_and_does_nothing(open_page: Open, server: Server) -> None:
    """In the conversation, in the report, in the review: words, not markup."""
    session = begin(server, questions=("zero-grad",), code=False)
    page = open_page(address=server.link(session))
    page.wait_for_selector(".msg.question")
    text = "\n".join(t for t in HOSTILE if "\x00" not in t and "\ud800" not in t)
    say(page, text)
    page.wait_for_selector(".msg.probe")
    page.locator(".msg.candidate").get_by_text("<img src=x onerror=window.hit=1>").wait_for()
    server.viva.interviewer.answer(session, "NUL \x00, lone \ud800, long " + "y" * 200_000)
    page.reload()
    page.locator(".msg.candidate").nth(1).wait_for()
    server.viva.interviewer.act(session, "end") if server.viva.interviewer.state(session).phase != "ended" else None
    page.reload()
    page.wait_for_selector("#viva-report .report")
    page.get_by_role("tab").nth(1).click()
    page.click(f'[data-open="{session}"]')
    page.wait_for_selector(".review")
    assert page.evaluate("window.hit") is None
    foreign = "#viva-detail :is(img, script, iframe, svg, a), #viva-report :is(img, script, iframe, svg, a)"
    assert page.locator(foreign).count() == 0


def test_two_windows_and_a_double_send(open_page: Open, server: Server) -> None:
    """The slower window is told, keeps its text, and can go on."""
    session = begin(server)
    one, two = open_page(address=server.link(session)), open_page(address=server.link(session))
    for page in (one, two):
        page.wait_for_selector(".msg.question")
    one.fill("#viva-text textarea", "the first to say it")
    one.evaluate("for (let i = 0; i < 3; i++) document.querySelector('#viva-send').click()")
    one.wait_for_selector(".msg.probe")
    say(two, "the second to say it")
    two.locator(".notice").get_by_text(texts("en").stale).wait_for()
    assert two.input_value("#viva-text textarea") == "the second to say it"
    assert two.locator(".msg.candidate").count() == 1
    two.click("#viva-send")
    two.locator(".msg.candidate").nth(1).wait_for()
    answers = [t for q in server.viva.interviewer.state(session).questions for t in q.turns if t.kind == "answer"]
    assert [t.text for t in answers] == ["the first to say it", "the second to say it"]


def test_pause_end_and_a_new_start(open_page: Open, server: Server) -> None:
    """A pause takes no answer; the end asks first; an unknown link explains itself."""
    page = open_page(address=server.link("no-such-session"))
    page.locator(".notice").get_by_text(texts("en").unknown_session).wait_for()
    page.wait_for_selector("#viva-begin")
    session = begin(server)
    page = open_page(address=server.link(session))
    page.click("#viva-pause")
    page.locator(".aside").get_by_text(texts("en").paused).wait_for()
    assert page.locator("#viva-text textarea").is_disabled()
    page.click("#viva-resume")
    page.wait_for_selector("#viva-skip")
    page.click("#viva-send")
    page.locator(".notice").get_by_text(texts("en").empty_answer).wait_for()
    page.click("#viva-end")
    page.click("#viva-end-no")
    page.locator("#viva-end-yes").wait_for(state="hidden")
    page.click("#viva-end")
    page.click("#viva-end-yes")
    page.wait_for_selector("#viva-report .report")
    page.click("#viva-again")
    page.wait_for_selector("#viva-begin")
    page.wait_for_function("!location.search.includes('session')")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_shows_everything_without_scrolling_sideways(
    open_page: Open, server: Server, language: Language
) -> None:
    """Form, conversation, desk with results and report in 390 pixels."""
    page = open_page(width=390, locale=LOCALES[language], dark=language == "ru")
    page.get_by_role("heading", name=texts(language).welcome).wait_for()
    assert fits(page, 390)
    session = begin(server, language=language)
    server.viva.interviewer.answer(session, everything(server.viva.bank, "zero-grad") + " " + "w" * 300)
    server.viva.interviewer.act(session, "dont_know")
    server.viva.interviewer.submit_code(session, server.viva.bank.exercises["dropout"].wrong["no-scale.py"].source)
    page = open_page(width=390, address=server.link(session), dark=language == "ru")
    page.wait_for_selector(".checks")
    assert fits(page, 390)
    composer = page.locator("#viva-composer").bounding_box()
    assert composer is not None and composer["y"] + composer["height"] <= 844
    page.click("#viva-end")
    page.click("#viva-end-yes")
    page.wait_for_selector("#viva-report .report")
    assert fits(page, 390)


def test_a_phone_shows_a_waiting_run_and_its_cancel_button(open_page: Open, bank: Bank) -> None:
    """In place of the composer, which can do nothing meanwhile and comes back afterwards."""
    from interviewer.ui.launch import start

    with make_viva(bank, sandbox=Waiting()) as viva:
        demo, url = start(viva)
        session = begin(Server(viva, url))
        viva.interviewer.answer(session, "it adds")
        page = open_page(width=390, address=f"{url}?session={session}")
        page.fill("#viva-predicted textarea", "0")
        page.click("#viva-try")
        page.locator("#viva-wait").get_by_text(texts("en").queue.format(position=2)).wait_for()
        box = page.locator("#viva-cancel").bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 844
        assert page.locator("#viva-composer").is_hidden()
        page.click("#viva-cancel")
        page.locator("#viva-tried dl").wait_for()
        page.locator("#viva-composer").wait_for()
        demo.close(verbose=False)


def test_drafts_go_with_their_language(open_page: Open, bank: Bank) -> None:
    """Topic and box are there only where a draft is; another language never leaves a choice that nothing matches."""
    from interviewer.ui.launch import start

    with make_viva(bank.with_drafts([draft()])) as viva:
        demo, url = start(viva)
        page = open_page(locale="ru-RU", address=url)
        page.get_by_role("heading", name=texts("ru").welcome).wait_for()
        page.click("#viva-advanced > button")
        page.click("#viva-drafts input")
        topic = page.locator(".chips label", has_text=labels("ru").topic["imported"])
        topic.click()
        page.locator(".go .summary b").get_by_text(" 1 ").first.wait_for()
        page.locator("#viva-lang label").nth(2).click()
        page.get_by_role("heading", name=texts("zh").welcome).wait_for()
        page.locator("#viva-drafts").wait_for(state="hidden")
        assert page.locator(".chips label", has_text=labels("zh").topic["imported"]).count() == 0
        page.click("#viva-begin")
        page.wait_for_selector(".msg.question")
        demo.close(verbose=False)


def test_a_phrased_follow_up_appears_as_it_is_said(open_page: Open, bank: Bank) -> None:
    """Sentence by sentence, with the quiet line below until it is complete; then the composer is free again."""
    from interviewer.ui.launch import start

    said = "I follow what you say so far. What would the optimizer do with that on the next step?"
    with make_viva(bank, llm=ScriptedLLM([said], seconds_a_word=0.12)) as viva:
        demo, url = start(viva)
        session = begin(Server(viva, url))
        page = open_page(address=f"{url}?session={session}")
        page.wait_for_selector(".msg.question")
        say(page, "it adds")
        page.wait_for_selector(".msg.candidate.waiting")
        page.locator(".msg.interviewer:has(+ .doing)").get_by_text("I follow what you say so far.").wait_for()
        page.locator(".msg.probe").get_by_text(said).wait_for()
        assert page.locator(".doing").count() == 0
        demo.close(verbose=False)


def test_a_server_that_died_is_picked_up_from_the_same_link(open_page: Open, bank: Bank, tmp_path: Path) -> None:
    """Another process over the same database; the candidate only waits and reloads."""
    from interviewer.ui.launch import start

    first = make_viva(bank, tmp_path)
    demo, url = start(first)
    session = begin(Server(first, url))
    page = open_page(address=f"{url}?session={session}")
    page.wait_for_selector(".msg.question")
    say(page, "it adds")
    page.wait_for_selector(".msg.probe")
    demo.close(verbose=False)
    first.close()
    port = int(url.rstrip("/").rsplit(":", 1)[1])
    page.goto("about:blank")
    with make_viva(bank, tmp_path, port=port) as second:
        demo, url = start(second)
        page.goto(f"{url}?session={session}")
        page.wait_for_selector(".msg.probe")
        assert page.inner_text(".msg.candidate").strip().endswith("it adds")
        demo.close(verbose=False)
