"""An accepted answer in claims."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from interviewer.domain import LANGUAGES, Language, Slug
from interviewer.importing.claims import MAX_CLAIMS, claims_of


@pytest.mark.parametrize(
    ("language", "answer", "says"),
    [
        (
            "en",
            "A view shares storage with its base, but reshape() may have to copy, e.g. after a transpose. So since 2.0",
            [
                "A view shares storage with its base.",
                "reshape() may have to copy, e.g. after a transpose.",
                "So since 2.0.",
            ],
        ),
        (
            "ru",
            "Дополнение выравнивает короткие ряды, а упаковка избавляет от лишних вычислений, т. е. ускоряет работу.",
            [
                "Дополнение выравнивает короткие ряды.",
                "Упаковка избавляет от лишних вычислений, т. е. ускоряет работу.",
            ],
        ),
        (
            "zh",
            "视图与原张量共享存储，而 reshape 在必要时会复制数据。两者形状相同。",
            ["视图与原张量共享存储。", "reshape 在必要时会复制数据。", "两者形状相同。"],
        ),
    ],
)
def test_a_claim_is_a_sentence_or_half_of_a_contrast(language: Language, answer: str, says: list[str]) -> None:
    """Abbreviations and version numbers end no sentence; a half loses the word that tied it to the other."""
    assert [claim.says for claim in claims_of(answer, language)] == says


def test_lists_and_code() -> None:
    """Each bullet is a claim; code is none."""
    found = claims_of(
        "It does two things:\n- it zeroes the gradients\n- it keeps the buffers\n\n```python\nx. Y()\n```", "en"
    )
    assert [claim.says for claim in found] == [
        "It does two things:",
        "It zeroes the gradients.",
        "It keeps the buffers.",
    ]


def test_ids_speak_of_the_claim() -> None:
    """API names first, then words in Latin letters; no id twice."""
    found = claims_of(
        "nn.Module registers parameters. Граф строится на лету. Это он и есть. nn.Module registers parameters.", "ru"
    )
    assert [claim.id for claim in found] == [
        "nn-module-registers-parameters",
        "stroitsya",
        "claim-3",
        "nn-module-registers-parameters-2",
    ]


def test_weights_follow_the_place() -> None:
    """The opening claim most, examples and asides least."""
    found = claims_of("Gradients add up in grad. They are cleared by hand. For example, call zero_grad first.", "en")
    assert [claim.weight for claim in found] == [3, 2, 1]


def test_long_answers_are_joined_not_cut() -> None:
    """At most MAX_CLAIMS, every sentence kept."""
    sentences = [f"Sentence number {n} says something." for n in range(40)]
    found = claims_of(" ".join(sentences), "en")
    assert len(found) == MAX_CLAIMS
    assert " ".join(claim.says for claim in found) == " ".join(sentences)


@given(st.text("ab .,;!?。，；-*#`\n1）(", max_size=300), st.sampled_from(LANGUAGES))
def test_any_text_makes_valid_claims(answer: str, language: Language) -> None:
    """Ids are slugs and unique, claims say something."""
    found = claims_of(answer, language)
    assert len({claim.id for claim in found}) == len(found) <= MAX_CLAIMS
    for claim in found:
        TypeAdapter(Slug).validate_python(claim.id)
        assert claim.says.strip()
