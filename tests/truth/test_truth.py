"""What the bank says is so with the installed torch: every name exists, every block of code in an answer runs.

That snippets print what their authors say is looked at by `viva bank check` (see tests/test_bank_check.py).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from interviewer.bank import Bank
from interviewer.bank_check import snippet_faults
from interviewer.config import load_config
from interviewer.wiring import open_sandbox
from tests.truth.mentions import answer_blocks, mentioned, texts, torch_names

SCRIPT = Path(__file__).with_name("torch_process.py")

DATED: Mapping[str, str] = {
    r"torch\.cuda\.amp\b": r"torch\.amp\b",
    r"torch\.jit\b": r"torch\.(?:export|compile)\b",
    r"torch\.(?:ao\.)?quantization\b": r"torchao|torch\.export|pt2e",
    r"torch\.utils\.bottleneck\b": r"torch\.profiler",
    r"(?:torch\.)?nn\.utils\.weight_norm\b": r"parametrizations\.weight_norm",
    r"torch\.norm\b": r"torch\.linalg\.|vector_norm",
    r"torch\.range\b": r"torch\.arange",
    r"torch\.set_default_tensor_type\b": r"set_default_(?:dtype|device)",
}
"""Names that torch has deprecated or taken out -> what a text that mentions them must name too."""

NOT_TEACHING = re.compile(
    r"\.(?:asked_as|meets|lookalikes|sounds_like|plain"  # what people say may be dated, as people are
    r"|text|rephrased|probe|hint|hints|docs)\."  # and what asks must not give the replacement away
)


def ask(names: list[str], blocks: list[tuple[str, ...]]) -> tuple[dict[str, str | None], list[str]]:
    """What one process with torch in it answers."""
    ran = subprocess.run(
        [sys.executable, SCRIPT],
        input=json.dumps({"names": names, "blocks": [list(block) for block in blocks]}),
        capture_output=True,
        text=True,
        check=True,
        timeout=110,
    )
    found = json.loads(ran.stdout.splitlines()[-1])
    return found["names"], found["blocks"]


@pytest.fixture(scope="module")
def answers(bank: Bank) -> tuple[dict[str, str | None], dict[str, str]]:
    """What is wrong with each name, and with each group of blocks by the place where it stands; asked once."""
    blocks = answer_blocks(bank)
    names, said = ask(sorted(mentioned(bank)), list(blocks))
    return names, dict(zip(blocks.values(), said, strict=True))


def dated(name: str) -> str | None:
    """The pattern of what replaces a name, if the name is dated."""
    return next((new for old, new in DATED.items() if re.match(old, name)), None)


def test_every_name_exists(bank: Bank, answers: tuple[dict[str, str | None], dict[str, str]]) -> None:
    """In the installed torch, unless it is dated and listed."""
    places = mentioned(bank)
    missing = {n: places[n][:3] for n, fault in answers[0].items() if fault == "missing" and not dated(n)}
    assert missing == {}
    assert len(answers[0]) > 150


def test_every_deprecated_name_is_listed(answers: tuple[dict[str, str | None], dict[str, str]]) -> None:
    """What torch marks as deprecated stands in DATED."""
    assert {n for n, fault in answers[0].items() if fault and fault.startswith("deprecated") and not dated(n)} == set()


def test_a_dated_name_comes_with_its_replacement(bank: Bank) -> None:
    """In every text that teaches."""
    alone = [
        f"{where}: {name}"
        for where, text in texts(bank)
        if not NOT_TEACHING.search(where)
        for name in torch_names(text)
        if (new := dated(name)) and not re.search(new, text)
    ]
    assert alone == []


def test_every_block_runs(answers: tuple[dict[str, str | None], dict[str, str]]) -> None:
    """The blocks of one answer in their order, in a process of their own."""
    assert {where: fault for where, fault in answers[1].items() if fault} == {}
    assert len(answers[1]) > 20


@pytest.mark.slow
def test_every_snippet_prints_what_its_author_says(bank: Bank) -> None:
    """In the sandbox, as `viva bank check` does it."""
    with open_sandbox(load_config()) as sandbox:
        assert list(snippet_faults(bank, sandbox)) == []


def test_faults_are_found() -> None:
    """A name that is not there, a deprecated one, and blocks that raise, leave, hang on or depend on each other."""
    names, blocks = ask(
        ["torch.zeros", "nn.Linaer", "F.relu", "optim.Adam", "torch.cuda.amp.autocast", "torch.utils.tensorboard"],
        [("x = 1", "assert x == 1"), ("x = 2\n1 / 0",), ("import os\nos._exit(0)",), ("def",), ("input()",)],
    )
    assert [names[n] for n in ("torch.zeros", "F.relu", "optim.Adam", "torch.utils.tensorboard")] == [None] * 4
    assert names["nn.Linaer"] == "missing"
    assert (names["torch.cuda.amp.autocast"] or "").startswith("deprecated")
    assert blocks[0] == ""
    assert blocks[1] == "line 2: ZeroDivisionError: division by zero"
    assert all(blocks[2:])
