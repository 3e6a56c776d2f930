"""A question of the bank as one page of Markdown, for its author."""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.bank import Bank
from interviewer.domain import Criterion, Exercise, Language, Misconception, Question


def bank_page(bank: Bank, question_id: str, language: Language) -> str:
    """Everything that the bank knows about a question, in one language. UsageError for an unknown id."""
    question, rubric = bank.question(question_id), bank.rubrics[question_id]
    parts = [*_question(question, language), "## Criteria", *(_criterion(c, language) for c in rubric.criteria)]
    if rubric.misconceptions:
        parts += ["## Misconceptions", *(_misconception(m, language) for m in rubric.misconceptions)]
    if (exercise := bank.exercises.get(question_id)) is not None:
        parts += _exercise(exercise, language)
    return "\n\n".join(parts)


def _question(question: Question, language: Language) -> Iterator[str]:
    yield f"# {question.title[language]}"
    facts = [question.level, question.frequency.replace("_", " "), question.topic, question.kind, *question.sources]
    yield f"*{question.id}: {', '.join(facts)}*"
    yield question.text[language]
    yield f"> {question.rephrased[language].strip()}"
    if question.snippet is not None:
        yield f"## Snippet\n\n{question.snippet.prompt[language]}"
        yield f"```python\n{question.snippet.code.rstrip()}\n```\n\n```\n{question.snippet.output.rstrip()}\n```"
    yield f"## Accepted\n\n{question.accepted.concise[language]}"
    yield from (f"- {erratum[language]}" for erratum in question.errata)
    if question.docs:
        yield f"Read: {', '.join(question.docs)}"


def _criterion(criterion: Criterion, language: Language) -> str:
    marks = [f"{criterion.weight}", f"by {criterion.by}", *(["senior"] if criterion.senior else []), *criterion.checks]
    lines = [f"- **{criterion.id}** ({', '.join(marks)}): {criterion.says[language]}"]
    for name, text in (("probe", criterion.probe), ("hint", criterion.hint)):
        if text is not None:
            lines.append(f"    - {name}: {text[language]}")
    if criterion.meets is not None and criterion.lookalikes is not None:
        lines.append(
            f'    - {len(criterion.meets[language])} phrasings, such as "{criterion.meets[language][0]}"; '
            f'{len(criterion.lookalikes[language])} look-alikes, such as "{criterion.lookalikes[language][0]}"'
        )
    return "\n".join(lines)


def _misconception(misconception: Misconception, language: Language) -> str:
    against = f", contradicts {', '.join(misconception.contradicts)}" if misconception.contradicts else ""
    return (
        f"- **{misconception.id}** (-{misconception.penalty}{against}): {misconception.belief[language]}\n"
        f"    - probe: {misconception.probe[language]}"
    )


def _exercise(exercise: Exercise, language: Language) -> Iterator[str]:
    yield f"## Exercise\n\n{exercise.statement[language]}"
    yield "\n".join(f"- **{name}**: {check.title[language]}" for name, check in exercise.checks.items())
    yield "\n".join(
        f"- `wrong/{name}` ({wrong.killed_by}): {wrong.mistake[language]}" for name, wrong in exercise.wrong.items()
    )
