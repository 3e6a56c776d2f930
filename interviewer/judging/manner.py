"""Words that show how somebody speaks, in three languages: what sentence vectors, made for topics, see only dimly.

A cue alone earns nothing ("in short, it depends"): it is one feature beside the sentence's vector. Politeness, length
and grammar have no cue on purpose. Code is recognised by its shape.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

CUES: tuple[str, ...] = (
    # putting things in order, in plain words
    r"in (?:one|a) (?:line|sentence|word|nutshell)|\bin short\b|\bshortly\b|\bplain words\b|simply put|put simply"
    r"|\bto sum up\b|short answer|main (?:point|thing)|comes? down to|boils down|\bI mean\b|\bthat is,|\bnamely\b"
    r"|\bmeans? (?:that|nobody|we)|\bit means?\b|\bthink of\b|\bimagine\b|\bfirst\b.*\bsecond|\bin order\b|one by one"
    r"|\b(?:two|three|four)\b[\w ]{0,20}\b(?:reasons|things|parts|steps|ideas|cases)\b|keep them apart"
    r"|\bthe (?:gist|essence|point) is\b|put differently|in other words|\bis (?:just|simply|nothing but)\b"
    r"|\b(?:split|divide) (?:that|it|this|the)"
    r"|(?:straight to|answer) your question|\bit's like\b|what matters is"
    r"|коротк|кратко|одн(?:ой|а) (?:фраз|строк)|одним словом|просты\w* слов|проще говоря|\bглавное\b|сводится к"
    r"|а именно|\bто есть\b|имею в виду|представ(?:ьте|им)|\bитого\b|по порядку|во-первых.*во-вторых|\bэто когда\b"
    r"|(?:две|два|три|четыре) (?:\w+ )?(?:причин|част|вещ|шаг|иде|случа)|\bзначит\b|одну за другой"
    r"|(?:раз|по)дел(?:ю|ил)\b"
    r"|\bсуть\b|иначе говоря|другими словами|\bэто (?:просто|как)\b|отвечаю прямо|сразу отвечу|важен не\b|мой ответ"
    r"|一句话|简单(?:讲|说)|说白了|总结|关键在于|归根|也就是|指的是|所谓|好比|想(?:成|象)|按顺序|第一.*第二|意思是|一块一块"
    r"|要点|本质上|换句话说|换言之|其实就是|就像|直接回答|分成[两三四]|重要的不是|我的答案"
    r"|[两三四](?:个|块|点|部分|方面)[^。]{0,8}(?:原因|：)|分(?:开|[两三四]块)",
    # what the speaker did
    r"\b(?:I|we)\b[^.?!]{0,40}\b(?:\w+ed|had|ran|saw|took|cost|went|won|found|spent|made|built|wrote|shipped|joined)\b"
    r"|\b(?:my|our)\b[^.?!]{0,60}\b(?:project|team|service|cluster|model|thesis|work|job|company|bank|pull request)"
    r"|\b(?:previous|last|former) (?:team|job|company|project)\b|at university|internship"
    r"|прошл\w+ (?:команд|работ|проект|фирм)|стажировк|университет"
    r"|(?:\bя\b|\bмы\b|у нас|наш\w*|мо[йеё]\w*|\bмне\b)[^.?!]{0,60}\b\w+(?:л|ла|ли|лся|лись|ало|ило)\b"
    r"|\b(?:делал|переписал|сравнил|проверял|учили|искал)\b"
    r"|(?:我|我们)[^。？]{0,30}(?:过|了|的时候|在)|去年|有一次|上一?个(?:项目|公司|团队)|实习|接手|大学",
    # working with the interviewer
    r"[?？]|correct myself|think aloud|let me (?:test|redo|work|check|try)|\bwait\b|you are right|your example|I doubt"
    r"|hold on|scratch (?:that|what)|I (?:mixed|confused)|(?:check|confirm) (?:one|with you)|\b(?:premise|assumption)\b"
    r"|поправлю себя|вслух|давайте (?:заново|выведу)|проверю на ваш|\bстоп\b|вы правы|сомневаюсь|секунду"
    r"|перепутал|погодите|забудьте, что я|хотя нет|уточнить у вас|проверить с вами"
    r"|我要更正|边想边说|您的?例子|您说得对|等一下|稍等|我重新|推出来|不对|搞混|弄反|那句不算|跟您确认|前提",
    # where knowledge comes from
    r"\bI (?:\w+ )?read\b|release notes|\bpapers?\b|tutorial|\bcourse\b|\bnotes\b|\bsource\b|\btalk\b|look it up"
    r"|\blearn(?:ed|t)?\b|changed my|my view|used to think|since then|from scratch|\b(?:recently|lately)\b|reproduc"
    r"|\blast (?:week|month)\b|documentation|I follow|script"
    r"|\b(?:article|blog post|implementation|release|official example)\b|(?:convinced|showed) me"
    r"|had (?:never|understood)"
    r"|прочитал|прочёл|прочел|стать[яюи]|урок|курс|исходник|доклад|узна[лв]|посмотрел бы|переубедил|мнение|раньше я"
    r"|с тех пор|с нуля|\b(?:недавно|на прошлой неделе)\b|документац|слежу за|воспроизв|список своих"
    r"|\b(?:пост|релиз|анонс)\b|реализаци|исходный код|официальный пример|(?:убедила?|показал\w*) мн|открою"
    r"|неправильно (?:понимал|представлял)"
    r"|论文|教程|课|源码|分享|更新说明|去查|查(?:阅|资料|文档)|从零|最近|上周|上个月|以前觉得|看法|论坛|复现|清单|才知道|文档|文章|博客|才发现|源代码|官方(?:示例|例子)|新版本"
    r"|自己看|回头我会",
)
"""One pattern a habit. Each is a feature of every criterion; what it is worth to which is fitted."""

_COMPILED = tuple(re.compile(cue, re.IGNORECASE) for cue in CUES)
_CODE = re.compile(
    r"\w\s?=\s?[\w(\[\"']"  # x = f
    r"|\w\([^()\s]+[^()]*\)|\w\([\w.]+\("  # f(x), f(g(
    r"|\bdef \w+\(|\bfor \w+(?:, ?\w+)* in \w|\breturn \w+|\w\[[^\]]+\]|\+=|`[^`]*[(=][^`]*`"
    r"|\w+\(\)[,、]? .*\w+\(\)"  # f() and then g()
)


def has_code(text: str) -> bool:
    """Whether the text contains code that does something. Naming a function is not enough.

    >>> has_code("y = (x * 2).sum()"), has_code("you call zero_grad() first"), has_code("torch.nn has losses")
    (True, False, False)
    """
    return _CODE.search(text) is not None


def manners(texts: Sequence[str]) -> NDArray[np.float64]:
    """(n, len(CUES) + 1) of 0 and 1: which cues each text has, and whether it has code."""
    rows = [[*(cue.search(text) is not None for cue in _COMPILED), has_code(text)] for text in texts]
    return np.array(rows, dtype=np.float64).reshape(len(texts), len(CUES) + 1)
