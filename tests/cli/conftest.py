"""The command line on a small installation: three real questions, one data folder for the session."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from interviewer.__main__ import main
from interviewer.config import load_config
from interviewer.ports import Embedder
from tests.conftest import HEARD


@dataclass(frozen=True)
class Ran:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON object it is to be."""
        return json.loads(self.out)


Viva = Callable[..., Ran]


@pytest.fixture(scope="session")
def content(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the content of the questions in HEARD: corpus/ and rubrics/."""
    shipped, folder = load_config(), tmp_path_factory.mktemp("content")
    for name in HEARD:
        for source, target in ((shipped.corpus / "questions", "corpus/questions"), (shipped.rubrics, "rubrics")):
            (folder / target).mkdir(parents=True, exist_ok=True)
            shutil.copy(source / f"{name}.yaml", folder / target)
        if (shipped.corpus / "exercises" / name).is_dir():
            shutil.copytree(shipped.corpus / "exercises" / name, folder / "corpus/exercises" / name)
    return folder


@pytest.fixture
def viva(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: Path, data_folder: Path) -> Viva:
    """viva("sessions", "--json"): the command's exit status and output, on the small installation."""
    for name, value in (("DATA", data_folder), ("CORPUS", content / "corpus"), ("RUBRICS", content / "rubrics")):
        monkeypatch.setenv(f"VIVA_{name}", str(value))
    for name in ("VIVA_LLM", "VIVA_DATABASE", "VIVA_CHROMA_HOST"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        code: object = 0
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code
        output = capsys.readouterr()
        return Ran(code if isinstance(code, int) else int(code is not None), output.out, output.err)

    return run


@pytest.fixture
def listening(viva: Viva, embedder: Embedder) -> Viva:
    """The same with phrasings that are embedded already."""
    return viva
