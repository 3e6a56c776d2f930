"""A made-up bank of three questions, small enough to reason about."""

from __future__ import annotations

from interviewer.domain import Criterion, LocalText, LocalTexts, Misconception, Question, Rubric


def same(text: str) -> LocalText:
    """One text for the three languages, marked with each."""
    return LocalText(en=f"{text} (en)", ru=f"{text} (ru)", zh=f"{text} (zh)")


def local(en: str, ru: str, zh: str) -> LocalText:
    """A text in three languages."""
    return LocalText(en=en, ru=ru, zh=zh)


def _criterion(name: str, says: LocalText) -> Criterion:
    phrasings = LocalTexts(en=(says.en,), ru=(says.ru,), zh=(says.zh,))
    vague = LocalTexts(en=("vague",), ru=("туманно",), zh=("含糊",))
    return Criterion(
        id=name,
        weight=1,
        says=says,
        nod=says,
        meets=phrasings,
        lookalikes=vague,
        probe=same("probe"),
        hint=same("hint"),
    )


def _pair(name: str, title: LocalText, facts: list[LocalText], belief: LocalText) -> tuple[Question, Rubric]:
    misconceptions = tuple(
        Misconception(
            id=f"wrong-{number}",
            penalty=1,
            belief=belief,
            sounds_like=LocalTexts(en=(belief.en,), ru=(belief.ru,), zh=(belief.zh,)),
            probe=same("probe"),
        )
        for number in (1, 2)
    )
    criteria = tuple(_criterion(f"fact-{number}", fact) for number, fact in enumerate(facts, 1))
    answer = local(*("\n\n".join(fact[language] for fact in facts) for language in ("en", "ru", "zh")))
    question = Question.model_validate(
        {"id": name, "level": "junior", "frequency": "common", "topic": "training", "kind": "talk", "sources": ["R1"]}
        | {"title": title, "text": title, "rephrased": title, "docs": ["Autograd mechanics"]}
        | {"accepted": {"concise": answer, "full": answer}}
    )
    return question, Rubric(question=name, criteria=criteria, misconceptions=misconceptions)


PAIRS = (
    _pair(
        "zero-grad",
        local(
            "Why call optimizer.zero_grad()?",
            "Зачем вызывать optimizer.zero_grad()?",
            "为什么要调用 optimizer.zero_grad()？",
        ),
        [
            local("backward adds to .grad.", "backward прибавляет к .grad.", "backward 会累加到 .grad。"),
            local("Clear gradients once per step.", "Градиенты обнуляют раз за шаг.", "每次更新清一次梯度。"),
            local("Accumulation is intended.", "Накопление градиентов задумано.", "梯度累积是有意的。"),
            local("The default is None.", "По умолчанию в .grad кладут None.", "默认会把 .grad 设成 None。"),
        ],
        local("backward overwrites .grad.", "backward перезаписывает .grad.", "backward 会覆盖 .grad。"),
    ),
    _pair(
        "dropout",
        local("How does dropout work?", "Как работает дропаут?", "dropout 是怎么工作的？"),
        [
            local("It zeroes random activations.", "Он случайно зануляет активации.", "它随机把激活值置零。"),
            local("The rest is scaled by 1/(1-p).", "Остальные делят на 1-p.", "其余的乘以 1/(1-p)。"),
            local("It is off in eval mode.", "В режиме eval он выключен.", "eval 模式下不起作用。"),
            local("It fights overfitting.", "Он борется с переобучением.", "它用来防止过拟合。"),
        ],
        local("It removes neurons for good.", "Он навсегда удаляет нейроны.", "它会永久删除神经元。"),
    ),
    _pair(
        "dataloader",
        local("How do you speed up a DataLoader?", "Как ускорить DataLoader?", "怎样加快 DataLoader？"),
        [
            local("Use several workers.", "Берут несколько воркеров.", "用多个 worker 进程。"),
            local("Pin host memory.", "Закрепляют память хоста.", "使用锁页内存。"),
            local("Shuffle the training set.", "Обучающую выборку перемешивают.", "训练集要打乱。"),
            local("Prefetch batches ahead.", "Батчи подгружают заранее.", "提前预取 batch。"),
        ],
        local("More workers are always faster.", "Чем больше воркеров, тем быстрее.", "worker 越多越快。"),
    ),
)
