"""Literal releases, threshold releases and exact probabilities agree within bounds from their standard errors."""

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.beliefs import inclusion, regions
from disclosure.expected.union_mass import expected_union_mass
from disclosure.mechanisms import gaussian
from disclosure.study import datasets, simulation, streams, threshold
from disclosure.study.points import Point

POINTS = [
    Point(100, 90, 0.2, 10**-1.1),
    Point(100, 90, 1.0, 10**-1.1),
    Point(100, 99, 1.0, 10**-1.1),
    Point(100, 30, 1.0, 0.5),
    Point(100, 90, 2.0, 0.5),
    Point(100, 90, 1.0, 0.95),
]
SEED = 11
# Of 6 points, 2 methods and 2 bounds; a right program fails one of them with a probability of about 24 times 6e-5.
STANDARD_ERRORS = 4.0


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(
    ("method", "purpose", "releases"),
    [("threshold", streams.Purpose.RELEASES, 200_000), ("literal", streams.Purpose.LITERAL_RELEASES, 4_000)],
)
def test_failure_rates_agree_with_exact_probabilities(point, method, purpose, releases):
    count = 200
    sigma = gaussian.calibrate(point.epsilon, point.delta, definition="probabilistic")
    target, neighbours = datasets.draw(SEED, point, 0, count)
    gaps = regions.standardised_gaps(target, neighbours, sigma)
    generators = (streams.releases(SEED, point, number, purpose) for number in range(count))
    failures = simulation.simulate(target, neighbours, sigma, point.epsilon, releases, generators, method)
    for bounds, counts in zip(inclusion.BOUNDS, failures, strict=True):
        probabilities = inclusion.failure_probability(gaps, point.epsilon, bounds=bounds).value
        standard_error = np.sqrt((releases * probabilities * (1 - probabilities)).sum())
        assert standard_error > 1
        assert abs(counts.sum() - releases * probabilities.sum()) < STANDARD_ERRORS * standard_error + 0.5


@pytest.mark.parametrize("point", POINTS)
def test_union_masses_average_to_their_expected_value(point):
    sigma = gaussian.calibrate(point.epsilon, point.delta, definition="probabilistic")
    target, neighbours = datasets.draw(SEED, point, 0, 20_000)
    masses = regions.union_mass(regions.standardised_gaps(target, neighbours, sigma), point.epsilon).value
    expected = expected_union_mass(*point, sigma=sigma).value
    assert abs(masses.mean() - expected) < STANDARD_ERRORS * masses.std() / np.sqrt(masses.size)


def test_counts_of_one_dataset_are_binomial():
    """Variance of the threshold counts over many streams: every release is drawn, independently."""
    intervals = np.array([[-np.inf, -1.2], [0.1, 0.4], [2.0, np.inf]])
    probability = sum(np.diff(norm.cdf(interval))[0] for interval in intervals)
    releases, repetitions = 1_000, 2_000
    counts = np.array(
        [
            threshold.count([intervals], releases, np.random.Generator(np.random.SFC64(seed)))[0]
            for seed in range(repetitions)
        ]
    )
    variance = releases * probability * (1 - probability)
    assert abs(counts.mean() - releases * probability) < STANDARD_ERRORS * np.sqrt(variance / repetitions)
    assert abs(counts.var() / variance - 1) < STANDARD_ERRORS * np.sqrt(2 / repetitions)
