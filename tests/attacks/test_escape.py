"""What code in the sandbox can reach: each probe of escape/*.py tries one thing, and must be refused.

A probe that returns something true has got out. `process` promises no walls and is not probed, but for one test that
shows why it has to be asked for by name.
"""

from __future__ import annotations

import ast
import functools
import json
import os
import socket
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import interviewer
from interviewer.sandbox import Limits, TorchSandbox, launch

Sandboxes = Callable[[str], TorchSandbox]
FOLDER = Path(__file__).parent / "escape"
WALLED = ("namespaces", "bubblewrap", "docker", "landlock")
SECRET = "viva-test-secret-7f3a"

REPORT = """
import json as _json
for _name, _probe in list(globals().items()):
    if _name.startswith("probe_"):
        try:
            _got = _probe()
            _said = "held" if not _got else f"OPEN: {_got!r}"[:200]
        except OSError as _error:
            _said = f"held: {_error}"[:200]
        except Exception as _error:
            _said = f"BROKEN: {_error!r}"
        print(_json.dumps([_name, _said]), flush=True)
"""


def _probes() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for path in sorted(FOLDER.glob("*.py")):
        functions = [n for n in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(n, ast.FunctionDef)]
        found += [(path.stem, f.name) for f in functions if f.name.startswith("probe_")]
    return found


@pytest.fixture(scope="session")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A file, a TCP listener and two Unix listeners outside, for probes to aim at."""
    folder = tmp_path_factory.mktemp("outside")
    folder.chmod(0o755)
    target = folder / "secret.txt"
    target.write_text("secret")
    abstract = f"viva-attack-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as path,
        socket.socket(socket.AF_UNIX) as name,
    ):
        path.bind(str(folder / "socket"))
        name.bind("\0" + abstract)
        for server in (path, name):
            server.listen()
        yield {
            "@HOST_FILE@": str(target),
            "@PROJECT@": str(Path(interviewer.__path__[0]).parent),
            "@SITE_PACKAGES@": sysconfig.get_path("purelib"),
            "@PORT@": str(tcp.getsockname()[1]),
            "@UNIX_PATH@": str(folder / "socket"),
            "@ABSTRACT@": abstract,
            "@SECRET@": SECRET,
        }


@pytest.fixture(scope="session")
def outcomes(sandboxes: Sandboxes, host: dict[str, str]) -> Callable[[str, str], dict[str, str]]:
    """Runs a file of probes on a backend once; gives each probe's outcome."""

    @functools.cache
    def get(backend: str, name: str) -> dict[str, str]:
        source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
        for mark, value in host.items():
            source = source.replace(mark, value)
        sandbox = sandboxes(backend)
        short, sandbox.limits = sandbox.limits, Limits()  # limits travel with each run; forty probes need more than one
        result = sandbox.run(source, examples=REPORT)
        sandbox.limits = short
        assert result.verdict == "passed", result
        return dict(json.loads(line) for line in result.stdout.splitlines() if line.startswith('["probe_'))

    os.environ["VIVA_TEST_SECRET"] = SECRET
    return get


@pytest.mark.parametrize("backend", WALLED)
@pytest.mark.parametrize(("name", "probe"), _probes())
def test_a_probe_is_refused(
    outcomes: Callable[[str, str], dict[str, str]], backend: str, name: str, probe: str
) -> None:
    """The attempt fails, by an error of the system's or by finding nothing."""
    outcome = outcomes(backend, name)[probe]
    assert outcome.startswith("held"), f"{probe} on {backend}: {outcome}"


def test_nothing_outside_has_changed(outcomes: Callable[[str, str], dict[str, str]], host: dict[str, str]) -> None:
    """After all probes the host's folder holds what it held."""
    for backend in WALLED:
        if launch.probe(backend) is None:
            outcomes(backend, "files")
    folder = Path(host["@HOST_FILE@"]).parent
    assert sorted(path.name for path in folder.iterdir()) == ["secret.txt", "socket"]
    assert Path(host["@HOST_FILE@"]).read_text() == "secret"
    assert not (Path(host["@SITE_PACKAGES@"]) / "planted.pth").exists()


def test_process_is_no_boundary(sandboxes: Sandboxes, host: dict[str, str]) -> None:
    """The backend `process` reads the host's files: it must never be chosen unasked."""
    result = sandboxes("process").run(f"print(open({host['@HOST_FILE@']!r}).read())")
    assert result.stdout == "secret\n"
