"""What is costly is made once: the real bank, the sentence encoder, the judge."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as `wiring` does; numpy reads it when it is first imported

from interviewer.adapters.vector_cache import CachedEmbedder
from interviewer.bank import Bank
from interviewer.config import load_config
from interviewer.judging.ear import phrase_texts
from interviewer.judging.embedded import EmbeddedJudge
from interviewer.ports import Embedder
from interviewer.wiring import open_bank, open_encoder

settings.register_profile("viva", deadline=None, derandomize=True, database=None)
settings.load_profile("viva")

GOLDEN = Path(__file__).with_name("golden")
HEARD = ("zero-grad", "dropout", "attention")
"""The questions whose phrasings the shared judge has embedded."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write the golden files anew instead of comparing")


@pytest.fixture(scope="session")
def bank() -> Bank:
    """The bank that ships."""
    return open_bank(load_config())


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder for the whole session, so that phrasings are embedded once."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def embedder(bank: Bank, data_folder: Path) -> Embedder:
    """The real sentence encoder, knowing the phrasings of the questions in HEARD."""
    embedder = CachedEmbedder(open_encoder(), data_folder / "phrases")
    for q in HEARD:
        embedder.remember(q, phrase_texts(bank.rubrics[q], bank.questions[q]))
    return embedder


@pytest.fixture(scope="session")
def judge(embedder: Embedder) -> EmbeddedJudge:
    """The judge as shipped."""
    return EmbeddedJudge(embedder)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """golden(name, text): the text is what tests/golden/<name> holds. `pytest --write-golden` writes it anew."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--write-golden"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), f"{path.name} differs; read it, then pytest --write-golden"

    return compare
