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
from interviewer.labels import SIGN
from interviewer.ports import Embedder
from tests.small_report import small_report


@pytest.fixture
def viva_folder(embedder: Embedder, content: Path, data_folder: Path) -> dict[str, str]:
    """The environment of the small installation, its phrasings embedded."""
    folders = {"VIVA_DATA": data_folder, "VIVA_CORPUS": content / "corpus", "VIVA_RUBRICS": content / "rubrics"}
    return {**os.environ, **{name: str(path) for name, path in folders.items()}, "PYTHONIOENCODING": "utf-8"}


def test_an_interview_can_be_left_and_continued(viva_folder: dict[str, str]) -> None:
    """A wrong command is answered calmly, a question repeated, and at the end of input the way back is shown."""
    ran = subprocess.run(
        [sys.executable, "-m", "interviewer", "chat", "--lang", "ru", "--questions", "zero-grad", "--no-code"],
        input="/dance\n/help\n/repeat\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        env=viva_folder,
    )
    assert ran.returncode == 0, ran.stderr
    assert "no action 'dance'" in ran.stdout
    assert ran.stdout.count("/dont-know") == 2
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


@pytest.mark.parametrize("exam", [False, True])
def test_practice_tells_after_each_question(viva_folder: dict[str, str], exam: bool) -> None:
    """How it went, before the next question; an exam keeps it for the end."""
    options = ["--questions", "zero-grad,dropout", "--no-code", *(["--exam"] if exam else [])]
    ran = subprocess.run(
        [sys.executable, "-m", "interviewer", "chat", *options],
        input="/skip\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        env=viva_folder,
    )
    before_second = ran.stdout.split("2/2")[0]
    assert ("┃" in before_second) is not exam
