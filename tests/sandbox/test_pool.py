"""Who runs when: bounded, fair, cancellable, and counted."""

from __future__ import annotations

import statistics
import threading
import time
from collections import deque
from collections.abc import Callable

import pytest

from interviewer.domain import Exercise, SandboxResult
from interviewer.sandbox import Limits, Ticket, TorchSandbox
from interviewer.sandbox.metrics import percentile
from interviewer.sandbox.pool import Pool, Refused, machine

GB = 1 << 30
ONE = "import torch\ndef check_one(sut):\n    x = torch.randn(50)\n    assert (sut.one(x) == x + 1).all()\n"


class Line:
    """Threads that take a place, note their turn and hold it until they are let go."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.order: list[str] = []
        self.refused: dict[str, str] = {}
        self.gates: dict[str, threading.Event] = {}
        self.threads: list[threading.Thread] = []

    def come(self, name: str, owner: str = "", memory: int = 0) -> Ticket:
        """Join the queue; returns once it is known where."""
        ticket, gate = Ticket(owner), threading.Event()
        self.gates[name] = gate
        before = self.pool.waiting + len(self.order) + len(self.refused)

        def take() -> None:
            try:
                with self.pool.place(ticket, memory):
                    self.order.append(name)
                    gate.wait(10)
            except Refused as refused:
                self.refused[name] = refused.reason

        self.threads.append(threading.Thread(target=take))
        self.threads[-1].start()
        assert eventually(lambda: self.pool.waiting + len(self.order) + len(self.refused) > before)
        return ticket

    def go(self, *names: str) -> None:
        for name in names:
            self.gates[name].set()

    def end(self) -> None:
        self.go(*self.gates)
        for thread in self.threads:
            thread.join()


def eventually(held: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 5
    while not held() and time.monotonic() < deadline:
        time.sleep(0.005)
    return held()


def test_no_more_run_than_there_are_slots() -> None:
    """The rest know their place, and move up."""
    line = Line(Pool(2, GB))
    tickets = [line.come(name) for name in "abcd"]
    assert [ticket.position for ticket in tickets] == [0, 0, 1, 2]
    assert line.order == ["a", "b"]
    line.go("b")
    assert eventually(lambda: line.order == ["a", "b", "c"])
    assert tickets[3].position == 1
    line.end()
    assert (line.order, line.pool.running, line.pool.waiting) == (["a", "b", "c", "d"], 0, 0)


def test_nor_than_there_is_memory_for() -> None:
    """A large one waits until it fits, nobody overtakes it, and one alone may be as large as it likes."""
    line = Line(Pool(4, 4 * GB))
    for name, memory in (("a", 3), ("large", 9), ("small", 1)):
        line.come(name, memory=memory * GB)
    assert line.order == ["a"]
    line.go("a")
    assert eventually(lambda: line.order == ["a", "large"])
    line.end()
    assert line.order == ["a", "large", "small"]


def test_who_submits_often_delays_others_little() -> None:
    """An owner's further submissions let others pass, but are never shut out."""
    line = Line(Pool(1, GB))
    for number in range(4):
        line.come(f"greedy{number}", owner="greedy")
    line.come("modest", owner="modest")
    for number in range(6):
        line.come(f"stranger{number}")
    line.end()
    assert line.order.index("modest") == 1
    assert line.order.index("greedy1") < line.order.index("stranger5")


def test_waiting_too_long_is_refused() -> None:
    """With a reason, and the place is given up."""
    line = Line(Pool(1, GB, wait_seconds=0.1))
    line.come("a")
    line.come("b")
    assert eventually(lambda: line.refused == {"b": "busy"})
    assert line.pool.waiting == 0
    line.end()


def test_a_full_queue_is_refused_at_once() -> None:
    line = Line(Pool(1, GB, longest=1))
    for name in "abc":
        line.come(name)
    assert line.refused == {"c": "busy"}
    line.end()


def test_a_cancelled_ticket_leaves_the_queue() -> None:
    """Those behind it move up."""
    line = Line(Pool(1, GB))
    line.come("a")
    second, third = line.come("b"), line.come("c")
    second.cancel()
    assert eventually(lambda: line.refused == {"b": "cancelled"})
    assert third.position == 1
    line.end()
    assert line.order == ["a", "c"]


def test_cancelling_ends_a_run(sandbox: TorchSandbox) -> None:
    """Long before its deadline, and the sandbox goes on."""
    ticket = Ticket()
    threading.Timer(0.5, ticket.cancel).start()
    result = sandbox.run("import time\nprint('on', flush=True)\ntime.sleep(60)", ticket=ticket)
    assert (result.verdict, result.reason) == ("refused", "cancelled")
    assert result.seconds < 2.5
    assert sandbox.run("print(1)").stdout == "1\n"
    assert sandbox.metrics().kills["cancelled"] >= 1


def test_eight_at_once_are_all_right_and_none_starves(make_exercise: Callable[..., Exercise]) -> None:
    """Half of them wrong: each gets its own verdict, none waits three times the mean."""
    results: dict[int, SandboxResult] = {}
    took: dict[int, float] = {}
    with TorchSandbox(Limits(wall_seconds=30), concurrency=2) as sandbox:
        sandbox.warm()
        peak: list[int] = []

        def submit(number: int) -> None:
            started = time.monotonic()
            code = f"def one(x):\n    return x + {1 if number % 2 else 2}\n"
            results[number] = sandbox.check(make_exercise(ONE), code)
            took[number] = time.monotonic() - started
            peak.append(sandbox.metrics().running)

        threads = [threading.Thread(target=submit, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        metrics = sandbox.metrics()
    assert {n: r.verdict for n, r in results.items()} == {n: "passed" if n % 2 else "failed" for n in range(8)}
    assert max(took.values()) <= 3 * statistics.mean(took.values()), took
    assert max(peak) <= 2
    assert (metrics.runs, metrics.running, metrics.waiting) == (8, 0, 0)
    assert metrics.verdicts == {"passed": 4, "failed": 4}
    assert metrics.p50_seconds is not None and metrics.p95_seconds is not None
    assert 0 < metrics.p50_seconds <= metrics.p95_seconds


def test_a_refused_submission_is_a_result(make_exercise: Callable[..., Exercise]) -> None:
    """With its reason counted, and nothing of it run."""
    with TorchSandbox(concurrency=1, queue_seconds=0.3) as sandbox:
        sandbox.warm()
        long = threading.Thread(target=lambda: sandbox.run("import time\ntime.sleep(2)"))
        long.start()
        assert eventually(lambda: sandbox.metrics().running == 1)
        result = sandbox.check(make_exercise(ONE), "x = 1")
        long.join()
        assert (result.verdict, result.reason) == ("refused", "busy")
        assert sandbox.metrics().refused == {"busy": 1}


def test_kills_are_counted_by_reason() -> None:
    with TorchSandbox(Limits(call_seconds=0.5)) as sandbox:
        sandbox.run("while True: pass")
        assert sandbox.metrics().kills == {"wall_clock": 1}


@pytest.mark.parametrize(("share", "expected"), [(0.5, 5.0), (0.95, 10.0), (0.0, 1.0)])
def test_a_percentile_is_a_value_that_occurred(share: float, expected: float) -> None:
    assert percentile(deque(float(n) for n in range(1, 11)), share) == expected
    assert percentile(deque(), share) is None


def test_the_machine_has_something() -> None:
    """Whatever the platform tells."""
    processors, memory = machine()
    assert processors >= 1
    assert memory > 0
