"""Tilts of windows against plain means, and Chernoff's bounds against a binomial law."""

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.expected.densities import Uniform
from disclosure.expected.given_release.terms import LOWER, UPPER, term_law
from disclosure.expected.given_release.tilts import tilts_of_windows
from disclosure.numerics.quadrature import Work
from tests.unit.expected.given_release.two_neighbours import symmetric


@pytest.fixture(scope="module", params=[(0.3, 10, 1.0, 0.6), (-0.1, 3, 5.0, 0.2), (0.5, 10**6, 1.0, 0.6)])
def law(request):
    t, neighbours, epsilon, sigma = request.param
    return term_law(t, Uniform(), neighbours, symmetric(epsilon), sigma, (LOWER, UPPER), Work())


def terms_by_grid(law, cells=200_000):
    """Terms of evenly spaced attributes, as the law holds them."""
    b = (np.arange(cells) + 0.5) / cells
    release = law.release
    x = np.exp(((release.nearest - release.t) ** 2 - (b - release.t) ** 2) / (2 * release.sigma**2))
    return x - 1 if release.centred else x


def test_tilted_means_and_deviations_are_those_of_the_terms(law):
    tilts, untilted = tilts_of_windows(law)
    terms = terms_by_grid(law)
    seen = np.flatnonzero(tilts.deviation > 0.01 * law.deviation)  # steeper tilts see too few points of the grid
    for theta, mean, deviation in zip(*(column[seen[:: len(seen) // 6]] for column in tilts[:3]), strict=True):
        weights = np.exp(theta * terms - (theta * terms).max())
        weights /= weights.sum()
        assert mean == pytest.approx(weights @ terms, rel=1e-4, abs=1e-9)
        assert deviation == pytest.approx(np.sqrt(weights @ (terms - mean) ** 2), rel=1e-3, abs=1e-9)
    assert tilts.theta[untilted] == 0.0


def test_windows_follow_each_other_within_a_few_deviations_from_end_to_end(law):
    tilts, _ = tilts_of_windows(law)
    bottom, top = law.release.bottom, law.release.top
    assert np.all(np.diff(tilts.theta) > 0)
    steps = np.diff(tilts.mean)
    assert np.all(steps > 0)
    deviations = np.maximum(tilts.deviation[1:], tilts.deviation[:-1]) / np.sqrt(law.neighbours)
    seen = np.abs(tilts.mean[1:] - law.mean) < 7 * law.deviation / np.sqrt(law.neighbours)
    assert np.all(steps[seen] < 4 * deviations[seen])
    if law.neighbours < 100:  # with more, what lies near an end is impossible
        assert tilts.mean[0] - bottom < 0.1 * (top - bottom)
        assert top - tilts.mean[-1] < 0.1 * (top - bottom)


def test_exponents_bound_the_tails_of_the_mean(law):
    """With a million terms close to normal: within a few deviations the bound is e^(-x^2 / 2), above the normal tail."""
    tilts, untilted = tilts_of_windows(law)
    exponents = law.neighbours * tilts.exponent(tilts.mean)
    assert exponents[untilted] == pytest.approx(0.0, abs=1e-12)
    assert np.all(exponents <= 1e-12)
    if law.neighbours == 10**6:
        x = (tilts.mean - law.mean) / (law.deviation / 1000)
        near = (np.abs(x) < 10) & (x != 0)
        assert near.sum() > 4
        assert exponents[near] == pytest.approx(-(x[near] ** 2) / 2, rel=0.02)
        assert np.all(exponents[near] > norm.logsf(np.abs(x[near])))
