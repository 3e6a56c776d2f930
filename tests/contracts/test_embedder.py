"""What every embedder promises, the real one and the fake alike."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from interviewer.adapters.embedder import UseEmbedder
from interviewer.adapters.fakes import HashEmbedder
from interviewer.ports import Embedder

_REAL = UseEmbedder()


@pytest.fixture(params=["real", "fake"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return _REAL if request.param == "real" else HashEmbedder()


def test_rows_are_unit_vectors(embedder: Embedder) -> None:
    """One float32 row a text, of length 1, in every language."""
    rows = embedder.embed(["gradients add up", "градиенты копятся", "梯度会累加"])
    assert rows.shape == (3, embedder.dimension)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, rtol=1e-5)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimension)


@pytest.mark.parametrize("blank", ["", " \n\t", "\0", "\u200b\u200d", "\ufeff"])
def test_a_blank_text_is_a_zero_row(embedder: Embedder, blank: str) -> None:
    """Nothing visible matches nothing, alone or among other texts."""
    assert not embedder.embed([blank]).any()
    rows = embedder.embed(["gradient", blank, "loss"])
    assert rows[0].any()
    assert not rows[1].any()
    assert rows[2].any()


@pytest.mark.parametrize(
    "hostile", ["\ud800", "a\0b", "😀👩‍🚀", "\u202egnp.exe", "�" * 100, "[PAD] <s> </s>", "\U0010ffff"]
)
def test_hostile_texts_give_finite_rows(embedder: Embedder, hostile: str) -> None:
    rows = embedder.embed([hostile, "x"])
    assert np.isfinite(rows).all()
    assert np.linalg.norm(rows[0]) == pytest.approx(1.0, rel=1e-5)


def test_a_text_has_the_same_vector_alone_in_a_batch_and_again(embedder: Embedder) -> None:
    text = "zero_grad clears .grad"
    batch = embedder.embed(["first", text, "梯度"])
    np.testing.assert_allclose(embedder.embed([text])[0], batch[1], atol=1e-5)
    np.testing.assert_array_equal(embedder.embed([text]), embedder.embed([text]))


def test_composed_and_decomposed_letters_are_one_text(embedder: Embedder) -> None:
    """й typed as one character or as и with a breve."""
    np.testing.assert_array_equal(embedder.embed(["с\u043bо\u0439"]), embedder.embed(["с\u043bо\u0438\u0306"]))


def test_shared_words_bring_texts_together(embedder: Embedder) -> None:
    anchor, near, far = embedder.embed(
        ["gradients accumulate in .grad", "in .grad gradients accumulate twice", "the weather in Paris is mild"]
    )
    assert anchor @ near > anchor @ far


def test_a_very_long_text_is_cut_not_chewed(embedder: Embedder) -> None:
    """A pasted book costs no more than its beginning."""
    page = "梯度累加到 .grad 里。" * 1000
    np.testing.assert_allclose(embedder.embed([page])[0], embedder.embed([page * 20])[0], atol=1e-5)


def test_threads_may_share_it(embedder: Embedder) -> None:
    texts = [f"thought number {i} about gradients" for i in range(16)]
    expected = embedder.embed(texts)
    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda text: embedder.embed([text])[0], texts))
    np.testing.assert_allclose(np.array(rows), expected, atol=1e-5)
