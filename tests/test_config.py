"""Settings from the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.config import load_config
from interviewer.errors import OperatorError


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without anything of ours."""
    for name in (
        "DATA",
        "CORPUS",
        "RUBRICS",
        "DATABASE",
        "HOST",
        "PORT",
        "LLM",
        "LLM_DEADLINE",
        "BACKEND",
        "CHROMA_HOST",
    ):
        monkeypatch.delenv(f"VIVA_{name}", raising=False)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "VIVA_MINIMUM_ISOLATION"):
        monkeypatch.delenv(name, raising=False)


def test_nothing_needs_to_be_set() -> None:
    """Loopback only, no model, isolation demanded, the shipped content."""
    config = load_config()
    assert (config.host, config.port, config.llm, config.minimum_isolation) == ("127.0.0.1", 7860, "", "landlock")
    assert (config.corpus / "questions").is_dir()
    assert config.rubrics.is_dir()


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """VIVA_<NAME>, and OpenAI's own names."""
    monkeypatch.setenv("VIVA_DATA", str(tmp_path))
    monkeypatch.setenv("VIVA_PORT", "1234")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    config = load_config()
    assert (config.data, config.port, config.openai_base_url) == (tmp_path, 1234, "http://127.0.0.1:1/v1")
    assert config.database_url == f"sqlite:///{tmp_path}/viva.db"


def test_another_database_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its URL goes through as it is."""
    monkeypatch.setenv("VIVA_DATABASE", "postgresql+psycopg://u@h/db")
    assert load_config().database_url == "postgresql+psycopg://u@h/db"


def test_the_data_folder_follows_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """XDG_DATA_HOME where it is set."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert load_config().data.is_relative_to(tmp_path) or load_config().data.name == "viva"


def test_overrides_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """An option of the command line beats the environment; None leaves it."""
    monkeypatch.setenv("VIVA_PORT", "1234")
    assert load_config(port=1, host=None).port == 1
    assert load_config(port=None).port == 1234


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("VIVA_PORT", "many"),
        ("VIVA_PORT", "70000"),
        ("VIVA_LLM_DEADLINE", "0"),
        ("VIVA_BACKEND", "magic"),
        ("VIVA_MINIMUM_ISOLATION", "none"),
    ],
)
def test_a_wrong_value_is_the_operators(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """The error names the variable and the value."""
    monkeypatch.setenv(name, value)
    with pytest.raises(OperatorError) as caught:
        load_config()
    assert f"{name}: " in caught.value.what
    assert f"'{value}'" in caught.value.what
    assert caught.value.hint


def test_the_key_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by str nor by repr."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    config = load_config()
    assert "sk-secret" not in f"{config} {config!r}"
    assert config.openai_api_key.get_secret_value() == "sk-secret"


def test_settings_are_frozen() -> None:
    """Nothing changes them while Viva runs."""
    with pytest.raises(ValueError, match="frozen"):
        load_config().port = 1
