"""Opens the page: offline, on one address, with what it needs started in the background."""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
from typing import TYPE_CHECKING, Any

from interviewer.config import Config, is_own_machine
from interviewer.errors import OperatorError
from interviewer.ui.theme import css, head, theme

if TYPE_CHECKING:
    import gradio as gr

    from interviewer.wiring import Viva

log = logging.getLogger("viva.ui")

QUIET = {
    "GRADIO_ANALYTICS_ENABLED": "False",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "GRADIO_ANALYTICS_CACHE_FREQUENCY": "1000000000",
}
"""Nothing here reports to anybody. Gradio reads its first variable when it is imported; without the last it sums up
every event since the start after each event, for a monitoring page that is off."""


def serve(config: Config) -> None:
    """Build what is needed, open the page and stay.

    OperatorError when the address is taken, or open to others while the sandbox may be too weak for their code.
    """
    from interviewer import wiring
    from interviewer.cli import progress_bar

    os.environ.update(QUIET)
    refuse_weak_isolation(config)
    refuse_taken(config.host, config.port)
    with progress_bar() as progress:
        viva = wiring.build(config, progress)
    with viva:
        demo, url = start(viva)
        print(f"Viva is open at {url}", file=sys.stderr, flush=True)
        demo.block_thread()


def start(viva: Viva) -> tuple[gr.Blocks, str]:
    """Launch the page without waiting for it to end; returns it with its address."""
    os.environ.update(QUIET)
    from interviewer.ui.page import build_page

    threading.Thread(target=_warm, args=(viva,), daemon=True).start()
    demo = build_page(viva)
    demo.queue(default_concurrency_limit=16)
    try:
        _, url, _ = demo.launch(
            server_name=viva.config.host,
            server_port=viva.config.port or free_port(viva.config.host),
            **look(),
        )
    except OSError as error:
        raise taken(viva.config.host, viva.config.port, str(error)) from error
    return demo, url


def look() -> dict[str, Any]:
    """Launch options that make the page ours and keep it on this machine."""
    return {
        "theme": theme(),
        "css": css(),
        "head": head(),
        "footer_links": [],
        "run_history": False,
        "quiet": True,
        "share": False,
        "show_error": False,
        "prevent_thread_lock": True,
        "ssr_mode": False,
        "enable_monitoring": False,
        "max_file_size": "64kb",  # nothing here takes a file, but Gradio's upload address is there all the same
        "max_threads": 64,
    }


def refuse_weak_isolation(config: Config) -> None:
    """OperatorError when others could send code to a sandbox that does not keep it from this machine's files."""
    if not is_own_machine(config.host) and "process" in (config.backend, config.minimum_isolation):
        raise OperatorError(
            f"other machines can reach {config.host}, and the sandbox may run their code without a wall",
            hint="unset VIVA_BACKEND and VIVA_MINIMUM_ISOLATION (at least landlock), or listen on 127.0.0.1 only",
        )


def refuse_taken(host: str, port: int) -> None:
    """OperatorError, before anything is built, when another program listens there."""
    if not port:
        return
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise taken(host, port, error.strerror or str(error)) from None


def taken(host: str, port: int, why: str) -> OperatorError:
    """The error for an address that cannot be listened on."""
    return OperatorError(
        f"cannot open the page at http://{host}:{port}: {why}",
        hint="stop what is running there, or choose another port: viva serve --port 7861 (or VIVA_PORT=7861)",
    )


def free_port(host: str) -> int:
    """A port nobody listens on, for port 0."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def _warm(viva: Viva) -> None:
    """Start the sandbox and read the rubrics now, so that the first run and the first answer do not wait."""
    warm = getattr(viva.sandbox, "warm", None)
    if callable(warm):
        try:
            warm()
        except OperatorError as error:
            log.warning("the sandbox is not ready, code cannot be run: %s", error)
    viva.prepare()
