"""Which dimensions a dataset needs, what is chosen for them, and the limits that are the same for all."""

import tracemalloc

import numpy as np
import pytest

from disclosure.gaussian_measure import line, plane, select, space
from disclosure.gaussian_measure.sampling import DEFAULT


def test_the_method_follows_from_the_number_of_dimensions():
    assert [select.measure(dimension) for dimension in (1, 2, 3, 10)] == [line, plane, space, space]


def test_gaps_are_described_in_as_many_dimensions_as_they_need():
    generator = np.random.default_rng(2)
    turn = np.linalg.qr(generator.normal(size=(4, 4)))[0]
    gaps = np.zeros((5, 6, 4))
    for rank in range(4):
        gaps[rank, :, :rank] = generator.normal(size=(6, rank)) * 10.0 ** -np.arange(0, 3 * rank, 3)
    gaps[4, :, :2] = gaps[2, :, :2]
    turned = gaps @ turn
    turned[4, 3] = np.inf, -np.inf, 0.0, 1.0
    groups = {part.shape[-1] if rows[0] else 0: (rows.tolist(), part) for rows, part in select.by_rank(turned, 1.0)}
    assert {rank: rows for rank, (rows, _) in groups.items()} == {0: [0], 1: [1], 2: [2, 4], 3: [3]}
    assert not groups[0][1].any()
    for rank in (1, 2, 3):
        part = groups[rank][1][0]
        assert np.allclose(part @ part.T, gaps[rank] @ gaps[rank].T, rtol=0, atol=1e-13)
    assert groups[2][1][1, 3].tolist() == [np.inf, 0.0]


def test_memory_is_bounded_beside_the_gaps():
    gaps = np.random.default_rng(3).normal(size=(200_000, 10, 2))
    tracemalloc.start()
    ranks = [part.shape[-1] for _, part in select.by_rank(gaps, 1.0)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert set(ranks) == {2}
    assert peak < 2 * gaps.nbytes


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_datasets_of_every_rank_have_the_values_of_their_method(dimension):
    generator = np.random.default_rng(dimension)
    gaps = np.zeros((2, 3, 5, 3))
    gaps[..., :dimension] = generator.normal(size=(2, 3, 5, dimension))
    weights = generator.dirichlet(np.ones(5), size=6)
    flat = gaps[..., :dimension].reshape(6, 5, dimension)
    method = select.measure(dimension)
    for found, expected in (
        (select.mass_outside_strips(gaps, 1.0, DEFAULT), method.mass_outside_strips(flat, 1.0)),
        (
            select.mass_outside_levels(gaps, weights, -0.5, 1.0, DEFAULT),
            method.mass_outside_levels(flat, weights, -0.5, 1.0),
        ),
    ):
        assert found.value.shape == (2, 3)
        assert np.allclose(found.value.ravel(), expected.value, rtol=1e-9 if dimension < 3 else 0.02, atol=0)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_limits(dimension):
    gaps = np.zeros((3, 2, dimension))
    gaps[1, 0, 0], gaps[2, 1, -1] = 1e-101, np.inf
    weights = np.full((1, 2), 0.5)
    for found in (
        select.mass_outside_strips(gaps, 0.0, DEFAULT),
        select.mass_outside_levels(gaps, weights, 0.0, 0.0, DEFAULT),
    ):
        assert found.value.tolist() == [0.0, 1.0, 1.0]
        assert found.error.tolist() == [0.0, 0.0, 0.0]
    assert select.mass_outside_strips(gaps, 1.0, DEFAULT).value.tolist() == [0.0, 0.0, 1.0]
    assert not select.mass_outside_levels(gaps, weights, -np.inf, np.inf, DEFAULT).value.any()
    nobody = np.zeros((3, 0, dimension))
    assert not select.mass_outside_strips(nobody, 1.0, DEFAULT).value.any()
    assert not select.mass_outside_levels(nobody, np.zeros((1, 0)), -1.0, 1.0, DEFAULT).value.any()
