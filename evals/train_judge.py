"""Train the embedded judge's head: `python -m evals.train_judge`, some minutes on two cores.

Examples are answers beside the criteria and misconceptions of their question:

- labelled answers of `cases/judging` and `cases/training`;
- composed answers: phrasings of a rubric strung together, some criteria met, some only seemingly, some left out. What
  an answer is made of is taken out of the rubric it is held against, in all languages, so nothing matches itself;
- one phrasing, or one look-alike, said alone;
- the interviewer's own words said back.

The head is a multinomial logistic regression over features that know nothing of a particular criterion (and a logistic
regression for misconceptions), so it carries over to rubrics it has never seen: `evals.judging` measures exactly that.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from evals.case_files import Case, read_cases
from interviewer.bank import Bank
from interviewer.config import load_config
from interviewer.domain import LANGUAGES, Language, Turn
from interviewer.judging.ear import Material, Phrases, Target, listen_for, phrase_texts
from interviewer.judging.features import NAMES, Table, describe, pool
from interviewer.judging.head import SHIPPED, Head
from interviewer.judging.spans import spans
from interviewer.ports import Embedder
from interviewer.wiring import open_bank, open_embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLASSES = ("not_met", "partial", "met")
COMPOSED = 8
"""Composed answers a question and language."""
COMPOSED_WEIGHT = 0.1
ECHOED_WEIGHT = 0.3
TERSE = 8
"""One-sentence answers a question and language, half of them right."""
TERSE_WEIGHT = 0.2
PENALTY = 0.05
"""Inverse strength of the L2 penalty (`C` of scikit-learn)."""
CUTS = {"met": 0.45, "partial": 0.55, "misconception": 0.7}
ASKED_BONUS = 0.7
"""Log-odds added to `met` when the span answers a follow-up aimed at the criterion: the probe has raised the prior."""
SEED = 7


@dataclass(frozen=True)
class Example:
    """One target beside one answer. `label` is an index of CLASSES for a criterion, 0 or 1 for a misconception."""

    question: str
    language: Language
    case: str
    target: str
    kind: Literal["criterion", "misconception"]
    features: NDArray[np.float64]
    label: int
    weight: float


def labelled_examples(bank: Bank, embedder: Embedder, cases: Sequence[Case]) -> Iterator[Example]:
    """Examples of answers labelled by people; blank answers have nothing to describe and are left out."""
    materials = _Materials(bank, embedder)
    for case in cases:
        ear = materials[case.question].ear()
        outcomes = {
            t.id: CLASSES.index(case.outcomes.get(t.id, "not_met"))
            for t in ear.criteria
            if t.id in case.outcomes or case.band == "empty"
        }
        voiced = {t.id: int(t.id in case.misconceptions) for t in ear.misconceptions}
        yield from _examples(
            materials[case.question], embedder, case.text, (case.language, case.id), outcomes, voiced, 1.0
        )


def composed_examples(bank: Bank, embedder: Embedder, questions: Collection[str]) -> Iterator[Example]:
    """Examples of answers strung together from phrasings, each held against a rubric that lacks them."""
    materials = _Materials(bank, embedder)
    for question in sorted(questions):
        for language in LANGUAGES:
            for number in range(COMPOSED):
                rng = random.Random(f"{SEED}/{question}/{language}/{number}")
                answer = _compose(materials[question], language, rng)
                name = f"{question}/{language}/composed-{number}"
                yield from _examples(
                    answer.material,
                    embedder,
                    answer.text,
                    (language, name),
                    answer.outcomes,
                    answer.voiced,
                    COMPOSED_WEIGHT,
                )


def terse_examples(bank: Bank, embedder: Embedder, questions: Collection[str]) -> Iterator[Example]:
    """Examples of one phrasing or one look-alike said alone: that is how people answer a follow-up."""
    materials = _Materials(bank, embedder)
    for question in sorted(questions):
        for language in LANGUAGES:
            for number in range(TERSE):
                rng = random.Random(f"{SEED}/terse/{question}/{language}/{number}")
                answer = _say_one_thing(materials[question], language, rng, right=number % 2 == 0)
                where = (language, f"{question}/{language}/terse-{number}")
                yield from _examples(
                    answer.material, embedder, answer.text, where, answer.outcomes, answer.voiced, TERSE_WEIGHT
                )


def _say_one_thing(material: Material, language: Language, rng: random.Random, *, right: bool) -> _Composed:
    meets, looks = dict(material.meets), dict(material.lookalikes)
    criterion = rng.choice(sorted(meets))
    said: list[str] = []
    group = meets if right else looks
    group[criterion] = _take(group[criterion], language, rng, said)
    outcomes = {c: 2 * int(right and c == criterion) for c in meets}
    silent = dict.fromkeys(material.beliefs, 0)
    held = Material(material.rubric, meets, looks, material.beliefs, material.question)
    return _Composed(said[0], held, outcomes, silent)


def echoed_examples(bank: Bank, embedder: Embedder, questions: Collection[str]) -> Iterator[Example]:
    """Examples of the interviewer's own words said back: questions, probes and hints earn nothing."""
    materials = _Materials(bank, embedder)
    for name in sorted(questions):
        question, rubric = bank.questions[name], bank.rubrics[name]
        said = [question.text, question.rephrased]
        said += [t for c in rubric.talk for t in (c.probe, c.hint) if t is not None]
        said += [m.probe for m in rubric.misconceptions]
        nothing = {c.id: 0 for c in rubric.talk}, {m.id: 0 for m in rubric.misconceptions}
        for number, text in enumerate(said):
            for language in LANGUAGES:
                where = (language, f"{name}/{language}/echoed-{number}")
                statement = text[language].replace("?", ".").replace("？", "。")
                yield from _examples(materials[name], embedder, statement, where, *nothing, ECHOED_WEIGHT)


