"""A visible run's last line, and predict-then-run."""

from __future__ import annotations

import pytest

from interviewer.sandbox import TorchSandbox

SNIPPET = "import torch\nx = torch.ones(3, requires_grad=True)\ny = (x * 2).sum()\ny.backward()\nprint(x.grad)\n"


def test_the_last_line_is_shown_as_a_shell_would(sandbox: TorchSandbox) -> None:
    """A tensor with its shape, dtype and device."""
    result = sandbox.run("import torch\ntorch.zeros(2, 1, dtype=torch.int64)")
    assert result.stdout == "tensor([[0],\n        [0]])\n# shape (2, 1), dtype int64, device cpu\n"


@pytest.mark.parametrize(
    ("source", "stdout"),
    [
        ("x = 1", ""),
        ("None", ""),
        ("print(1)", "1\n"),
        ("'only a docstring'", ""),
        ("x = 2\nx", "2\n"),
        ("x = 2\nx  # comment\n\n", "2\n"),
        ("for x in range(3):\n    x", ""),
        ("x = (1,\n     2)\n(x,\n x)", "((1, 2), (1, 2))\n"),
        ("from __future__ import annotations\ndef f(x: nowhere): ...\nf.__annotations__", "{'x': 'nowhere'}\n"),
    ],
)
def test_only_a_last_expression_is(sandbox: TorchSandbox, source: str, stdout: str) -> None:
    """Nothing else about the program changes."""
    assert sandbox.run(source).stdout == stdout


def test_tensors_in_a_container_have_a_line_each(sandbox: TorchSandbox) -> None:
    """And say that they need gradients."""
    result = sandbox.run("import torch\n{'w': torch.ones(2, requires_grad=True), 'n': 3, 'b': torch.tensor(1)}")
    assert "# ['w'] shape (2,), dtype float32, device cpu, requires grad\n" in result.stdout
    assert "# ['b'] shape (), dtype int64, device cpu\n" in result.stdout


def test_the_examples_last_line_is_shown_too(sandbox: TorchSandbox) -> None:
    """They read like a shell session."""
    assert sandbox.run("def f(x):\n    return x + 1\n", examples="f(1)").stdout == "2\n"


def test_a_traceback_holds_only_the_candidates_lines(sandbox: TorchSandbox) -> None:
    """Neither torch's nor the sandbox's, also when the last line raises."""
    result = sandbox.run("import torch\n\ndef f(x):\n    return x @ x\n\nf(torch.ones(2, 3))")
    files = [line for line in result.traceback.splitlines() if line.lstrip().startswith("File")]
    assert [line.split(",")[0].strip() for line in files] == ['File "solution.py"'] * 2
    assert "return x @ x" in result.traceback
    assert "line 6" in result.traceback


def test_a_value_that_cannot_be_shown_is_the_codes_fault(sandbox: TorchSandbox) -> None:
    """Its repr raises."""
    result = sandbox.run("class A:\n    def __repr__(self): raise ValueError('no')\nA()")
    assert (result.verdict, result.raised) == ("failed", "ValueError: no")


def test_a_value_is_bounded_whoever_wrote_it(sandbox: TorchSandbox) -> None:
    """Also when the code has replaced what describes it."""
    long = sandbox.predict("'x' * 100_000")
    forged = sandbox.predict("import sys\nsys.modules['viva_sandbox.show'].described = lambda v: 'я' * 100_000\n1")
    assert long.verdict == forged.verdict == "passed"
    assert long.value.endswith("... [cut here]")
    assert len(forged.value) < 30_000


def test_predict_gives_output_value_and_nothing_else(sandbox: TorchSandbox) -> None:
    """As authored."""
    result = sandbox.predict(SNIPPET + "y.item()")
    assert (result.verdict, result.stdout, result.value) == ("passed", "tensor([2., 2., 2.])\n", "6.0")


def test_predict_runs_the_candidates_change(sandbox: TorchSandbox) -> None:
    """Lines that replace, and lines that follow."""
    assert sandbox.predict(SNIPPET, "- y = (x * 2).sum()\n+ y = (x * 5).sum()").stdout == "tensor([5., 5., 5.])\n"
    assert sandbox.predict(SNIPPET, "x.grad.zero_()\nx.grad").value.startswith("tensor([0., 0., 0.])")


def test_predict_tells_the_exception(sandbox: TorchSandbox) -> None:
    """Type and message, for the follow-up."""
    result = sandbox.predict(SNIPPET, "y.backward()")
    assert (result.verdict, result.reason) == ("failed", "exception")
    assert result.raised.startswith("RuntimeError: Trying to backward through the graph a second time")
    assert result.stdout == "tensor([2., 2., 2.])\n"


def test_a_change_that_does_not_fit_is_said(sandbox: TorchSandbox) -> None:
    """Nothing has run."""
    result = sandbox.predict(SNIPPET, "- z = 1\n+ z = 2")
    assert (result.verdict, result.reason, result.stdout) == ("error", "bad_change", "")
    assert "'z = 1' is there 0 times" in result.message
