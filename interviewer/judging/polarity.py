"""Negation and opposites: what sentence vectors do not see.

"Gradients never pile up" lies close to "gradients pile up". Two word lists make the difference visible: words that
negate, and pairs of poles (adds / replaces, before / after). Small on purpose: a feature, not a parser.
"""

from __future__ import annotations

import re
from functools import lru_cache

_NEGATION = re.compile(
    r"\b(?:not|never|no|nor|neither|without|cannot|nothing|none|hardly|\w+n['’]t)\b"
    r"|(?<!\w)(?:не|ни|нет|без|никогда|нельзя|никак\w*|ничего|незачем|необязательно|вовсе)(?!\w)"
    r"|不(?!同|过|仅|但|管|少|错|断)|没(?!错)|无(?!论|穷)|未|别(?!的|名)|毋|从来",
    re.IGNORECASE,
)
_NOT_NEGATING = re.compile(
    r"\bnot only\b|\bno[- ]grad\b|\bno_grad\b|\bno matter\b|\bnot just\b|не только|не просто|不只是?|不止|nan|不好意思",
    re.IGNORECASE,
)

POLES: tuple[tuple[str, str], ...] = (
    (
        r"accumulat|add(?:s|ed|ing)?\b|sum|pile|increment|\+=|plus|stack"
        r"|накаплива|накоп|копят|копит|складыва|суммиру|прибавля|добавля|аккумул|плюс"
        r"|累加|累积|叠加|相加|加到|加上",
        r"overwrit|replac|reset|eras|wip|discard|fresh"
        r"|перезапис|затира|замен|обнуля|сбрасыв|стира"
        r"|覆盖|替换|重置|清零|清空|清掉|抹掉",
    ),
    (r"\bbefore\b|\bprior\b|(?<!\w)до\b|перед|раньше|之前|先", r"\bafter\b|после|потом|затем|之后|以后"),
    (
        r"\bmore\b|larg|bigg|increas|grow|higher|slower|больше|увелич|раст[её]|выше|медленн|更多|变大|增大|增加|更慢",
        r"\bless\b|fewer|small|decreas|shrink|lower|faster|reduc|меньше|уменьш|сниж|ниже|быстр|更少|变小|减小|减少|更快",
    ),
    (r"\btrain|обучени|трениров|训练", r"\beval|inference|test time|инференс|оценк|валидац|推理|评估|测试"),
    (
        r"\balways\b|\bevery\b|\ball\b|всегда|кажд|все(?!го)\b|总是|每|全部|所有",
        r"\bonly\b|\bonce\b|только|один раз|只|仅",
    ),
    (
        r"shar|same (?:memory|storage)|view|общ\w+ памят|раздел|共享|同一",
        r"cop(?:y|ies)|clone|duplicat|копи[рюя]|复制|拷贝",
    ),
    (r"\brow|строк|行", r"\bcolumn|столб|колон|列"),
    (r"dynamic|on the fly|динамич|на лету|动态", r"static|ahead of time|статич|заранее|静态"),
    (r"\bkeep|\bsave|stor|preserv|сохран|хран|保留|保存", r"\bdrop|\blose|discard|forget|теря|выбрас|забыва|丢弃|丢失"),
    (r"divid|делит|делят|除以", r"multipl|умнож|乘"),
    (r"enabl|turn(?:s|ed)? on|включ|启用|打开|开启", r"disabl|turn(?:s|ed)? off|отключ|выключ|关闭|禁用"),
)
"""Pairs of opposite poles as patterns over the three languages."""

_COMPILED = tuple((re.compile(a, re.IGNORECASE), re.compile(b, re.IGNORECASE)) for a, b in POLES)


@lru_cache(maxsize=20_000)
def negated(text: str) -> bool:
    """Whether the text negates something.

    >>> negated("gradients never pile up"), negated("wrap it in no_grad"), negated("градиенты не копятся")
    (True, False, True)
    """
    return _NEGATION.search(_NOT_NEGATING.sub(" ", text)) is not None


@lru_cache(maxsize=20_000)
def poles(text: str) -> tuple[int, ...]:
    """For each pair: 1 for the first pole alone, -1 for the second alone, 0 for neither or both."""
    return tuple(bool(a.search(text)) - bool(b.search(text)) for a, b in _COMPILED)


def conflicts(text: str, other: str) -> int:
    """How many pairs of poles the two texts take opposite sides of."""
    return sum(x * y < 0 for x, y in zip(poles(text), poles(other), strict=True))


def agreements(text: str, other: str) -> int:
    """How many pairs of poles the two texts take the same side of."""
    return sum(x * y > 0 for x, y in zip(poles(text), poles(other), strict=True))
