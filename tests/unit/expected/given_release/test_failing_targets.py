"""The share of failing targets against a sum over targets."""

import numpy as np
import pytest
from scipy.stats import beta

from disclosure.beliefs.inclusion import Levels
from disclosure.expected.densities import Beta, Uniform
from disclosure.expected.given_release.failing_targets import failing
from disclosure.expected.given_release.terms import LOWER, UPPER, term_law
from disclosure.numerics.quadrature import Work
from tests.unit.expected.given_release.two_neighbours import symmetric


@pytest.mark.parametrize(("density", "shape"), [(Uniform(), (1.0, 1.0)), (Beta(2.0, 1.5), (2.0, 1.5))])
@pytest.mark.parametrize(
    ("t", "levels", "sigma"),
    [
        (0.3, symmetric(0.4), 0.5),
        (-0.2, symmetric(1.0), 0.4),
        (0.3, Levels(-0.7, 0.3), 0.4),
        (0.3, Levels(-np.inf, 0.3), 0.4),
    ],
)
@pytest.mark.parametrize("thresholds", [(LOWER, UPPER), (UPPER,)])
def test_targets_fail_beyond_their_thresholds(density, shape, t, levels, sigma, thresholds):
    a = (np.arange(400_000) + 0.5) / 400_000
    term = np.exp(-((t - a) ** 2) / (2 * sigma**2))
    weight = beta.pdf(a, *shape) * term / (sigma * np.sqrt(2 * np.pi)) / 400_000
    law = term_law(t, density, 5, levels, sigma, thresholds, Work())
    largest = np.exp(-((t - law.release.nearest) ** 2) / (2 * sigma**2))
    means = np.array([0.3, 0.55, 0.8, 0.95])  # in units of the largest term
    known = [
        weight[mean * largest > np.exp(levels.high) * term].sum()
        + (weight[mean * largest < np.exp(levels.low) * term].sum() if LOWER in thresholds else 0.0)
        for mean in means
    ]
    held = means - 1 if law.release.centred else means
    assert failing(law, held) == pytest.approx(known, abs=3e-6)
