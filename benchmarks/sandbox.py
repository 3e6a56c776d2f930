"""A warm verdict against a cold `import torch`, measured in one run on one machine.

    python benchmarks/sandbox.py [--runs 40] [--backend namespaces]

Cold and warm runs alternate, so that a change in the machine's load meets both. Exit status 1 when the attention
exercise's median verdict takes more than a tenth of the median cold import.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

from interviewer.domain import Exercise, LocalText
from interviewer.sandbox import TorchSandbox
from interviewer.sandbox.confine import BACKENDS
from interviewer.sandbox.launch import probe

BAR = 0.10
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


def row(name: str, seconds: list[float], base: float) -> str:
    """One line of the table."""
    p95 = sorted(seconds)[max(0, round(0.95 * len(seconds)) - 1)]
    median = statistics.median(seconds)
    return f"{name:28} {median * 1e3:9.1f} {p95 * 1e3:9.1f} {median / base:8.3f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=40, help="warm runs of each kind")
    parser.add_argument(
        "--backend", action="append", choices=BACKENDS, help="repeatable; all that work here if not given"
    )
    arguments = parser.parse_args()
    backends = arguments.backend or [b for b in BACKENDS if probe(b) is None]
    cold_seconds: list[float] = []
    timings: dict[str, list[float]] = {}
    cold()
    for backend in backends:
        with TorchSandbox(backend=backend) as sandbox:
            started = time.perf_counter()
            sandbox.warm()
            timings[f"{backend}: start"] = [time.perf_counter() - started]
            for task in (TRIVIAL, ATTENTION):
                warm(sandbox, task)
            for number in range(arguments.runs):
                if number % 10 == 0:
                    cold_seconds.append(cold())
                timings.setdefault(f"{backend}: trivial", []).append(warm(sandbox, TRIVIAL))
                timings.setdefault(f"{backend}: attention", []).append(warm(sandbox, ATTENTION))
    base = statistics.median(cold_seconds)
    print(f"{'':28} {'p50 ms':>9} {'p95 ms':>9} {'/ cold':>8}")
    print(row("cold: import torch", cold_seconds, base))
    for name, seconds in timings.items():
        print(row(name, seconds, base))
    worst = max(statistics.median(timings[f"{backend}: attention"]) for backend in backends) / base
    print(f"bar: attention / cold <= {BAR}: {worst:.3f} {'holds' if worst <= BAR else 'DOES NOT HOLD'}")
    return 0 if worst <= BAR else 1


if __name__ == "__main__":
    raise SystemExit(main())