@dataclass(frozen=True)
class _Composed:
    text: str
    material: Material
    outcomes: dict[str, int]
    voiced: dict[str, int]


def _compose(material: Material, language: Language, rng: random.Random) -> _Composed:
    meets, looks, beliefs = dict(material.meets), dict(material.lookalikes), dict(material.beliefs)
    outcomes: dict[str, int] = {}
    voiced: dict[str, int] = {}
    said: list[str] = []
    ability = rng.choice((0.1, 0.4, 0.8))
    for belief in material.beliefs:
        voiced[belief] = int(rng.random() < 0.25 * (1 - ability))
        if voiced[belief]:
            beliefs[belief] = _take(beliefs[belief], language, rng, said)
    wrong = {c for m in material.rubric.misconceptions if voiced[m.id] for c in m.contradicts}
    for criterion in material.meets:
        met = rng.random() < ability and criterion not in wrong
        outcomes[criterion] = 2 * int(met)
        if met:
            meets[criterion] = _take(meets[criterion], language, rng, said)
        elif rng.random() < 0.5:
            looks[criterion] = _take(looks[criterion], language, rng, said)
    rng.shuffle(said)
    text = " ".join(s if s.endswith((".", "。", "!", "?", "？")) else s + "." for s in said)
    return _Composed(text, Material(material.rubric, meets, looks, beliefs, material.question), outcomes, voiced)


def _take(phrases: Phrases, language: Language, rng: random.Random, said: list[str]) -> Phrases:
    """Say one phrase of the language and take its row out of the group."""
    row = rng.choice([r for r in sorted(set(phrases.rows)) if r > 0])
    said.append(phrases.text(row, language))
    return phrases.without(row)


class _Materials(dict[str, Material]):
    """Rubrics embedded when first asked for."""

    def __init__(self, bank: Bank, embedder: Embedder) -> None:
        super().__init__()
        self._bank, self._embedder = bank, embedder

    def __missing__(self, question: str) -> Material:
        self[question] = listen_for(self._bank.rubrics[question], self._bank.questions[question], self._embedder)
        return self[question]


