"""Do the three languages say the same? Cosine of each pair of parallel texts, against pairs that are not parallel.

    python -m evals.parity [--lowest 20] [--json]

A pair is two languages of one text. It is compared with shuffled pairs: the same text beside one of the same kind and
question in the other language, which is the hardest pair that is still wrong. A pair below FLOOR is mistranslated,
out of its row, or so short and freely said that only a reader can tell: what a reader found right stands in REVIEWED. A
list whose rows would fit better in another order is found by the best assignment of rows.

`asked_as` is left out: people in each country search for what they search for, and its rows are not parallel.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from interviewer.bank import Bank
from interviewer.domain import LANGUAGES, Language, Model
from interviewer.ports import Embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

FLOOR = 0.2
"""Cosine below which no pair may be, unless REVIEWED lists it: 0.1% of true pairs, half of the shuffled ones."""

REVIEWED = frozenset(
    {
        "rubrics/batch-norm.misconceptions.batch-stats-in-eval.sounds_like.0",
        "rubrics/distributed-training.criteria.effective-batch.lookalikes.7",
        "rubrics/dropout.criteria.regularizes.meets.3",
        "rubrics/dropout.criteria.regularizes.meets.4",
        "exercises/verify-correctness.checks.check_report.title",
    }
)
"""Texts below FLOOR that a reader of the languages found to say the same."""

ORDER = 0.5
"""So much more similarity in all, for another order of a list's rows, is no accident."""

LONGEST = 600
"""Characters of a text that are compared; the encoder blurs longer ones."""


Vectors = Mapping[Language, "NDArray[np.float32]"]


class Parallel(Model):
    """One text in the three languages; `kind` is where it stands, without question and numbers."""

    where: str
    kind: str
    question: str
    texts: dict[Language, str]


class Pair(Model):
    """Two languages of one text and how near their vectors are."""

    where: str
    kind: str
    languages: tuple[Language, Language]
    texts: tuple[str, str]
    cosine: float


def parallels(bank: Bank) -> tuple[Parallel, ...]:
    """Every text of the bank that exists in three languages; of lists the n-th of each."""
    found: list[Parallel] = []
    for folder, items in (("questions", bank.questions), ("rubrics", bank.rubrics), ("exercises", bank.exercises)):
        for name, item in items.items():
            found += _walk(name, folder, (), item.model_dump(mode="json"))
    if bank.delivery is not None:
        found += _walk("delivery", "rubrics", (), bank.delivery.model_dump(mode="json"))
    return tuple(found)


def _walk(question: str, folder: str, path: tuple[str, ...], value: Any) -> Iterator[Parallel]:
    if path[-1:] == ("asked_as",):
        return
    if isinstance(value, Mapping) and set(value) == set(LANGUAGES):
        listed = isinstance(value["en"], Sequence) and not isinstance(value["en"], str)
        rows = zip(*(value[x] for x in LANGUAGES), strict=True) if listed else [tuple(value[x] for x in LANGUAGES)]
        for n, row in enumerate(rows):
            place = (*path, str(n)) if listed else path
            kind = ".".join([folder, *(p for p in path if p in _FIELDS)])
            where = ".".join([f"{folder}/{question}", *place])
            yield Parallel(where=where, kind=kind, question=question, texts=dict(zip(LANGUAGES, row, strict=True)))
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _walk(question, folder, (*path, str(key)), inner)
    elif isinstance(value, list | tuple):
        for i, inner in enumerate(value):
            name = inner.get("id", str(i)) if isinstance(inner, Mapping) else str(i)
            yield from _walk(question, folder, (*path, name), inner)


_FIELDS = frozenset(
    "title text rephrased accepted concise full errata asked_as snippet prompt statement docstring checks advice wrong "
    "mistake hints criteria says nod meets lookalikes probe hint misconceptions belief sounds_like plain".split()
)


def embed(found: Sequence[Parallel], embedder: Embedder) -> Vectors:
    """For each language (texts, dimension)."""
    return {x: _embed(embedder, [p.texts[x][:LONGEST] for p in found]) for x in LANGUAGES}


