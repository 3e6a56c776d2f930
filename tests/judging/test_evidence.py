"""No quote, no credit: invented evidence is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.domain import Evidence, Heard, Thread, Turn, Verdict
from interviewer.judging.evidence import is_verbatim, refuse_invented
from tests.builders import judgement, quote, thread, verdict


@given(st.text(st.characters(), min_size=1, max_size=100), st.data())
def test_every_slice_is_verbatim(text: str, data: st.DataObject) -> None:
    """Whatever the text is made of."""
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert is_verbatim(Evidence(seq=2, start=start, end=end, quote=text[start:end]), thread(text))


@pytest.mark.parametrize(
    "invented",
    [
        Evidence(seq=2, start=0, end=4, quote="They"),
        Evidence(seq=2, start=1, end=5, quote="they"),
        Evidence(seq=2, start=0, end=5, quote="they"),
        Evidence(seq=4, start=0, end=4, quote="they"),
        Evidence(seq=9, start=0, end=4, quote="they"),
        Evidence(seq=2, start=90, end=94, quote="they"),
    ],
)
def test_what_was_not_said_there_is_no_quote(invented: Evidence) -> None:
    """Other words, another place, another turn."""
    assert not is_verbatim(invented, thread("they add up", "I see"))


@pytest.mark.parametrize(
    ("role", "kind"), [("interviewer", "probe"), ("candidate", "code"), ("candidate", "dont_know")]
)
def test_only_answers_can_be_quoted(role: str, kind: str) -> None:
    """Not the interviewer's own words, and not code."""
    turn = Turn.model_validate({"seq": 2, "role": role, "kind": kind, "text": "they add up"})
    assert not is_verbatim(quote("add", turn), Thread(question="alpha", turns=(turn,)))


def test_an_invented_quote_becomes_unsure() -> None:
    """Unscored rather than wrong; the others stay."""
    said = thread("first things")
    kept = refuse_invented(judgement(verdict("first"), verdict("second"), verdict("third", "not_met")), said)
    assert [(v.criterion, v.outcome) for v in kept.verdicts] == [
        ("first", "met"),
        ("second", "unsure"),
        ("third", "not_met"),
    ]
    assert kept.verdicts[1] == Verdict(criterion="second", outcome="unsure", confidence=0, reason="invented quote")


def test_an_invented_misconception_is_dropped() -> None:
    """Nobody loses points for what was not said."""
    said = thread("off-track it is")
    real, invented = (
        Heard(misconception=name, confidence=1, evidence=Evidence(seq=2, start=0, end=9, quote=name))
        for name in ("off-track", "wrong-way")
    )
    assert refuse_invented(judgement(beliefs=(real, invented)), said).heard == (real,)
