"""How far the embedded judge agrees with people: `python -m evals.judging [--split dev|test|all] [--json]`.

Heads are cross-fitted by question: the answers of a question are judged by a head that has seen neither its rubric nor
its answers. `--shipped` judges with the shipped head instead, which is what a user gets on the questions of the bank;
the answers in `cases/interview_bar.jsonl` are in no head's training. Reported by language: agreement over criteria
(accuracy, Cohen's kappa, macro-F1), agreement over whole answers by band, mean share of points by band, and the
majority baseline.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evals.case_files import TEST, Case, read_cases
from evals.train_judge import all_examples, fit, open_content
from interviewer.bank import Bank
from interviewer.domain import LANGUAGES, Judgement
from interviewer.judging.embedded import EmbeddedJudge
from interviewer.ports import Embedder
from interviewer.scoring import score_question
from interviewer.session import QuestionState

Judge = Callable[[Case], Judgement]

OUTCOMES = ("met", "partial", "not_met")
GOOD_FROM, WRONG_UP_TO = 0.6, 0.3
"""Shares of the talk points from which an answer counts as good, and up to which as wrong."""


def talk_share(bank: Bank, case: Case, judgement: Judgement) -> float:
    """Share of the talk criteria's points in 0..1, penalties included."""
    rubric = bank.rubrics[case.question]
    state = QuestionState(question=case.question, turns=case.thread.turns, judgement=judgement)
    score = score_question(rubric, state)
    possible = sum(c.weight for c in rubric.talk)
    return score.score.earned / possible


def band_of(share: float) -> str:
    """good, partial or wrong (an empty answer counts as wrong)."""
    return "good" if share >= GOOD_FROM else "wrong" if share <= WRONG_UP_TO else "partial"


def measure(bank: Bank, cases: Sequence[Case], judge: Judge) -> dict[str, Any]:
    """All figures, over all cases and by language. Undefined ones are None."""
    rows = [(case, judge(case)) for case in cases]
    table = {"all": _figures(bank, rows)}
    for language in LANGUAGES:
        table[language] = _figures(bank, [r for r in rows if r[0].language == language])
    return table


def _figures(bank: Bank, rows: Sequence[tuple[Case, Judgement]]) -> dict[str, Any]:
    from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score

    truth: list[str] = []
    found: list[str] = []
    for case, judgement in rows:
        given = {v.criterion: v.outcome for v in judgement.verdicts}
        for criterion, outcome in case.outcomes.items():
            truth.append(outcome)
            found.append(given.get(criterion, "unsure"))
    bands = [("wrong" if c.band == "empty" else c.band, band_of(talk_share(bank, c, j))) for c, j in rows]
    shares: dict[str, list[float]] = {}
    for case, judgement in rows:
        shares.setdefault(case.band, []).append(talk_share(bank, case, judgement))
    return {
        "answers": len(rows),
        "verdicts": len(truth),
        "accuracy": _round(accuracy_score(truth, found)) if truth else None,
        "kappa": _round(cohen_kappa_score(truth, found)) if len(set(truth)) > 1 else None,
        "macro_f1": _round(f1_score(truth, found, labels=OUTCOMES, average="macro", zero_division=0))
        if truth
        else None,
        "majority_accuracy": _round(max(truth.count(o) for o in OUTCOMES) / len(truth)) if truth else None,
        "band_accuracy": _round(sum(a == b for a, b in bands) / len(bands)) if bands else None,
        "band_kappa": _round(cohen_kappa_score(*zip(*bands, strict=True))) if len({a for a, _ in bands}) > 1 else None,
        "mean_share": {band: _round(sum(v) / len(v)) for band, v in sorted(shares.items())},
        "credit_without_need": _round(_rate(truth, found, "not_met", {"met", "partial"})),
        "missed_credit": _round(_rate(truth, found, "met", {"not_met"})),
    }


def _rate(truth: Iterable[str], found: Iterable[str], of: str, become: set[str]) -> float | None:
    hits = [f in become for t, f in zip(truth, found, strict=True) if t == of]
    return sum(hits) / len(hits) if hits else None


def _round(value: float | None) -> float | None:
    return None if value is None else round(float(value), 3)


FOLDS = 4


def cross_fitted(bank: Bank, embedder: Embedder) -> dict[str, EmbeddedJudge]:
    """For each question a judge whose head was trained without it."""
    questions = sorted(bank.questions)
    examples = all_examples(bank, embedder)
    judges: dict[str, EmbeddedJudge] = {}
    for fold in range(FOLDS):
        held = set(questions[fold::FOLDS])
        judge = EmbeddedJudge(embedder, fit([e for e in examples if e.question not in held]))
        judges |= dict.fromkeys(held, judge)
    return judges


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.judging", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--split", choices=("dev", "test", "all"), default="test")
    parser.add_argument("--cases", default="judging", help="case file or folder below evals/cases")
    parser.add_argument("--shipped", action="store_true", help="measure the shipped head, which knows all rubrics")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    bank, embedder = open_content()
    shipped = EmbeddedJudge(embedder) if arguments.shipped else None
    judges = dict.fromkeys(bank.questions, shipped) if shipped else cross_fitted(bank, embedder)
    chosen = [
        c
        for c in read_cases(arguments.cases)
        if arguments.split == "all" or (c.question in TEST) == (arguments.split == "test")
    ]
    table = measure(
        bank,
        chosen,
        lambda c: judges[c.question].judge(bank.questions[c.question], bank.rubrics[c.question], c.thread, c.language),
    )
    if arguments.json:
        print(json.dumps(table, indent=1))
    else:
        _print(table)
    return 0


def _print(table: dict[str, Any]) -> None:
    names = [name for name in table["all"] if name != "mean_share"]
    print(f"{'':22}" + "".join(f"{language:>9}" for language in table))
    for name in names:
        print(f"{name:22}" + "".join(f"{row[name]!s:>9}" for row in table.values()))
    for band in table["all"]["mean_share"]:
        print(f"{'share, ' + band:22}" + "".join(f"{row['mean_share'].get(band)!s:>9}" for row in table.values()))


if __name__ == "__main__":
    sys.exit(main())