def _examples(  # noqa: PLR0913 - one answer with all its labels
    material: Material,
    embedder: Embedder,
    text: str,
    name: tuple[Language, str],
    outcomes: dict[str, int],
    voiced: dict[str, int],
    weight: float,
) -> Iterator[Example]:
    found = spans(Turn(seq=0, role="candidate", kind="answer", text=text))
    if not found:
        return
    ear = material.ear()
    texts = [s.text for s in found]
    vectors = embedder.embed(texts)
    tables = describe(ear, texts, vectors, name[0])
    groups: tuple[tuple[Literal["criterion", "misconception"], tuple[Target, ...], Table, dict[str, int]], ...] = (
        ("criterion", ear.criteria, tables[0], outcomes),
        ("misconception", ear.misconceptions, tables[1], voiced),
    )
    for kind, targets, table, labels in groups:
        rows = pool(table).features
        for target, features in zip(targets, rows, strict=True):
            if target.id in labels:
                yield Example(
                    material.rubric.question, name[0], name[1], target.id, kind, features, labels[target.id], weight
                )


def fit(examples: Sequence[Example]) -> Head:
    """Both models on these examples."""
    names = sorted({e.question for e in examples})
    digest = hashlib.sha256(b"".join(e.features.tobytes() + bytes([e.label]) for e in examples)).hexdigest()[:12]
    spec: dict[str, Any] = {
        "version": "",
        "trained_on": {
            "questions": names,
            "answers": len({e.case for e in examples}),
            "examples": len(examples),
            "data": digest,
        },
        "features": list(NAMES),
        "asked_bonus": ASKED_BONUS,
        "cuts": CUTS,
    }
    for kind in ("criterion", "misconception"):
        spec[kind] = _logistic([e for e in examples if e.kind == kind])
    spec["version"] = version_of(spec)
    return Head(spec)


def version_of(spec: dict[str, Any]) -> str:
    """Changes with any number that decides a verdict, so that verdicts of one version are of one judge."""
    decides = [spec[part] for part in ("features", "asked_bonus", "cuts", "criterion", "misconception")]
    return f"4-{hashlib.sha256(json.dumps(decides).encode()).hexdigest()[:12]}"


def _logistic(examples: Sequence[Example]) -> dict[str, Any]:
    from sklearn.linear_model import LogisticRegression

    x = np.array([e.features for e in examples])
    y = np.array([e.label for e in examples])
    w = np.array([e.weight for e in examples])
    mean, scale = np.average(x, axis=0, weights=w), x.std(axis=0) + 1e-3
    model = LogisticRegression(C=PENALTY, max_iter=5000)
    model.fit(np.clip((x - mean) / scale, -4, 4), y, sample_weight=w)
    return {
        "mean": mean.round(6).tolist(),
        "scale": scale.round(6).tolist(),
        "weights": model.coef_.T.round(6).tolist(),
        "bias": model.intercept_.round(6).tolist(),
    }


def all_examples(bank: Bank, embedder: Embedder) -> list[Example]:
    """Everything a head learns from."""
    return [
        *labelled_examples(bank, embedder, labelled_cases()),
        *composed_examples(bank, embedder, bank.questions),
        *echoed_examples(bank, embedder, bank.questions),
        *terse_examples(bank, embedder, bank.questions),
    ]


def labelled_cases() -> tuple[Case, ...]:
    """All answers a head may learn from; `interview_bar` is held out for good."""
    return tuple(c for name in ("judging", "training") for c in read_cases(name) if c.outcomes or c.band == "empty")


def open_content() -> tuple[Bank, Embedder]:
    """The bank, and an embedder that knows every phrasing of its rubrics."""
    config = load_config()
    bank, embedder = open_bank(config), open_embedder(config)
    for name, rubric in bank.rubrics.items():
        embedder.remember(name, phrase_texts(rubric, bank.questions[name]))
    return bank, embedder


def main() -> int:
    bank, embedder = open_content()
    head = fit(all_examples(bank, embedder))
    SHIPPED.write_text(json.dumps(head.spec) + "\n", encoding="utf-8")
    print(f"{SHIPPED.name}: {json.dumps(head.spec['trained_on'])}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
