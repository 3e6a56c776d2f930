"""Keeps the sandbox's own modules in memory, so that they can be imported where their files cannot be seen."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType


class Bundle(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finder and loader of modules whose sources it has read."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.sources = sources

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self.sources:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=f"{fullname}.py")

    def get_source(self, fullname: str) -> str:
        return self.sources[fullname]


def remember(names: Sequence[str]) -> None:
    """Read these modules of this package now and import them from memory later."""
    folder = Path(__file__).parent
    package = __name__.rpartition(".")[0]
    sources = {f"{package}.{name}": (folder / f"{name}.py").read_text(encoding="utf-8") for name in names}
    sys.meta_path.insert(0, Bundle(sources))
