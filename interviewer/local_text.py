"""Text in the three languages, and what every noun is made of."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

Language = Literal["en", "ru", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]


class Model(BaseModel):
    """Base of every noun: frozen, unknown fields forbidden."""

    model_config = ConfigDict(frozen=True, extra="forbid")


_WIDE = "[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef“”‘’…—]"
_BETWEEN_WIDE = re.compile(f"(?<={_WIDE}) (?={_WIDE})|(?<=[，。；：！？、）]) (?=[^\\s|*#>-])")


def unfolded(text: str) -> str:
    """The text without the spaces that a folded YAML block leaves where a Chinese line was broken.

    >>> unfolded("梯度会累加， 所以 step 之前要清零")
    '梯度会累加，所以 step 之前要清零'
    """
    return _BETWEEN_WIDE.sub("", text)


Chinese = Annotated[Text, AfterValidator(unfolded)]


class LocalText(Model):
    """One text in the three languages."""

    en: Text
    ru: Text
    zh: Chinese

    def __getitem__(self, language: Language) -> str:
        return {"en": self.en, "ru": self.ru, "zh": self.zh}[language]


class LocalTexts(Model):
    """Several texts in each of the three languages. The lists are parallel in meaning, not translations."""

    en: tuple[Text, ...] = Field(min_length=1)
    ru: tuple[Text, ...] = Field(min_length=1)
    zh: tuple[Chinese, ...] = Field(min_length=1)

    def __getitem__(self, language: Language) -> tuple[str, ...]:
        return {"en": self.en, "ru": self.ru, "zh": self.zh}[language]

    @model_validator(mode="after")
    def _same_count(self) -> Self:
        counts = {language: len(self[language]) for language in LANGUAGES}
        if len(set(counts.values())) > 1:
            raise ValueError(f"the languages have different numbers of texts: {counts}")
        return self
