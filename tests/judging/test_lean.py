"""The line between what says a point and what only seems to."""

import numpy as np

from interviewer.judging.lean import ELSEWHERE_MOST, direction, lean


def unit(rng, n, *, towards):
    vectors = rng.normal(size=(n, 32)) * 0.1 + towards
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_unseen_vectors_fall_on_their_side_although_the_groups_share_most_of_their_direction():
    rng = np.random.default_rng(0)
    topic, side, away = np.eye(32)[0], np.eye(32)[1], np.eye(32)[2]
    said, seeming = topic + 0.3 * side, topic - 0.3 * side
    line = direction(unit(rng, 12, towards=said), unit(rng, 9, towards=seeming), unit(rng, 40, towards=away))
    assert lean(unit(rng, 50, towards=said), line).min() > lean(unit(rng, 50, towards=seeming), line).max()
    assert lean(unit(rng, 50, towards=said), line).mean() > 0.3
    assert lean(unit(rng, 50, towards=away), line).mean() < -0.3


def test_a_group_counts_as_a_whole_however_many_members_it_has():
    rng = np.random.default_rng(1)
    said, seeming = unit(rng, 6, towards=np.eye(32)[0]), unit(rng, 6, towards=np.eye(32)[1])
    once = direction(said, seeming, said[:0])
    repeated = direction(said, np.concatenate([seeming] * 20), said[:0])
    probe = unit(rng, 20, towards=np.eye(32)[0] + np.eye(32)[1])
    assert np.abs(lean(probe, once) - lean(probe, repeated)).max() < 0.35


def test_nothing_to_set_it_against_is_no_error():
    said = unit(np.random.default_rng(2), 4, towards=np.eye(32)[0])
    assert np.isfinite(direction(said, said[:0], said[:0])).all()


def test_of_many_rivals_an_even_share_is_used():
    rng = np.random.default_rng(3)
    rivals = unit(rng, ELSEWHERE_MOST * 4, towards=np.eye(32)[2])
    said = unit(rng, 8, towards=np.eye(32)[0])
    assert np.allclose(direction(said, said[:0], rivals), direction(said, said[:0], rivals[::4]), atol=1e-5)
