"""How long a turn takes: an answer in, the next interviewer text out, through the HTTP API of a running server, warm.

    python -m benchmarks.turn_latency [--turns 90]

Embedded judge, no model. Printed beside the time it takes to embed the same answers once in this process, since
absolute times are the machine's.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", str(min(2, os.cpu_count() or 1)))

import httpx

from benchmarks.machine import describe
from evals.case_files import Case, read_cases

BAR_P50, BAR_P95 = 0.120, 0.300
START_SECONDS = 120


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """A server of its own on a free port, data in `folder`; ended with the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "VIVA_DATA": str(folder), "VIVA_LLM": ""}
    command = [sys.executable, "-m", "interviewer", "serve", "--port", str(port)]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait(address, process)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait(address: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            raise SystemExit(f"the server ended with status {process.returncode}")
        try:
            httpx.get(f"{address}/gradio_api/info", timeout=5).raise_for_status()
            return
        except httpx.HTTPError:
            time.sleep(0.2)
    raise SystemExit(f"no server after {START_SECONDS} s")


def call(client: httpx.Client, name: str, *data: Any) -> Any:
    """One call of the named API function."""
    event = client.post(f"/gradio_api/call/{name}", json={"data": list(data)}).raise_for_status().json()["event_id"]
    with client.stream("GET", f"/gradio_api/call/{name}/{event}") as stream:
        kind = ""
        for line in stream.iter_lines():
            if line.startswith("event: "):
                kind = line.removeprefix("event: ")
            elif line.startswith("data: ") and kind == "complete":
                return json.loads(line.removeprefix("data: "))[0]
            elif line.startswith("data: ") and kind == "error":
                raise SystemExit(f"{name}: {line}")
    raise SystemExit(f"{name}: the answer broke off")


def turn(client: httpx.Client, case: Case) -> float:
    """Seconds from the answer to the next interviewer text, in a fresh interview on the case's question."""
    screen = call(client, "start", case.language, "", [], [case.question], 1, 0, False, "practice")
    before = time.perf_counter()
    after = call(client, "answer", screen["session_id"], case.text, screen["seq"])
    seconds = time.perf_counter() - before
    if len(after["messages"]) < len(screen["messages"]) + 2:
        raise SystemExit(f"{case.id}: no reply")
    return seconds


def embedding_seconds(cases: list[Case]) -> list[float]:
    """Seconds to embed each answer once, in this process, with a warm model."""
    from interviewer.adapters.embedder import UseEmbedder

    embedder = UseEmbedder(remembered=0)
    embedder.embed(["warm"])
    times = []
    for case in cases:
        before = time.perf_counter()
        embedder.embed([case.text])
        times.append(time.perf_counter() - before)
    return times


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.turn_latency", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--turns", type=int, default=90)
    arguments = parser.parse_args()
    cases = [c for c in read_cases() if c.band != "empty"]
    step = max(1, len(cases) // arguments.turns)
    cases = cases[::step][: arguments.turns]
    with (
        tempfile.TemporaryDirectory(prefix="viva-bench-") as folder,
        server(Path(folder)) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        for case in {case.question: case for case in cases}.values():  # each rubric is read once
            turn(client, case)
        times = [turn(client, case) for case in cases]
    once = embedding_seconds(cases)
    p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    embed = statistics.median(once)
    print(
        json.dumps(
            {
                "machine": describe(),
                "turns": len(times),
                "turn_p50_ms": round(1000 * p50, 1),
                "turn_p95_ms": round(1000 * p95, 1),
                "embed_once_p50_ms": round(1000 * embed, 1),
                "ratio_p50": round(p50 / embed, 1),
                "bar": {"p50_ms": 1000 * BAR_P50, "p95_ms": 1000 * BAR_P95},
                "met": p50 <= BAR_P50 and p95 <= BAR_P95,
            },
            indent=1,
        )
    )
    return 0 if p50 <= BAR_P50 and p95 <= BAR_P95 else 1


if __name__ == "__main__":
    sys.exit(main())
