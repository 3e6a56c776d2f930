"""What an honest candidate sees of their own mistakes."""

from __future__ import annotations

from interviewer.sandbox import TorchSandbox


def test_a_traceback_shows_only_the_candidates_lines(sandbox: TorchSandbox) -> None:
    """With line numbers and source text, and no frame of the sandbox's or torch's."""
    code = "import torch\n\ndef f(x):\n    return torch.matmul(x, torch.ones(3, 4))\n\nf(torch.ones(2))\n"
    result = sandbox.run(code)
    assert result.traceback.startswith("Traceback (most recent call last):\n")
    assert 'File "solution.py", line 6, in <module>\n    f(torch.ones(2))\n' in result.traceback
    assert 'File "solution.py", line 4, in f\n' in result.traceback
    assert result.traceback.count("File ") == 2
    assert "RuntimeError" in result.traceback


def test_a_cause_is_shown_too(sandbox: TorchSandbox) -> None:
    """Chained exceptions keep their chain, filtered the same way."""
    code = "try:\n    {}['a']\nexcept KeyError as error:\n    raise ValueError('b') from error\n"
    traceback = sandbox.run(code).traceback
    assert "KeyError: 'a'" in traceback
    assert "direct cause" in traceback
    assert "ValueError: b" in traceback


def test_an_error_in_the_examples_names_the_examples(sandbox: TorchSandbox) -> None:
    """Both files are the candidate's to see."""
    result = sandbox.run("def f(x):\n    return 1 / x\n", examples="print(f(1))\nprint(f(0))\n")
    assert 'File "examples.py", line 2' in result.traceback
    assert 'File "solution.py", line 2, in f' in result.traceback
    assert result.stdout == "1.0\n"


def test_a_syntax_error_has_its_line(sandbox: TorchSandbox) -> None:
    """Verdict `error`: nothing has run."""
    result = sandbox.run("x = 1\ndef f(:\n    pass\n")
    assert (result.verdict, result.reason) == ("error", "syntax_error")
    assert "line 2" in result.message
    assert "def f(:" in result.traceback


def test_an_exception_whose_text_cannot_be_read(sandbox: TorchSandbox) -> None:
    """A broken __str__ is the candidate's own, and does not break the report."""
    result = sandbox.run("class E(Exception):\n    def __str__(self): raise E\nraise E\n")
    assert (result.verdict, result.reason) == ("failed", "exception")


def test_a_huge_message_is_cut(sandbox: TorchSandbox) -> None:
    """Tracebacks and messages have caps."""
    result = sandbox.run("raise ValueError('x' * 10**6)")
    assert len(result.message) < 2000
    assert len(result.traceback) < 20_000


def test_stdout_keeps_its_order_and_its_alphabets(sandbox: TorchSandbox) -> None:
    """stdout and stderr are one stream; text is UTF-8."""
    result = sandbox.run("import sys\nprint('один')\nprint('二', file=sys.stderr)\nprint('three', end='')")
    assert result.stdout == "один\n二\nthree"


def test_input_ends_at_once(sandbox: TorchSandbox) -> None:
    """There is nobody to type."""
    result = sandbox.run("input('name? ')")
    assert (result.verdict, result.reason) == ("failed", "reads_input")
    assert "waits for input" in result.message
    assert result.raised.startswith("EOFError")


def test_a_script_is_main(sandbox: TorchSandbox) -> None:
    """The usual guard runs, dataclasses and source inspection work."""
    code = (
        "import inspect\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    x: int = 1\n"
        "if __name__ == '__main__':\n    print(A(), inspect.getsource(A).splitlines()[1])\n"
    )
    assert sandbox.run(code).stdout == "A(x=1) class A:\n"
