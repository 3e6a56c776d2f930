"""How a candidate speaks: what is credited, and that length, grammar and politeness are not."""

from __future__ import annotations

from collections import Counter

import pytest

from evals.delivery import Example, measure, read_examples
from interviewer.bank import Bank
from interviewer.domain import LANGUAGES, Language, Thread, Turn
from interviewer.judging.delivery import DeliveryJudge, labels_of
from interviewer.judging.evidence import is_verbatim
from interviewer.ports import Embedder

PLAIN: dict[Language, str] = {
    "en": "Gradients add up until they are cleared. The optimizer then takes a step.",
    "ru": "Градиенты складываются, пока их не обнулят. Потом оптимизатор делает шаг.",
    "zh": "梯度会一直累加，直到清零。然后优化器走一步。",
}
SHOWN: dict[Language, str] = {
    "en": "There are two reasons for this: speed and memory. At work we measured it: our epoch fell to ten minutes.",
    "ru": "Тут две причины: скорость и память. На работе мы это замерили, и наша эпоха сократилась до десяти минут.",
    "zh": "这里有两个原因：速度和显存。我们在公司测过，一个 epoch 降到了十分钟。",
}
POLITE: dict[Language, str] = {
    "en": "Thank you very much for this wonderful question. I am truly grateful to be here, and I hope that is fine.",
    "ru": "Большое спасибо за этот чудесный вопрос. Я очень благодарен, что я здесь, надеюсь, так годится.",
    "zh": "非常感谢您提出这么好的问题。能来这里我十分感激，希望这样可以。",
}
PADDING: dict[Language, str] = {
    "en": "The network consists of layers. Every layer has weights. The weights are numbers. They change in training. ",
    "ru": "Сеть состоит из слоёв. У каждого слоя есть веса. Веса — это числа. При обучении они меняются. ",
    "zh": "网络由层组成。每一层都有权重。权重是一些数。训练时它们会变。",
}


@pytest.fixture(scope="module")
def delivery(bank: Bank, embedder: Embedder) -> DeliveryJudge:
    """The judge as shipped."""
    assert bank.delivery is not None
    return DeliveryJudge(bank.delivery, embedder)


def interview(*answers: str, asked: str = "What happens?") -> Thread:
    """A transcript in which `asked` was answered so."""
    question = Turn(seq=1, role="interviewer", kind="question", text=asked)
    turns = (Turn(seq=2 + i, role="candidate", kind="answer", text=text) for i, text in enumerate(answers))
    return Thread(question="interview", turns=(question, *turns))


def outcomes(delivery: DeliveryJudge, *answers: str) -> dict[str, str]:
    return {v.criterion: v.outcome for v in delivery.judge(interview(*answers)).verdicts}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_shown_is_quoted(delivery: DeliveryJudge, language: Language) -> None:
    """A slice of an answer, in the candidate's own words."""
    transcript = interview(PLAIN[language], SHOWN[language])
    verdicts = {v.criterion: v for v in delivery.judge(transcript).verdicts}
    for name in ("clear-expression", "practical-experience"):
        assert verdicts[name].outcome == "met"
        evidence = verdicts[name].evidence
        assert evidence is not None
        assert is_verbatim(evidence, transcript)
        assert evidence.seq == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_plain_answers_show_nothing(delivery: DeliveryJudge, language: Language) -> None:
    """However right they are."""
    assert set(outcomes(delivery, PLAIN[language]).values()) == {"not_met"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_politeness_is_worth_nothing(delivery: DeliveryJudge, language: Language) -> None:
    """Alone, and around an answer."""
    assert outcomes(delivery, POLITE[language], PLAIN[language]) == outcomes(delivery, PLAIN[language])
    answer = f"{POLITE[language]} {SHOWN[language]} {POLITE[language]}"
    assert outcomes(delivery, answer) == outcomes(delivery, SHOWN[language])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("times", [1, 10, 30])
def test_length_is_worth_nothing(delivery: DeliveryJudge, language: Language, times: int) -> None:
    """Thirty times as much padding neither adds nor takes away."""
    padding = PADDING[language] * times
    assert outcomes(delivery, padding + PLAIN[language]) == outcomes(delivery, PLAIN[language])
    for answer in (padding + SHOWN[language], SHOWN[language] + " " + padding):
        assert outcomes(delivery, answer) == outcomes(delivery, SHOWN[language])


def test_saying_it_thrice_is_saying_it(delivery: DeliveryJudge) -> None:
    """Repetition strengthens nothing: the confidence is that of one sentence."""
    once, thrice = (delivery.judge(interview(*[SHOWN["en"]] * n)).verdicts for n in (1, 3))
    assert [(v.outcome, v.confidence) for v in once] == [(v.outcome, v.confidence) for v in thrice]


def test_the_interviewers_words_are_not_the_candidates(delivery: DeliveryJudge) -> None:
    """Repeating the question is no question of one's own."""
    asked = "How large is the data set in your example?"
    verdicts = {v.criterion: v.outcome for v in delivery.judge(interview(asked, PLAIN["en"], asked=asked)).verdicts}
    assert verdicts["engagement"] == "not_met"
    assert outcomes(delivery, asked)["engagement"] == "met"


@pytest.mark.parametrize("text", ["", " ", "...", "?!"])
def test_nothing_said_is_unsure(delivery: DeliveryJudge, text: str) -> None:
    """Not a fault of the speaker's."""
    assert set(outcomes(delivery, text).values()) == {"unsure"}


@pytest.fixture(scope="module")
def examples() -> tuple[Example, ...]:
    return read_examples("delivery") + read_examples("delivery_heldout")


def test_broken_grammar_is_no_fault(delivery: DeliveryJudge, examples: tuple[Example, ...]) -> None:
    """The same remark of a native and a learner mostly gets the same credit, and learners as often as natives."""
    ids = [c.id for c in delivery.rubric.criteria]
    by_id = {e.id: e for e in examples}
    learners = [e for e in examples if e.group == "non-native"]
    natives = [by_id[e.id.removesuffix("-non-native")] for e in learners]
    credited = [
        [bool(delivery.credits([e.text])[0, ids.index(e.shows[0])]) for e in group] for group in (natives, learners)
    ]
    same = sum(a == b for a, b in zip(*credited, strict=True))
    assert len(learners) >= 20
    assert same >= 0.85 * len(learners)
    assert sum(credited[1]) >= sum(credited[0]) - 3


def test_politeness_and_boasts_are_hardly_ever_credited(delivery: DeliveryJudge, examples: tuple[Example, ...]) -> None:
    """Over all written for the purpose: none of the polite phrases, few of the rest."""
    wrong: Counter[str] = Counter()
    for example in (e for e in examples if not e.shows):
        wrong[example.group] += int(delivery.credits([example.text]).any())
    assert wrong["polite"] == 0
    assert wrong.total() <= 0.08 * sum(not e.shows for e in examples)


def test_what_was_written_afterwards_is_found(delivery: DeliveryJudge) -> None:
    """Recall and precision over examples that nothing was chosen on."""
    found = measure(delivery, read_examples("delivery_heldout"))
    assert found.recall >= 0.6
    assert found.precision >= 0.85


def test_labels_follow_the_texts(delivery: DeliveryJudge) -> None:
    """Row by row in the order of `texts`."""
    rubric, labels = delivery.rubric, labels_of(delivery.rubric)
    assert len(labels) == len(rubric.texts())
    for i, criterion in enumerate(rubric.criteria):
        shown = {t for t, label in zip(rubric.texts(), labels, strict=True) if label == i}
        assert shown == {t for language in LANGUAGES for t in criterion.meets[language]}
