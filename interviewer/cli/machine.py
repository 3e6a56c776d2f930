"""viva doctor, viva serve."""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Annotated, Any

import typer

from interviewer import __version__
from interviewer.cli import Json, app, put_json
from interviewer.config import Config, load_config


@app.command()
def doctor(
    sandbox: Annotated[
        bool, typer.Option("--sandbox", help="Try every promise of the sandbox, on its backend.")
    ] = False,
    json_: Json = False,
) -> None:
    """What works on this machine. Exit 1 when something needed does not, or a promise of the sandbox does not hold."""
    config = load_config()
    if sandbox:
        raise typer.Exit(_promises(config, as_json=json_))
    rows = [_look(name, needed, look, config) for name, needed, look in LOOKS]
    if json_:
        put_json({"viva": __version__, "python": platform.python_version(), "system": _system(), "checks": rows})
    else:
        print(f"Viva {__version__}, Python {platform.python_version()}, {_system()}")
        for row in rows:
            print(f"  {'ok  ' if row['ok'] else 'FAIL' if row['needed'] else 'off '} {row['name']:11} {row['detail']}")
    raise typer.Exit(1 if any(row["needed"] and not row["ok"] for row in rows) else 0)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535)] = None,
) -> None:
    """Open the page."""
    from interviewer.ui.launch import serve as serve_page

    serve_page(load_config(host=host, port=port))


def _promises(config: Config, *, as_json: bool) -> int:
    """Show what each promise of the sandbox comes to; the exit status."""
    from dataclasses import asdict

    from interviewer.sandbox.self_check import self_check
    from interviewer.wiring import open_sandbox

    with open_sandbox(config) as sandbox:
        backend, layers = sandbox.describe()
        rows = self_check(sandbox)
        backends = sandbox.survey()
    if as_json:
        put_json(
            {"backend": backend, "layers": layers, "promises": [asdict(row) for row in rows], "backends": backends}
        )
    else:
        print(f"{backend}: {', '.join(layers)}")
        for row in rows:
            print(f"  {_MARKS[row.holds]} {row.promise:34} {row.detail}")
        print("backends of this machine, strongest first:")
        for name, fault in backends.items():
            print(f"  {'off ' if fault else 'ok  '} {name:34} {fault or ('in use' if name == backend else 'works')}")
    return 1 if any(row.holds is False for row in rows) else 0


_MARKS = {True: "ok  ", False: "FAIL", None: "-   "}


def _look(name: str, needed: bool, look: Callable[[Config], str], config: Config) -> dict[str, Any]:
    try:
        return {"name": name, "needed": needed, "ok": True, "detail": look(config)}
    except Exception as error:  # whatever is broken is what the doctor reports
        return {"name": name, "needed": needed, "ok": False, "detail": f"{type(error).__name__}: {error}"}


def _system() -> str:
    return f"{platform.system()} {platform.release()} {platform.machine()}"


def _content(config: Config) -> str:
    from interviewer.wiring import open_bank

    bank = open_bank(config)
    return f"{len(bank.questions)} questions, {len(bank.exercises)} exercises"


def _store(config: Config) -> str:
    from interviewer.wiring import open_store

    sessions = open_store(config).sessions(10_000)
    return f"{config.database.split('@')[-1] or config.data / 'viva.db'}, {len(sessions)} session(s)"


def _embeddings(config: Config) -> str:
    from interviewer.wiring import open_encoder

    embedder = open_encoder()
    length = float((embedder.embed(["ready"])[0] ** 2).sum() ** 0.5)
    return f"{embedder.name}, {embedder.dimension} wide, length {length:.3f}"


def _index(config: Config) -> str:
    import chromadb

    where = config.chroma_host or str(config.data / "chroma")
    return f"chromadb {chromadb.__version__} at {where}"


def _sandbox(config: Config) -> str:
    from interviewer.wiring import open_sandbox

    with open_sandbox(config) as sandbox:
        result = sandbox.run("import torch; print(torch.__version__, float(torch.ones(2).sum()))")
        if result.verdict != "passed":
            raise RuntimeError(f"{result.verdict}: {result.reason} {result.message}")
        return f"torch {result.stdout.split()[0]}, {result.backend}: {', '.join(result.layers)}"


def _page(config: Config) -> str:
    from importlib.metadata import version

    return f"gradio {version('gradio')}, http://{config.host}:{config.port}"


def _model(config: Config) -> str:
    if not config.llm:
        raise RuntimeError("no model is set (VIVA_LLM): follow-ups are said as authored")
    from interviewer.ports import ModelError
    from interviewer.wiring import open_llm

    llm = open_llm(config)
    assert llm is not None
    try:
        reply = "".join(llm.stream("Answer with one word.", "Say: ready", timeout=config.llm_deadline))
    except ModelError as error:
        raise RuntimeError(f"{config.llm}: {error}") from error
    return f"{config.llm} answers {reply.strip()[:40]!r}"


LOOKS: tuple[tuple[str, bool, Callable[[Config], str]], ...] = (
    ("content", True, _content),
    ("store", True, _store),
    ("embeddings", True, _embeddings),
    ("index", True, _index),
    ("sandbox", True, _sandbox),
    ("page", True, _page),
    ("model", False, _model),
)
