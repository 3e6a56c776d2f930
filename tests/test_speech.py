"""The interviewer's own words in three languages."""

from __future__ import annotations

import re

import pytest

from interviewer.domain import LANGUAGES, Language
from interviewer.errors import AuthorError
from interviewer.phrasing import in_language
from interviewer.speech import Speech, speech

FIELDS = tuple(Speech.model_fields)


def texts(language: Language, field: str) -> tuple[str, ...]:
    value = getattr(speech(language), field)
    return (value,) if isinstance(value, str) else value


@pytest.mark.parametrize("field", FIELDS)
def test_variants_have_the_same_placeholders_in_every_language(field: str) -> None:
    """What is filled in for one must be there for all; the exercise's variants may leave a number out."""
    found = {
        language: [set(re.findall(r"\{(\w+)\}", text)) for text in texts(language, field)] for language in LANGUAGES
    }
    unions = {language: set().union(*sets) for language, sets in found.items()}
    assert unions["en"] == unions["ru"] == unions["zh"]
    if not field.startswith("code_"):
        assert all(one == unions["en"] for sets in found.values() for one in sets)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_in_their_language(language: Language, field: str) -> None:
    """No English was left behind."""
    assert all(in_language(re.sub(r"\{\w+\}", "", text), language) for text in texts(language, field))


@pytest.mark.parametrize("field", [f for f in FIELDS if not f.startswith("says_")])
def test_every_language_has_as_many_variants(field: str) -> None:
    """Variants are chosen by number; a language with fewer would repeat itself."""
    assert len({len(texts(language, field)) for language in LANGUAGES}) == 1


def test_variants_wrap_around() -> None:
    """Any number chooses one."""
    words = speech("en")
    assert [words.pick(("a", "b"), n) for n in (0, 1, 2, 101)] == ["a", "b", "a", "b"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_listed_utterance_means_what_it_is_listed_for(language: Language) -> None:
    """As it stands, loud, and with punctuation around it."""
    words = speech(language)
    for said in words.says_dont_know:
        assert all(words.means_dont_know(form) for form in (said, said.upper(), f"  {said}!.. "))
        assert not words.means_repeat(said)
    for said in words.says_repeat:
        assert all(words.means_repeat(form) for form in (said, said.upper(), f"«{said}?»"))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I don't know who calls it, but gradients add up"),
        ("en", "pass the tensor through the layer"),
        ("en", "not sure that is all: backward adds to .grad"),
        ("ru", "не знаю точно, но градиенты складываются"),
        ("zh", "我不知道别的原因，但是梯度会累加"),
        ("en", ""),
        ("en", "..."),
    ],
)
def test_an_answer_that_begins_with_doubt_is_an_answer(language: Language, text: str) -> None:
    """Only a whole utterance counts."""
    assert not speech(language).means_dont_know(text)
    assert not speech(language).means_repeat(text)


def test_apostrophes_and_yo_do_not_matter() -> None:
    """As people type them."""
    assert speech("en").means_dont_know("i dont know") == speech("en").means_dont_know("I don’t know") is True
    assert speech("ru").means_repeat("еще раз, пожалуйста")


def test_an_unknown_language_is_named() -> None:
    """With the languages there are."""
    with pytest.raises(AuthorError, match="no texts for language 'de'") as caught:
        speech("de")
    assert "en, ru, zh" in caught.value.hint
