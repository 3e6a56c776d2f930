"""viva chat by hand, and how an interview is drawn."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from interviewer.cli.terminal import HELP, STYLE, show_report
from interviewer.domain import LANGUAGES, Language
from interviewer.ports import Embedder
from interviewer.report_formats import SIGN
from tests.small_report import small_report


def test_an_interview_can_be_left_and_continued(embedder: Embedder, content: Path, data_folder: Path) -> None:
    """A wrong command is answered calmly, a question repeated, and at the end of input the way back is shown."""
    ran = subprocess.run(
        [sys.executable, "-m", "interviewer", "chat", "--lang", "ru", "--questions", "zero-grad", "--no-code"],
        input="/dance\n/repeat\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        env={
            **os.environ,
            "VIVA_DATA": str(data_folder),
            "VIVA_CORPUS": str(content / "corpus"),
            "VIVA_RUBRICS": str(content / "rubrics"),
            "PYTHONIOENCODING": "utf-8",
        },
    )
    assert ran.returncode == 0, ran.stderr
    assert "no action 'dance'" in ran.stdout
    assert ran.stdout.count("zero_grad()") >= 1
    assert "viva chat --session" in ran.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_is_drawn(capsys: pytest.CaptureFixture[str], language: Language) -> None:
    """Headline, criteria, quotes; the candidate's markup is text."""
    show_report(small_report(language, said="first [bold]half-second[/bold] [/] off-track"))
    out = capsys.readouterr().out
    assert "half-second" in out
    assert "69" in out
    assert "first" in out


def test_every_outcome_has_a_colour_and_a_sign() -> None:
    """The same set."""
    assert set(STYLE) == set(SIGN)


def test_help_is_in_every_language() -> None:
    """With the same commands."""
    commands = [set(re.findall(r"/[a-z-]+", HELP[language])) for language in LANGUAGES]
    assert commands[0] == commands[1] == commands[2]
    assert {"/hint", "/skip", "/dont-know", "/repeat", "/end", "/run", "/submit", "/starter"} <= commands[0]