def measure(found: Sequence[Parallel], vectors: Vectors) -> tuple[list[Pair], NDArray[np.float64]]:
    """All pairs, nearest last, and cosines of shuffled pairs (same question and kind, where there are two)."""
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i, parallel in enumerate(found):
        groups[parallel.question, parallel.kind].append(i)
    beside = np.arange(len(found))
    for members in groups.values():
        beside[members] = np.roll(members, 1)
    pairs, shuffled = [], []
    for a, b in combinations(LANGUAGES, 2):
        true = (vectors[a] * vectors[b]).sum(axis=1)
        wrong = (vectors[a] * vectors[b][beside]).sum(axis=1)
        shuffled.append(wrong[beside != np.arange(len(found))])
        pairs += [
            Pair(where=p.where, kind=p.kind, languages=(a, b), texts=(p.texts[a], p.texts[b]), cosine=float(cosine))
            for p, cosine in zip(found, true, strict=True)
        ]
    return sorted(pairs, key=lambda pair: pair.cosine), np.concatenate(shuffled).astype(np.float64)


def misplaced(found: Sequence[Parallel], vectors: Vectors) -> dict[str, float]:
    """Lists whose rows fit better in another order, with the similarity that this order would gain in all."""
    lists: dict[str, list[int]] = defaultdict(list)
    for i, parallel in enumerate(found):
        name, _, last = parallel.where.rpartition(".")
        if last.isdigit():
            lists[name].append(i)
    gains = {}
    for name, rows in lists.items():
        for a, b in combinations(LANGUAGES, 2):
            similar = vectors[a][rows] @ vectors[b][rows].T
            gain = float(similar[linear_sum_assignment(similar, maximize=True)].sum() - np.trace(similar))
            if gain > ORDER:
                gains[f"{name} {a}-{b}"] = round(gain, 2)
    return gains


def _embed(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    return np.concatenate([embedder.embed(texts[i : i + 64]) for i in range(0, len(texts), 64)])


def below(pairs: Sequence[Pair]) -> list[Pair]:
    """Pairs below the floor that nobody has reviewed."""
    return [pair for pair in pairs if pair.cosine < FLOOR and pair.where not in REVIEWED]


def summary(pairs: Sequence[Pair], shuffled: NDArray[np.float64]) -> dict[str, Any]:
    """Percentiles of both, how often a true pair beats a shuffled one, and the same for each kind of text."""
    true = np.array([pair.cosine for pair in pairs])
    kinds: dict[str, list[float]] = defaultdict(list)
    for pair in pairs:
        kinds[pair.kind].append(pair.cosine)
    return {
        "pairs": len(pairs),
        "floor": FLOOR,
        "below": [pair.where for pair in below(pairs)],
        "true": _percentiles(true),
        "shuffled": _percentiles(shuffled),
        "true above shuffled": round(float(np.searchsorted(np.sort(shuffled), true).mean() / max(1, len(shuffled))), 4),
        "kinds": {kind: _percentiles(np.array(values)) for kind, values in sorted(kinds.items())},
    }


def _percentiles(values: NDArray[np.float64]) -> dict[str, float]:
    marks = (0, 0.1, 1, 5, 50, 95, 99)
    return {f"{m:g}%": round(float(v), 3) for m, v in zip(marks, np.percentile(values, marks), strict=True)}


def main(arguments: Sequence[str] | None = None) -> int:
    """The distribution, then the lowest pairs. 1 when a pair is below the floor or a list out of order."""
    from interviewer.config import load_config
    from interviewer.wiring import open_bank, open_encoder

    parser = argparse.ArgumentParser(prog="evals parity", description=__doc__.splitlines()[0])
    parser.add_argument("--lowest", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    texts = parallels(open_bank(load_config()))
    vectors = embed(texts, open_encoder())
    pairs, shuffled = measure(texts, vectors)
    found = {**summary(pairs, shuffled), "misplaced": misplaced(texts, vectors)}
    if options.json:
        lowest = [pair.model_dump() for pair in pairs[: options.lowest]]
        print(json.dumps({**found, "lowest": lowest}, ensure_ascii=False, indent=2))
    else:
        print(json.dumps(found, indent=2))
        for pair in pairs[: options.lowest]:
            print(f"\n{pair.cosine:.3f} {pair.where} {'-'.join(pair.languages)}")
            print("\n".join(f"    {text[:LONGEST]}" for text in pair.texts))
    return 1 if found["below"] or found["misplaced"] else 0


if __name__ == "__main__":
    sys.exit(main())
