"""Takes the README's pictures: `python docs/screenshots.py [FOLDER]` writes them to docs/images or to FOLDER.

A page of its own on a free port, with its data in a temporary folder, the real judge and the real sandbox: what the
pictures show was really said, run and scored. Needs a Chromium; `python tests/browser/install.py` finds or gets one.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from interviewer.domain import Language
    from interviewer.interview import Interviewer
    from interviewer.wiring import Viva

IMAGES = Path(__file__).with_name("images")
SYSTEM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
SETTLED = "!document.querySelector('.viva-loading, .doing') && document.querySelector('.msg.question, .report')"

ZERO_GRAD = (
    "backward() adds to .grad, it never overwrites. Without clearing, every step uses the sum of all earlier batches"
    " and points in a stale direction, and nothing raises. I clear once per update, after step() and before the"
    " next backward(). By default that sets .grad to None, so the optimizer skips the parameter; with zeros momentum"
    " and weight decay still move it."
)
DROPOUT = (
    "In training it zeroes each element with probability p, a new mask every time, and divides the survivors by 1 - p,"
    " so that the expected value stays. It regularises: units cannot co-adapt. In eval the layer is the identity."
    " F.dropout does not know the module's mode: its training flag is True by default, so I pass self.training."
)
ATTENTION = (
    "The query is compared with every key by a dot product, softmax turns that into weights, and the output is the"
    " weighted sum of the values. Scores are divided by sqrt(d), or softmax saturates and gradients vanish."
)
MASK = "Before the softmax I put minus infinity where the mask forbids, so those weights are exactly zero."
RUSSIAN = "Градиенты накапливаются: backward прибавляет, а не перезаписывает."

SOLUTION = """import torch
from torch import nn


class Dropout(nn.Module):
    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"bad p: {p}")
        self.p = p

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training:
            return x
        keep = torch.rand_like(x) >= self.p
        return torch.where(keep, x, 0)
"""
FINISHED = SOLUTION.replace("x, 0)", "x / max(1 - self.p, 1e-9), 0)")


def begin(interviewer: Interviewer, language: Language, *questions: str) -> str:
    """A new interview about these questions."""
    from interviewer.events import Settings

    return interviewer.start(Settings(language=language, questions=questions, count=len(questions)))


def talk(interviewer: Interviewer, session: str, *answers: str) -> None:
    """Say one after the other, then know no more until the talk about this question is over."""
    asked = len(interviewer.state(session).questions)
    said = iter(answers)
    while (state := interviewer.state(session)).phase == "asking" and len(state.questions) == asked:
        answer = next(said, "")
        if answer:
            interviewer.answer(session, answer)
        else:
            interviewer.act(session, "dont_know")


def open_page(browser: Browser, url: str, session: str, *, phone: bool = False) -> Page:
    """The interview as the candidate sees it, once nothing moves any more."""
    size = {"width": 390, "height": 844} if phone else {"width": 1280, "height": 900}
    page = browser.new_page(viewport=size, color_scheme="dark" if phone else "light")  # type: ignore[arg-type]
    page.goto(f"{url}?session={session}")
    page.wait_for_function(SETTLED)
    page.wait_for_timeout(1_500)
    return page


def shoot(browser: Browser, url: str, viva: Viva, folder: Path) -> None:
    """Play the interviews and take the pictures."""
    interviewer = viva.interviewer
    session = begin(interviewer, "en", "zero-grad", "dropout", "attention")
    talk(interviewer, session, ZERO_GRAD)
    talk(interviewer, session, DROPOUT)
    interviewer.submit_code(session, SOLUTION)
    page = open_page(browser, url, session)
    page.evaluate("document.querySelector('#viva-code').scrollIntoView({block: 'start'})")
    page.wait_for_timeout(500)
    page.screenshot(path=folder / "interview.png")

    interviewer.submit_code(session, FINISHED)
    talk(interviewer, session, ATTENTION, MASK)
    interviewer.submit_code(session, viva.bank.exercises["attention"].reference)
    page = open_page(browser, url, session)
    page.screenshot(path=folder / "report.png")

    session = begin(interviewer, "ru", "zero-grad", "dropout", "attention")
    interviewer.answer(session, RUSSIAN)
    page = open_page(browser, url, session, phone=True)
    page.evaluate("window.scrollTo(0, 0)")
    page.screenshot(path=folder / "phone-ru.png")


def main(folder: Path) -> None:
    """Serve, play, shoot."""
    from playwright.sync_api import sync_playwright

    from interviewer import wiring
    from interviewer.config import load_config
    from interviewer.ui.launch import start

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="viva-pictures-") as data:
        config = load_config(data=Path(data), host="127.0.0.1", port=0, llm="")
        path = next(filter(None, map(shutil.which, SYSTEM)), None)
        with wiring.build(config) as viva, sync_playwright() as playwright:
            demo, url = start(viva)
            browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
            shoot(browser, url, viva, folder)
            browser.close()
            demo.close(verbose=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)
