"""The command line, one file a group of commands. Nothing heavy is imported until a command needs it."""

from __future__ import annotations

from interviewer.cli import bank, chat, machine, sandbox, sessions  # noqa: F401 - each adds its commands to `app`
from interviewer.cli.command import Json, app, as_language, as_level, as_list, progress_bar, put_json

__all__ = ["Json", "app", "as_language", "as_level", "as_list", "progress_bar", "put_json"]
