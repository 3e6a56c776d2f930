"""How the candidate spoke: recorded once after the end, scored apart, shown with their words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interviewer.adapters.fakes import FakeSandbox, MemoryStore
from interviewer.bank import Bank, read_bank
from interviewer.cli.terminal import show_report
from interviewer.delivery_formats import delivery_notes
from interviewer.domain import LANGUAGES, DeliveryRubric, Judgement, Language, Thread, Verdict
from interviewer.interview import Interviewer
from interviewer.judging.leak import LeakGate
from interviewer.labels import labels
from interviewer.phrasing import Phraser
from interviewer.report import Report, make_report
from interviewer.report_formats import FORMATS, to_dict
from interviewer.scoring import score_delivery
from interviewer.session import State, replay
from interviewer.ui.report_view import report_page, review_page
from tests.builders import (
    NOON,
    ScriptedJudge,
    local,
    locals_,
    mini_bank,
    names_it,
    quote,
    recorded,
    settings,
    write_bank,
    write_yaml,
)


def habit(name: str, needs: int) -> dict[str, object]:
    texts = {"title": local(f"Title {name}"), "says": local(f"Says {name}."), "advice": local(f"Do {name}.")}
    lists = {"meets": locals_(f"{name} it is"), "lookalikes": locals_(f"nearly {name}")}
    return {"id": name, "source": "Z V.1", "needs": needs} | {k: v.model_dump() for k, v in (texts | lists).items()}


RUBRIC = DeliveryRubric.model_validate(
    {"criteria": [habit("clear", 1), habit("story", 2)], "plain": locals_("plain").model_dump()}
)


def listening_bank() -> Bank:
    known = mini_bank()
    return Bank(known.questions, known.rubrics, known.exercises, known.hash, RUBRIC)


class Listener:
    """`ports.DeliveryJudge`: a habit is shown where its id is said."""

    name = "listener"
    version = "1"

    def judge(self, transcript: Thread) -> Judgement:
        verdicts = []
        for c in RUBRIC.criteria:
            turn = next((t for t in transcript.answers if c.id in t.text), None)
            outcome = "met" if turn else "not_met"
            evidence = quote(c.id, turn) if turn else None
            verdicts.append(
                Verdict.model_validate({"criterion": c.id, "outcome": outcome, "confidence": 0.9, "evidence": evidence})
            )
        return Judgement(judge=self.name, version=self.version, verdicts=tuple(verdicts))


class Inventor(Listener):
    """Quotes what nobody said."""

    def judge(self, transcript: Thread) -> Judgement:
        heard = tuple(turn.model_copy(update={"text": "clear"}) for turn in transcript.turns)
        return super().judge(transcript.model_copy(update={"turns": heard}))


class Dead(Listener):
    """Fails."""

    def judge(self, transcript: Thread) -> Judgement:
        raise RuntimeError("out of order")


def after(*answers: str, listener: Listener | None = None, language: Language = "en", ended: bool = True) -> State:
    """One interview: the n-th answer goes to the n-th question, each then skipped."""
    gate = LeakGate(names_it)
    conductor = Interviewer(
        listening_bank(),
        MemoryStore(),
        ScriptedJudge(),
        FakeSandbox(),
        gate,
        Phraser(gate),
        delivery=listener or Listener(),
        clock=lambda: NOON,
    )
    session_id = conductor.start(settings(language=language, code=False))
    for text in answers:
        conductor.answer(session_id, text)
        conductor.act(session_id, "skip")
    if ended and conductor.state(session_id).phase != "ended":
        conductor.act(session_id, "end")
    return conductor.advance(session_id)


def report(*answers: str, **how: object) -> Report:
    return make_report("s", after(*answers, **how), listening_bank())  # type: ignore[arg-type]


def test_it_is_recorded_once_after_the_end() -> None:
    """Before it nothing is said about it; looking again adds nothing."""
    assert after("clear", ended=False).delivery is None
    state = after("clear", "more")
    assert state.phase == "ended"
    assert state.delivery is not None


def test_it_is_no_part_of_the_score() -> None:
    """The same interview with another manner has the same score and coverage."""
    one, other = report("first clear story"), report("first")
    assert (one.score, one.percent) == (other.score, other.percent)
    assert one.delivery is not None
    assert other.delivery is not None
    assert (one.delivery.percent, other.delivery.percent) == (100, 0)


def test_words_are_quoted_with_their_question() -> None:
    """The slice of the turn, and where it was said."""
    found = report("first", "so clear")
    assert found.delivery is not None
    row = found.delivery.rows[0]
    assert (row.quote, row.question) == ("clear", "beta")
    said = {turn.seq: turn.text for q in found.questions for turn in q.turns}
    assert said[row.seq or 0][row.start : row.end] == "clear"


def test_silence_counts_only_after_enough_questions() -> None:
    """`story` needs two; what was shown counts at once."""
    short, long, shown = report("first"), report("first", "second"), report("story")
    outcomes = [[row.outcome for row in r.delivery.rows] for r in (short, long, shown) if r.delivery]
    assert outcomes == [["not_met", "unsure"], ["not_met", "not_met"], ["not_met", "met"]]
    assert short.delivery is not None
    assert (short.delivery.score.coverage, short.delivery.percent) == (0.5, 0)


def test_an_interview_without_words_is_not_judged() -> None:
    """There is nothing to go by."""
    assert after().delivery is None


@pytest.mark.parametrize("listener", [Dead(), Inventor()])
def test_a_failing_judge_costs_nothing(listener: Listener) -> None:
    """The interview ends as usual; nothing could be seen."""
    found = report("first", listener=listener)
    assert found.finished
    assert found.delivery is not None
    assert {row.outcome for row in found.delivery.rows} <= {"unsure", "not_met"}
    assert not any(row.quote for row in found.delivery.rows)


def test_older_sessions_have_none() -> None:
    """Their log does not say."""
    assert score_delivery(RUBRIC, State()) is None
    data = to_dict(make_report("s", replay(recorded()), listening_bank()))
    assert data["delivery"] is None


def test_the_json_says_what_was_seen() -> None:
    """A key of its own beside the score."""
    data = json.loads(FORMATS["json"](report("clear")))
    assert set(data["delivery"]) == {"score", "coverage", "answered", "criteria"}
    assert (data["delivery"]["score"], data["delivery"]["coverage"], data["delivery"]["answered"]) == (100, 0.5, 1)
    first, second = data["delivery"]["criteria"]
    assert (first["id"], first["outcome"], first["quote"]) == ("clear", "met", "clear")
    assert (second["outcome"], second["evidence"]) == ("unsure", None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_shows_it(language: Language, capsys: pytest.CaptureFixture[str]) -> None:
    """Markdown, HTML, page, review and terminal, in the session's language, with the candidate's words and no more."""
    words = labels(language)
    found = report("clear <b>&", language=language)
    assert found.delivery is not None
    show_report(found)
    pages = [FORMATS["md"](found), FORMATS["html"](found), report_page(found, {}, language)]
    pages += [review_page(found, {}, language), capsys.readouterr().out]
    for page in pages:
        assert words.delivery in page
        assert words.shown["met"] in page
        assert words.shown["unsure"] in page
    assert words.delivery_apart in delivery_notes(found.delivery, words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_what_it_could_not_see(language: Language) -> None:
    """How many of how many; nothing when all was seen; one sentence when nothing was."""
    words = labels(language)
    part, whole = report("first"), report("clear story")
    assert part.delivery is not None
    assert whole.delivery is not None
    assert words.delivery_coverage.format(seen=1, of=2, answered=1) in delivery_notes(part.delivery, words)
    assert delivery_notes(whole.delivery, words) == words.delivery_apart
    assert "。 " not in delivery_notes(part.delivery, words)
    nothing = report("first", listener=Dead()).delivery
    assert nothing is not None
    assert words.delivery_none in delivery_notes(nothing, words)


def test_the_bank_reads_it(tmp_path: Path) -> None:
    """As one file beside the rubrics; its sources count among the seed's items, its faults are named."""
    corpus, rubrics = write_bank(tmp_path)
    assert read_bank(corpus, rubrics)[0].delivery is None
    path = rubrics / "delivery.yaml"
    write_yaml(path, RUBRIC.model_dump(mode="json", exclude_defaults=True))
    found, faults = read_bank(corpus, rubrics)
    assert (found.delivery, faults) == (RUBRIC, ())
    assert found.sources_found()["003"] == (1, 27)
    path.write_text(path.read_text("utf-8").replace("needs: 1", "needs: 0").replace("Z V.1", "Z V.9"), "utf-8")
    assert any("rubrics/delivery.yaml:" in f and "needs" in f for f in read_bank(corpus, rubrics)[1])
    path.write_text(path.read_text("utf-8").replace("needs: 0", "needs: 1"), "utf-8")
    assert "rubrics/delivery.yaml: clear.source: no seed item 'Z V.9'" in read_bank(corpus, rubrics)[1]


def test_the_shipped_rubric_covers_the_seed(bank: Bank) -> None:
    """Five habits, one for each skill that the second document names."""
    assert bank.delivery is not None
    assert [c.source for c in bank.delivery.criteria] == [f"Z V.{n}" for n in range(1, 6)]
    assert all(len(c.meets.en) >= 12 and len(c.lookalikes.en) >= 10 for c in bank.delivery.criteria)
