"""A rubric made ready for listening."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from interviewer.adapters.fakes import HashEmbedder
from interviewer.domain import LANGUAGES
from interviewer.judging.ear import Columns, listen_for, phrase_texts
from tests.builders import ALPHA, ALPHA_RUBRIC, BETA, BETA_RUBRIC

if TYPE_CHECKING:
    from numpy.typing import NDArray

MATERIAL = listen_for(ALPHA_RUBRIC, ALPHA, HashEmbedder())
EAR = MATERIAL.ear()


def texts(columns: Columns) -> list[str]:
    return [EAR.texts[i] for i in columns.every]


def test_every_target_is_listened_for() -> None:
    """Criteria decided by talk, and misconceptions."""
    assert [t.id for t in EAR.criteria] == ["first", "second", "third", "fourth"]
    assert [t.id for t in EAR.misconceptions] == ["wrong-way", "off-track"]


def test_code_is_not_listened_for() -> None:
    """Tests decide it."""
    assert [t.id for t in listen_for(BETA_RUBRIC, BETA, HashEmbedder()).ear().criteria] == ["first", "second", "third"]


def test_a_criterion_is_what_it_says_and_its_phrasings() -> None:
    """Three texts in each of three languages."""
    said = texts(EAR.criteria[0].meets)
    assert len(said) == 9
    assert {"The first fact.", "first said one way по-русски", "first said another way 中文"} <= set(said)


def test_each_column_holds_the_vector_of_its_text() -> None:
    """Whatever the layout of the matrix."""
    named = [i for i, text in enumerate(EAR.texts) if text]
    assert np.allclose(EAR.matrix[named], HashEmbedder().embed([EAR.texts[i] for i in named]), atol=1e-6)
    assert EAR.matrix.shape[0] == len(EAR.texts)


def test_a_contradicting_belief_is_a_lookalike() -> None:
    """`wrong-way` contradicts `first`, and no other."""
    assert "wrong-way it is" in texts(EAR.criteria[0].lookalikes)
    assert "wrong-way it is" not in texts(EAR.criteria[1].lookalikes)


def test_a_belief_is_set_against_what_it_contradicts() -> None:
    """Against everything where it contradicts nothing."""
    wrong_way, off_track = EAR.misconceptions
    assert all("first" in text for text in texts(wrong_way.lookalikes))
    assert any("fourth" in text for text in texts(off_track.lookalikes))


def test_rivals_are_everybody_else() -> None:
    """For `first` three other criteria and `off-track`; not the belief that contradicts it."""
    rivals = {EAR.texts[i] for place in EAR.criteria[0].rivals for i in EAR.voices[place]}
    assert not any("first" in text or "wrong-way" in text for text in rivals)
    assert all(any(name in text for text in rivals) for name in ("second", "third", "fourth", "off-track"))


def test_languages_can_be_picked() -> None:
    """A third each, in their own language."""
    columns = EAR.criteria[0].meets
    assert [len(columns.of[language]) for language in LANGUAGES] == [3, 3, 3]
    assert all("по-русски" in EAR.texts[i] for i in columns.of["ru"])
    assert sorted(i for language in LANGUAGES for i in columns.of[language]) == sorted(columns.every)


def test_the_centre_is_the_direction_of_the_phrasings() -> None:
    """Of length 1."""
    target = EAR.criteria[0]
    mean = EAR.matrix[target.meets.every].mean(axis=0)
    assert np.allclose(EAR.matrix[target.centre], mean / np.linalg.norm(mean), atol=1e-5)


def test_a_row_can_be_left_out() -> None:
    """In all languages at once, for honest training."""
    phrases = MATERIAL.meets["first"]
    fewer = phrases.without(1)
    assert phrases.text(1, "ru") == "first said one way по-русски"
    assert len(fewer.texts) == fewer.vectors.shape[0] == 6
    assert 1 not in fewer.rows


class Noting(HashEmbedder):
    """Remembers what it was asked to embed."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen |= set(texts)
        return super().embed(texts)


def test_all_texts_of_an_ear_are_known_beforehand() -> None:
    """What is embedded when listening is what `phrase_texts` names, so that it can be embedded once."""
    noting = Noting()
    listen_for(ALPHA_RUBRIC, ALPHA, noting)
    assert noting.seen == set(phrase_texts(ALPHA_RUBRIC, ALPHA))
