"""What a verdict costs: cold torch import, then on each backend start, warm verdicts and a child's private memory.

    python -m benchmarks.sandbox [--runs 40] [--backend namespaces] [--json]

Cold and warm runs alternate, so that a change in the machine's load meets both. The bars (trivial 0.04 of the cold
import, attention 0.10, medians) are for the strongest backend measured on a quiet machine; exit status 1 when the
second does not hold on any backend.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from interviewer.domain import Exercise, LocalText
from interviewer.sandbox import TorchSandbox
from interviewer.sandbox.confine import BACKENDS
from interviewer.sandbox.launch import probe

TRIVIAL_BAR, BAR = 0.04, 0.10
_NONE = LocalText(en="-", ru="-", zh="-")

TRIVIAL = ("def one():\n    return 1\n", "def check_one(sut):\n    assert sut.one() == 1\n")

ATTENTION = (
    """
import math
import torch

def attention(q, k, v, causal=False):
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if causal:
        keep = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        scores = scores.masked_fill(~keep, float("-inf"))
    return torch.softmax(scores, -1) @ v
""",
    """
import torch
from viva_check import assert_close

def _inputs():
    return [torch.randn(2, 4, 16, 8) for _ in range(3)]

def check_values(sut):
    q, k, v = _inputs()
    assert_close(sut.attention(q, k, v), torch.nn.functional.scaled_dot_product_attention(q, k, v))

def check_causal(sut):
    q, k, v = _inputs()
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    assert_close(sut.attention(q, k, v, causal=True), expected)

def check_gradients(sut):
    inputs = _inputs()
    leaves = [x.clone().requires_grad_() for x in inputs]
    out = torch.nn.functional.scaled_dot_product_attention(*leaves)
    weight = torch.randn_like(out)
    _, grads = sut.vjp("attention", *inputs, cotangent=weight)
    for got, expected in zip(grads, torch.autograd.grad(out, leaves, weight)):
        assert_close(got, expected)

def check_inputs_untouched(sut):
    inputs = _inputs()
    _, after = sut.watch("attention", *inputs)
    for now, before in zip(after, inputs):
        assert_close(now, before)
""",
)


def exercise(checks: str) -> Exercise:
    """The least that makes an exercise."""
    return Exercise(
        id="benchmark", statement=_NONE, docstring=_NONE, checks={}, wrong={},
        starter="", reference="", checks_source=checks, examples="",
    )  # fmt: skip


def cold() -> float:
    """Seconds of a fresh interpreter that imports torch."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import torch"], check=True)
    return time.perf_counter() - started


def warm(sandbox: TorchSandbox, task: tuple[str, str]) -> float:
    """Seconds from a source text to its verdict."""
    started = time.perf_counter()
    result = sandbox.check(exercise(task[1]), task[0])
    if result.verdict != "passed":
        raise SystemExit(f"the benchmark's own solution did not pass: {result}")
    return time.perf_counter() - started


@dataclass
class Measured:
    """Seconds of one backend; bytes of private memory by child, None where the kernel does not tell."""

    start: float
    trivial: list[float] = field(default_factory=list)
    attention: list[float] = field(default_factory=list)
    private: dict[str, int | None] = field(default_factory=dict)


def descendants(pid: int) -> list[int]:
    """All processes below one, oldest first."""
    found: list[int] = []
    for listing in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            for child in listing.read_text().split():
                found += [int(child), *descendants(int(child))]
        except OSError:
            continue
    return sorted(found)


def private_memory(sandbox: TorchSandbox) -> dict[str, int | None]:
    """Private dirty bytes of the two children of a run that has used torch and now waits."""
    assert sandbox.pid is not None
    before = set(descendants(sandbox.pid))
    source = "import torch, time\ntorch.softmax(torch.randn(8, 8), -1)\ntime.sleep(1.5)"
    run = threading.Thread(target=sandbox.run, args=(source,))
    run.start()
    time.sleep(0.8)
    children = [pid for pid in descendants(sandbox.pid) if pid not in before]
    sizes = [dirty(pid) for pid in children[:2]]
    run.join()
    return dict(zip(("candidate", "judge"), sizes, strict=False))


def dirty(pid: int) -> int | None:
    """Private dirty bytes of a process; only root may ask this of one that cannot be traced."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return None
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Private_Dirty"))


def measure(backend: str, runs: int, cold_seconds: list[float]) -> Measured:
    """One backend, with cold imports in between."""
    with TorchSandbox(backend=backend) as sandbox:
        started = time.perf_counter()
        sandbox.warm()
        measured = Measured(time.perf_counter() - started)
        for task in (TRIVIAL, ATTENTION):
            warm(sandbox, task)
        for number in range(runs):
            if number % 10 == 0:
                cold_seconds.append(cold())
            measured.trivial.append(warm(sandbox, TRIVIAL))
            measured.attention.append(warm(sandbox, ATTENTION))
        measured.private = private_memory(sandbox)
    return measured


def row(name: str, seconds: list[float], base: float) -> str:
    """One line of the table."""
    p95 = sorted(seconds)[max(0, round(0.95 * len(seconds)) - 1)]
    median = statistics.median(seconds)
    return f"{name:28} {median * 1e3:9.1f} {p95 * 1e3:9.1f} {median / base:8.3f}"


def show(found: dict[str, Measured], cold_seconds: list[float]) -> None:
    """The table, and whether the bars hold."""
    base = statistics.median(cold_seconds)
    print(f"{'':28} {'p50 ms':>9} {'p95 ms':>9} {'/ cold':>8}")
    print(row("cold: import torch", cold_seconds, base))
    for backend, measured in found.items():
        print(row(f"{backend}: start", [measured.start], base))
        print(row(f"{backend}: trivial", measured.trivial, base))
        print(row(f"{backend}: attention", measured.attention, base))
        sizes = [f"{role} {'?' if n is None else f'{n / (1 << 20):.1f} MB'}" for role, n in measured.private.items()]
        print(f"{backend + ': private memory':28} {', '.join(sizes) or 'not seen: its processes are the engine’s'}")
    for name, bar in (("trivial", TRIVIAL_BAR), ("attention", BAR)):
        for backend, measured in found.items():
            ratio = statistics.median(getattr(measured, name)) / base
            said = "holds" if ratio <= bar else "DOES NOT HOLD"
            print(f"bar: {backend}: {name} / cold <= {bar}: {ratio:.3f} {said}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=40, help="warm runs of each kind")
    parser.add_argument(
        "--backend", action="append", choices=BACKENDS, help="repeatable; all that work here if not given"
    )
    parser.add_argument("--json", action="store_true", help="all figures as one object")
    arguments = parser.parse_args()
    cold_seconds: list[float] = []
    cold()
    backends = arguments.backend or [b for b in BACKENDS if probe(b) is None]
    found = {backend: measure(backend, arguments.runs, cold_seconds) for backend in backends}
    if arguments.json:
        print(json.dumps({"cold": cold_seconds, "backends": {name: asdict(m) for name, m in found.items()}}))
    else:
        show(found, cold_seconds)
    worst = max(statistics.median(measured.attention) for measured in found.values())
    return 0 if worst / statistics.median(cold_seconds) <= BAR else 1


if __name__ == "__main__":
    raise SystemExit(main())
