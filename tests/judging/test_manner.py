"""Words that show how somebody speaks."""

from __future__ import annotations

import pytest

from interviewer.judging.manner import CUES, has_code, manners


@pytest.mark.parametrize(
    "text",
    [
        "x = torch.ones(3)",
        "сначала y = model(x), потом loss",
        "写 for x, y in loader 就行",
        "opt.zero_grad(), loss.backward(), opt.step()",
        "torch.save(model.state_dict())",
        "a += 1",
    ],
)
def test_code_does_something(text: str) -> None:
    """In the middle of a sentence of any language."""
    assert has_code(text)


@pytest.mark.parametrize(
    "text",
    [
        "you call zero_grad() first",
        "nn.Linear and nn.Embedding are layers",
        "в torch.nn есть слои (их много)",
        "loss, optimizer, scheduler",
        "there are losses (for example the mean squared error)",
        "",
    ],
)
def test_a_name_is_no_code(text: str) -> None:
    """Nor is a remark in brackets."""
    assert not has_code(text)


def test_manners_are_flags() -> None:
    """One a cue, and one for code."""
    found = manners(["In short, x = 1", "梯度会累加"])
    assert found.shape == (2, len(CUES) + 1)
    assert found[0].tolist() == [1, 0, 0, 0, 1]
    assert not found[1].any()
    assert manners([]).shape == (0, len(CUES) + 1)


@pytest.mark.parametrize("text", ["Thank you, a great question.", "Спасибо, отличный вопрос!", "谢谢，问得真好。"])
def test_politeness_has_no_cue(text: str) -> None:
    """In any language."""
    assert not manners([text]).any()
