"""One browser and one server for all journeys. Every page is watched: no console error, no request to elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from interviewer.bank import Bank
from interviewer.wiring import Viva
from tests.browser.install import find
from tests.ui.installation import make_viva

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass(frozen=True)
class Server:
    """A running page over an installation."""

    viva: Viva
    url: str

    def link(self, session: str) -> str:
        return f"{self.url}?session={session}"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, headless; without one the journeys are skipped with the reason."""
    path = find()
    if path is None:
        pytest.skip("no Chromium found; try: python tests/browser/install.py")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield found
        found.close()


@pytest.fixture(scope="session")
def server(bank: Bank, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The real page, bank and database; the judge and the sandbox do as they are told."""
    from interviewer.ui.launch import start

    with make_viva(bank, tmp_path_factory.mktemp("browser")) as viva:
        demo, url = start(viva)
        yield Server(viva, url)
        demo.close(verbose=False)


Open = Callable[..., "Page"]


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[Open]:
    """open_page(width=, dark=, locale=, address=): a page of its own, watched until the test ends."""
    faults: list[str] = []
    contexts: list[Any] = []

    def watch(request: Any) -> None:
        if not request.url.startswith(("http://127.0.0.1", "data:", "blob:")):
            faults.append(f"request to {request.url}")

    def make(*, width: int = 1280, dark: bool = False, locale: str = "en-US", address: str = "") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 844}, color_scheme="dark" if dark else "light", locale=locale
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("request", watch)
        page.on("pageerror", lambda error: faults.append(f"exception: {error}"))
        page.on(
            "console", lambda message: faults.append(f"console: {message.text}") if message.type == "error" else None
        )
        page.goto(address or server.url)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not faults, faults
