"""Drafts -> a folder of YAML files: whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from interviewer.drafts import Draft, read_draft
from interviewer.errors import OperatorError, UsageError
from interviewer.yaml_source import yaml_text

HEADER = """\
# A draft: imported, in one language, used only in interviews that ask for drafts.
# Each point became a criterion; mend what it says, and add `probe` and `hint` in the same language if you like.
# rubrics/README.md explains what turns it into a question of the bank.
"""


def write_drafts(drafts: Sequence[Draft], folder: Path) -> tuple[Path, ...]:
    """Write one file a draft into `folder`, which must not exist yet; the paths.

    Everything is written beside it and read again first, then the folder gets its name in one step. UsageError when
    it exists, OperatorError when it cannot be written; then nothing remains.
    """
    if folder.exists() or folder.is_symlink():
        raise UsageError(
            f"{folder} exists: this list was imported before", hint="delete that folder, or rename the file"
        )
    temporary: Path | None = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=".importing-", dir=folder.parent))
        for draft in drafts:
            path = temporary / f"{draft.id}.yaml"
            path.write_text(HEADER + yaml_text(_plain(draft)), encoding="utf-8", newline="\n")
            if read_draft(path)[0] != draft:
                raise OperatorError(f"{draft.source}: what was written does not read back", hint="report this file")
        temporary.chmod(0o755)
        temporary.rename(folder)
    except OSError as error:
        raise OperatorError(f"{folder}: cannot be written: {error.strerror}", hint="choose another --out") from error
    finally:
        if temporary is not None and temporary.exists():
            shutil.rmtree(temporary, ignore_errors=True)
    return tuple(folder / f"{draft.id}.yaml" for draft in drafts)


def _plain(draft: Draft) -> dict[str, object]:
    return draft.model_dump(mode="json", exclude_none=True)
