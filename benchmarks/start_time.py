"""How long until the page is up: a first start with an empty data folder, and a second one with the same folder.

    python -m benchmarks.start_time

Printed beside `import gradio` in a fresh process, measured in the same run, since absolute times are the machine's.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.machine import describe
from benchmarks.turn_latency import server

BAR_FIRST, BAR_SECOND = 30.0, 10.0


def seconds_to_page(folder: Path) -> float:
    """Seconds from the command to the first answer of the page's server."""
    before = time.perf_counter()
    with server(folder):
        return time.perf_counter() - before


def main() -> int:
    before = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import gradio"], check=True)
    gradio = time.perf_counter() - before
    with tempfile.TemporaryDirectory(prefix="viva-bench-") as name:
        first, second = seconds_to_page(Path(name)), seconds_to_page(Path(name))
    figures = {
        "machine": describe(),
        "first_s": round(first, 1),
        "second_s": round(second, 1),
        "import_gradio_s": round(gradio, 1),
        "first_ratio": round(first / gradio, 1),
        "second_ratio": round(second / gradio, 1),
        "met": first <= BAR_FIRST and second <= BAR_SECOND,
    }
    print(json.dumps(figures, indent=1))
    return 0 if figures["met"] else 1


if __name__ == "__main__":
    sys.exit(main())
