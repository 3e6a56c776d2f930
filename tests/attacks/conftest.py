"""One running sandbox for each backend that works here, shared by all attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from interviewer.sandbox import Limits, TorchSandbox
from interviewer.sandbox.launch import probe

LIMITS = Limits(wall_seconds=20.0, call_seconds=2.0, cpu_seconds=2)


@pytest.fixture(scope="session")
def sandboxes() -> Iterator[Callable[[str], TorchSandbox]]:
    """Gives the sandbox of a backend; skips where the machine cannot have it."""
    running: dict[str, TorchSandbox] = {}

    def get(backend: str) -> TorchSandbox:
        fault = probe(backend)
        if fault is not None:
            pytest.skip(f"{backend} does not work here: {fault}")
        if backend not in running:
            running[backend] = TorchSandbox(LIMITS, backend=backend)
        return running[backend]

    yield get
    for sandbox in running.values():
        sandbox.close()
