"""How well the delivery judge hears habits of speaking: single sentences, and the bank's phrasings as ordinary answers.

    python -m evals.delivery

`cases/delivery.jsonl` was at hand while cues and cuts were chosen; `delivery_heldout.jsonl` was written afterwards.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Literal

from evals.case_files import read_lines
from interviewer.bank import Bank
from interviewer.domain import LANGUAGES, Language, Model, Slug
from interviewer.judging.delivery import DeliveryJudge


class Example(Model):
    """One remark, and which criteria it shows."""

    id: str
    language: Language
    group: Literal["shows", "non-native", "polite", "filler", "boast"]
    text: str
    shows: tuple[Slug, ...]


class Found(Model):
    """Over pairs of remark and criterion: share of the shown that was credited, of the credited that was shown."""

    n: int
    recall: float
    precision: float


def read_examples(name: str) -> tuple[Example, ...]:
    """Remarks of `cases/<name>.jsonl`."""
    return read_lines(name, Example)


def measure(judge: DeliveryJudge, examples: Sequence[Example]) -> Found:
    """Credit is met or partial."""
    ids = [c.id for c in judge.rubric.criteria]
    credited = judge.credits([e.text for e in examples])
    hits = sum(bool(credited[i, ids.index(s)]) for i, e in enumerate(examples) for s in e.shows)
    shown, given = sum(len(e.shows) for e in examples), int(credited.sum())
    return Found(n=len(examples), recall=round(hits / max(1, shown), 3), precision=round(hits / max(1, given), 3))


def credit_on_plain_phrasings(judge: DeliveryJudge, bank: Bank) -> dict[str, float]:
    """Share of the bank's phrasings that each criterion credits. Stories and code in them are rightly credited."""
    texts = [
        text
        for question, rubric in bank.rubrics.items()
        if question != "experience-story"
        for c in rubric.talk
        for part in (c.meets, c.lookalikes)
        for language in LANGUAGES
        for text in (part[language] if part else ())
    ]
    shares = judge.credits(texts).mean(axis=0)
    return {c.id: round(float(share), 4) for c, share in zip(judge.rubric.criteria, shares, strict=True)}


def main() -> int:
    """JSON to stdout, what was missed or credited wrongly to stderr."""
    from interviewer.config import load_config
    from interviewer.wiring import open_bank, open_delivery, open_embedder

    config = load_config()
    bank, embedder = open_bank(config), open_embedder(config)
    judge = open_delivery(bank, embedder)
    if judge is None:
        print("the bank has no rubrics/delivery.yaml", file=sys.stderr)
        return 1
    found: dict[str, object] = {}
    ids = [c.id for c in judge.rubric.criteria]
    for name in ("delivery", "delivery_heldout"):
        examples = read_examples(name)
        for group in ("all", "non-native", *LANGUAGES):
            chosen = [e for e in examples if group in ("all", e.group, e.language)]
            found[f"{name} {group}"] = measure(judge, chosen).model_dump()
        for example, row in zip(examples, judge.credits([e.text for e in examples]), strict=True):
            credited = [i for i, given in zip(ids, row, strict=True) if given]
            if credited != sorted(example.shows, key=ids.index):
                print(f"{example.id}: {list(example.shows)} -> {credited}: {example.text}", file=sys.stderr)
    found["credited of the bank's phrasings"] = credit_on_plain_phrasings(judge, bank)
    print(json.dumps(found, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
