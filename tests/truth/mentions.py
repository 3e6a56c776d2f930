"""What the bank says that torch can confirm: names in all of its texts, and blocks of code in its answers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from interviewer.bank import Bank

NAME = re.compile(r"(?<![\w./@-])(?:torch|nn|F|optim)(?:\.[A-Za-z_]\w*)+(?![\w-])")
"""A dotted name below torch or below one of the three customary short names."""

BLOCK = re.compile(r"^```(?:python|py)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SUFFIXES = ("pt", "pth", "html", "py", "pkl", "org", "onnx")


def texts(bank: Bank) -> Iterator[tuple[str, str]]:
    """(where, text) of every text of every question, rubric, exercise, and of the delivery rubric."""
    for kind, items in (("questions", bank.questions), ("rubrics", bank.rubrics), ("exercises", bank.exercises)):
        for name, item in items.items():
            yield from _walk(f"{kind}/{name}", item.model_dump(mode="json"))
    if bank.delivery is not None:
        yield from _walk("rubrics/delivery", bank.delivery.model_dump(mode="json"))


def _walk(where: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _walk(f"{where}.{key}", inner)
    elif isinstance(value, list | tuple):
        for i, inner in enumerate(value):
            yield from _walk(f"{where}.{i}", inner)


def torch_names(text: str) -> set[str]:
    """Names below torch that a text mentions.

    >>> sorted(torch_names("use `torch.no_grad()`, nn.Linear or F.relu; see torch.nn.Module.eval and model.F.x, a.pt"))
    ['F.relu', 'nn.Linear', 'torch.nn.Module.eval', 'torch.no_grad']
    """
    found = {m.group() for m in NAME.finditer(text) if m.group().rpartition(".")[2] not in SUFFIXES}
    return {"torch.ops" if name.startswith("torch.ops.") else name for name in found}  # filled while code runs


def mentioned(bank: Bank) -> dict[str, list[str]]:
    """For each name the places of the texts that mention it."""
    found: dict[str, list[str]] = defaultdict(list)
    for where, text in texts(bank):
        for name in torch_names(text):
            found[name].append(where)
    return dict(found)


def answer_blocks(bank: Bank) -> dict[tuple[str, ...], str]:
    """Blocks of Python in accepted answers -> the first place that has them. The blocks of one text belong together;
    languages that share all of theirs appear once."""
    found: dict[tuple[str, ...], str] = {}
    for question in bank.questions.values():
        for length in ("concise", "full"):
            answer = getattr(question.accepted, length)
            for language in ("en", "ru", "zh"):
                blocks = tuple(BLOCK.findall(answer[language]))
                if blocks:
                    found.setdefault(blocks, f"questions/{question.id}.accepted.{length}.{language}")
    return found
