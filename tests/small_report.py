"""One small interview with everything in it that a report can show."""

from __future__ import annotations

from interviewer.adapters.fakes import MemoryStore
from interviewer.domain import Language
from interviewer.report import Report, make_report
from tests.builders import WRONG, interviewer, mini_bank, settings

SAID = "first, half-second & <b>off-track</b>"


def small_report(language: Language = "en", said: str = SAID, code: str = WRONG) -> Report:
    """One question talked through with a hint, follow-ups and "I don't know"; one with code that fails and is left."""
    conductor = interviewer(store=MemoryStore())
    session_id = conductor.start(settings(language=language))
    conductor.answer(session_id, said)
    conductor.act(session_id, "hint")
    conductor.answer(session_id, "third now")
    conductor.act(session_id, "dont_know")
    conductor.answer(session_id, "first second third")
    conductor.submit_code(session_id, code)
    state = conductor.act(session_id, "skip")
    return make_report("the-session", state, mini_bank())
