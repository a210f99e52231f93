"""Near gaps put together, against all of them."""

import math

import numpy as np
import pytest

from disclosure.beliefs import quantiles
from disclosure.people import queries, ratios
from disclosure.people.gaps import gathered
from disclosure.people.neighbour_sets import neighbour_sets
from tests.unit.people.tables import people


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("skewed", [False, True])
def test_log_g_is_off_by_the_error_at_most_and_to_one_side(dimensions, skewed):
    generator = np.random.default_rng(dimensions)
    gaps = generator.normal(size=(3_000, dimensions)) * 0.1
    gaps = gaps**3 * 50 if skewed else gaps
    shares = generator.dirichlet(np.full(3_000, 0.3))
    part = gathered(gaps, shares, 200, 5.0)
    assert len(part.gaps) == len(part.shares) <= 200
    assert part.shares.sum() == pytest.approx(1)
    noise = generator.normal(size=(400, dimensions))
    noise *= np.minimum(1, 5 / np.linalg.norm(noise, axis=1))[:, None] * generator.choice([1.0, 0.1], (400, 1))

    def log_g(c, w):
        return np.log(np.exp(-noise @ c.T - (c**2).sum(axis=1) / 2) @ w)

    excess = log_g(gaps, shares) - log_g(part.gaps, part.shares) - part.shift
    assert (excess > -1e-13).all()
    assert (excess <= part.error).all()
    if not skewed and dimensions < 3:
        assert excess.max() > part.error / 100
        assert part.error < 0.05


def test_gaps_at_one_place_are_one_without_an_error():
    part = gathered(np.full((9, 2), 0.3), np.full(9, 1 / 9), 100, 8.0)
    assert part.gaps == pytest.approx(np.array([[0.3, 0.3]]))
    assert (part.shares.tolist(), part.shift) == ([1.0], pytest.approx(0.0, abs=1e-15))
    assert part.error < 1e-25


def test_what_is_found_with_many_neighbours_is_attained_and_near_the_truth(monkeypatch):
    table = people(np.random.default_rng(3).random((500, 2)) * 10)
    query = queries.linear("sum", table.columns, 300)
    limits = ratios.Limits(table, query, 200)
    sigma, target = limits.reach(0) / 0.3, 0
    sets = neighbour_sets(1, table, 200, target, 1)

    def found():
        moved = ratios.movement(table, query, 200, sigma, target, sets, 1e-3)
        return moved.rise_found, 1 / moved.fall_found, ratios.exceeding(table, query, 200, sigma, target, sets, 2.0)

    exact = found()
    monkeypatch.setattr(ratios, "_MOST_GAPS", {1: 100, 2: 100})
    gathered_ones = found()
    for near, true in zip(gathered_ones, exact, strict=True):
        assert 0.75 * true < near <= true * (1 + 1e-9)
    monkeypatch.setattr(ratios, "_LARGEST_ERROR", 0.0)
    assert all(math.isnan(value) for value in found())


def test_it_is_so_with_a_prior_of_0():
    """What is found at a prior of 0 is the reciprocal of the quantile of g."""
    gaps, shares = np.random.default_rng(4).normal(size=(10, 2)) * 0.2, np.full(10, 0.1)
    low, high = quantiles.ratio_quantiles(gaps, 0.01, shares, 0.0)
    for prior in (0.2,):
        lower, upper = quantiles.ratio_quantiles(gaps, 0.01, shares, prior)
        assert upper == pytest.approx(1 / (prior + (1 - prior) / high), rel=1e-9)
        assert lower == pytest.approx(1 / (prior + (1 - prior) / low), rel=1e-9)
