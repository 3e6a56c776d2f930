"""What an answer looks like beside a target."""

from __future__ import annotations

import numpy as np
import pytest

from interviewer.adapters.fakes import HashEmbedder
from interviewer.judging.ear import listen_for
from interviewer.judging.features import GREATEST, NAMES, SPAN, Described, describe, pool
from tests.builders import ALPHA, ALPHA_RUBRIC

EMBEDDER = HashEmbedder()
EAR = listen_for(ALPHA_RUBRIC, ALPHA, EMBEDDER).ear()


def described(*texts: str) -> Described:
    """An answer of these spans beside the criteria."""
    return pool(describe(EAR, texts, EMBEDDER.embed(texts), "en")[0])


def column(name: str, *texts: str) -> list[float]:
    """One feature of each span beside `first`."""
    criteria, _ = describe(EAR, texts, EMBEDDER.embed(texts), "en")
    return [float(value) for value in criteria[0][:, SPAN.index(name)]]


def test_there_is_a_number_for_every_name() -> None:
    """A row a target, a column a name, all finite."""
    features = described("first said one way", "something else").features
    assert features.shape == (4, len(NAMES))
    assert np.isfinite(features).all()


def test_misconceptions_are_described_too() -> None:
    """Two targets, one row a span."""
    texts = ["wrong-way it is", "something else", "first"]
    _, beliefs = describe(EAR, texts, EMBEDDER.embed(texts), "en")
    assert [table.shape for table in beliefs] == [(3, len(SPAN))] * 2


def test_names_are_unique() -> None:
    """A head stores them to recognise what it was trained for."""
    assert len(NAMES) == len(set(NAMES))
    assert set(GREATEST) <= set(SPAN)


def test_a_phrasing_is_nearest_to_its_own_target() -> None:
    """The span that says it is the best one."""
    assert described("nothing of the kind", "second said another way", "first said one way").best[:2] == (2, 1)


def test_a_phrasing_met_word_for_word_has_cosine_1() -> None:
    """And all of its words."""
    assert column("meets_same", "first said one way") == [pytest.approx(1, abs=1e-5)]
    assert column("overlap", "first said one way") == [1]


def test_an_echo_of_the_question_shows() -> None:
    """Repeating the question is no answer."""
    assert column("echo", "Tell me about alpha?") == [pytest.approx(1, abs=1e-5)]


def test_a_question_mark_shows() -> None:
    """In both widths."""
    assert column("question", "is it first?", "是吗？", "it is first.") == [1, 1, 0]


def test_a_negation_shows() -> None:
    """Against the nearest phrasing, which has none."""
    assert column("negation_differs", "first is not said one way", "first said one way") == [1, 0]


def test_order_of_spans_does_not_matter() -> None:
    """The greatest is the greatest."""
    one, other = described("first said one way", "else"), described("else", "first said one way")
    assert np.allclose(one.features, other.features)


def test_a_blank_vector_does_no_harm() -> None:
    """A span the embedder makes nothing of."""
    assert np.isfinite(described("").features).all()


def test_many_spans_are_described() -> None:
    """Also those that are not compared word by word."""
    assert described(*(f"span number {i}" for i in range(160))).features.shape == (4, len(NAMES))
