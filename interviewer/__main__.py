"""Command line: `viva`. JSON goes to stdout, messages for people to stderr; exit 0 ok, 1 findings, 2 usage."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from interviewer.errors import VivaError


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command: `arguments`, or the process's own. A VivaError becomes a message on stderr and exit status 2."""
    from interviewer.cli import app, bank, chat, imports, machine, sandbox, sessions  # noqa: F401 - each adds its commands to app

    try:
        app(arguments)
    except VivaError as error:
        print(f"viva: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
