"""Settings: the only reader of the environment and of folder locations."""

from __future__ import annotations

import ipaddress
import os
import sys
from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from interviewer.errors import OperatorError

Isolation = Literal["process", "landlock", "docker", "bubblewrap", "namespaces"]
"""The sandbox's backends, weakest first. `process` is no wall: it is for one's own code on one's own machine."""


def _user_data() -> Path:
    """Where this platform keeps an application's data for one user."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "viva"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "viva"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "viva"


def _content(name: str) -> Path:
    """A content folder: beside the package in a checkout, inside it when installed."""
    package = Path(__file__).parent
    beside = package.parent / name
    return beside if beside.is_dir() else package / "content" / name


def is_own_machine(host: str) -> bool:
    """Whether only this machine can reach a server there, so that everything on it is its user's own."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Config(BaseSettings):
    """How this installation runs. Each field is VIVA_<NAME> in the environment, but for the OpenAI ones."""

    model_config = SettingsConfigDict(env_prefix="VIVA_", frozen=True, extra="ignore", populate_by_name=True)

    data: Path = Field(default_factory=_user_data, description="Folder for sessions and the index.")
    corpus: Path = Field(default_factory=lambda: _content("corpus"))
    rubrics: Path = Field(default_factory=lambda: _content("rubrics"))
    database: str = Field(default="", description="SQLAlchemy URL; empty is SQLite in the data folder.")
    chroma_host: str = Field(default="", description="host:port of a Chroma server; empty is the embedded store.")
    host: str = "127.0.0.1"
    port: int = Field(default=7860, ge=0, le=65535)
    backend: Isolation | None = Field(default=None, description="Sandbox backend; None takes the strongest that works.")
    minimum_isolation: Isolation = "landlock"
    docker_image: str = Field(
        default="", description="Image with Python and torch for the backend docker; empty binds the host's own."
    )
    device: Literal["auto", "cpu", "cuda"] = Field(
        default="auto",
        description="Where code is checked: the CPU, and a GPU too where one is there and can be reached.",
    )
    llm: str = Field(default="", description="Model that phrases follow-ups; empty leaves them as authored.")
    llm_deadline: float = Field(default=8.0, gt=0, le=120, description="Seconds a phrasing may take.")
    openai_base_url: str = Field(default="", validation_alias=AliasChoices("OPENAI_BASE_URL"))
    openai_api_key: SecretStr = Field(default=SecretStr(""), validation_alias=AliasChoices("OPENAI_API_KEY"))

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{self.data / 'viva.db'}"


def load_config(**overrides: object) -> Config:
    """Settings from the environment, `overrides` first. OperatorError names the variable that is wrong."""
    try:
        return Config(**{k: v for k, v in overrides.items() if v is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        rows = [
            f"VIVA_{'.'.join(map(str, e['loc'])).upper()}: {e['msg']} (found {e['input']!r:.80})"
            for e in error.errors()
        ]
        raise OperatorError(
            "the settings are wrong: " + "; ".join(rows), hint="mend the environment variable"
        ) from None
