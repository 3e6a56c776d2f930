"""Words by which lists mark levels, frequencies, questions and answers, in three languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interviewer.domain import Level
from interviewer.importing.lines import Frequency

_LEVELS: Mapping[Level, str] = {
    "junior": "junior|beginner|basic|easy|entry|entry level|джун|джуниор|младший|начальный|базовый|лёгкий|легкий|初级|"
    "入门|基础|简单",
    "middle": "middle|mid|mid-level|intermediate|medium|мидл|миддл|средний|中级|中等|进阶",
    "senior": "senior|advanced|hard|expert|сеньор|сениор|старший|продвинутый|сложный|高级|资深|困难",
}
_FREQUENCIES: Mapping[Frequency, str] = {
    "very_common": "asked almost always|almost always|always|very common|very often|very_common|high|"
    "спрашивают почти всегда|почти всегда|всегда|очень часто|几乎必问|必问|高频|非常常见",
    "common": "asked often|often|common|sometimes|rare|rarely|medium frequency|low|спрашивают часто|часто|иногда|редко|"
    "спрашивают иногда|спрашивают редко|常见|经常|偶尔|中频|低频|较少",
}
_COLUMNS: Mapping[str, str] = {
    "question": "question|questions|q|text|prompt|вопрос|вопросы|текст|текст вопроса|问题|题目|提问",
    "answer": "answer|answers|a|accepted answer|model answer|accepted_answer|ответ|ответы|принятый ответ|答案|参考答案|"
    "回答",
    "title": "title|term|topic|тема|название|термин|标题|主题|术语",
    "level": "level|difficulty|grade|уровень|сложность|级别|难度|等级",
    "frequency": "frequency|freq|how often|частота|как часто|频率|频次",
    "language": "language|lang|язык|语言",
}


def _table(words: Mapping[Any, str]) -> dict[str, str]:
    return {word: meaning for meaning, listed in words.items() for word in listed.split("|")}


_LEVEL_OF, _FREQUENCY_OF = _table(_LEVELS), _table(_FREQUENCIES)
_COLUMN_OF = _table(_COLUMNS)
_NAME = re.compile(
    r"^(?:level|difficulty|frequency|уровень|сложность|частота|级别|难度|频率)\s*[:：]\s*", re.IGNORECASE
)
_BETWEEN = re.compile(r"[·•|;；,，/]|\s[-–—]\s|\s(?=(?:frequency|частота)\s*:)", re.IGNORECASE)


@dataclass(frozen=True)
class Facts:
    """What a line beside a question says about it."""

    level: Level | None
    frequency: Frequency | None


def level_of(word: str) -> Level | None:
    """
    >>> level_of(" Сеньор "), level_of("初级"), level_of("guru")
    ('senior', 'junior', None)
    """
    found = _LEVEL_OF.get(_bare(word))
    return next((level for level in _LEVELS if level == found), None)


def frequency_of(word: str) -> Frequency | None:
    """
    >>> frequency_of("спрашивают почти всегда"), frequency_of("常见")
    ('very_common', 'common')
    """
    found = _FREQUENCY_OF.get(_bare(word))
    return next((frequency for frequency in _FREQUENCIES if frequency == found), None)


def column_of(name: str) -> str:
    """What a column or key is for: question, answer, title, level, frequency, language, or nothing.

    >>> column_of("Accepted Answer"), column_of("难度"), column_of("id")
    ('answer', 'level', '')
    """
    return _COLUMN_OF.get(_bare(name), "")


def facts_of(line: str) -> Facts | None:
    """What a line says when all it does is to give a level or a frequency, perhaps with remarks after it.

    >>> facts_of("   Junior· спрашивают почти всегда· полный разбор")
    Facts(level='junior', frequency='very_common')
    >>> facts_of("Junior developers ask this often")
    """
    parts = [_NAME.sub("", part.strip(" \\t*_()[]（）【】")) for part in _BETWEEN.split(line.strip().lstrip("-•> "))]
    level = next((level for part in parts if (level := level_of(part))), None)
    frequency = next((often for part in parts if (often := frequency_of(part))), None)
    named = bool(parts) and (level_of(parts[0]) or frequency_of(parts[0]))
    return Facts(level, frequency) if named and len(line) <= 200 else None


def _bare(word: str) -> str:
    return word.strip().strip("\ufeff\"'*_").strip().casefold()


# Decoration that may stand before and after a marker: list numbers, Markdown headings, bold.
_BEFORE = r"^[\s>#\-*•]{0,12}(?:\d{1,4}[.)]\s{1,4})?(?:\*\*|__)?"
_AFTER = r"(?:\*\*|__)?\s{0,3}"
_QUESTION = re.compile(
    _BEFORE
    + r"(?:(?:question|вопрос|问题|题目|q|в|问)\s{0,3}(?:№|no\.|#)?\s{0,3}(?P<number>\d{0,4})|第\s?\d{1,4}\s?题)"
    rf"{_AFTER}(?:(?P<colon>[:：.)、])(?:\*\*|__)?\s*(?P<rest>.*))?$",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    _BEFORE
    + r"(?P<word>accepted answer|model answer|sample answer|answer|принятый ответ|правильный ответ|ответ|参考答案|"
    rf"标准答案|答案|回答|解答|答|a|о)\s{{0,3}}\d{{0,4}}{_AFTER}(?:(?P<colon>[:：.、])(?:\*\*|__)?\s*(?P<rest>.*))?$",
    re.IGNORECASE,
)


def question_mark(line: str) -> str | None:
    """The text after a marker that opens a question ("" when it stands on the next line), or None.

    >>> question_mark("Question 4"), question_mark("**Q:** What is a view?"), question_mark("问题 2：什么是张量？")
    ('', 'What is a view?', '什么是张量？')
    >>> question_mark("Question marks are rare."), question_mark("Вопросы Data Scientist")
    (None, None)
    """
    match = _QUESTION.match(line)
    if match is None or (match["colon"] is None and not (match["number"] or "第" in line)):
        return None
    return (match["rest"] or "").strip()


def answer_mark(line: str) -> str | None:
    """The same for answers.

    >>> answer_mark("Accepted Answer"), answer_mark("A: A shape."), answer_mark("答：视图。"), answer_mark("A shape.")
    ('', 'A shape.', '视图。', None)
    """
    match = _ANSWER.match(line)
    if match is None or (match["colon"] is None and len(match["word"]) == 1):
        return None
    return (match["rest"] or "").strip()
