"""Releases of answers of several dimensions fail as often as the exact probabilities say."""

import numpy as np
import pytest

from disclosure.beliefs import inclusion, regions
from disclosure.mechanisms import gaussian
from disclosure.study import literal

SEED = 31
# Of 18 comparisons; a right program fails one of them with a probability of about 18 times 6e-5.
STANDARD_ERRORS = 4.0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 0.5), (0.5, 0.6), (1.0, 0.8)])
def test_counts_of_releases_agree_with_exact_probabilities(epsilon, delta, dimension, weighted):
    generator = np.random.default_rng([SEED, dimension, round(10 * epsilon), weighted])
    sigma, releases = gaussian.calibrate(epsilon, delta, np.sqrt(dimension), definition="probabilistic"), 8_000
    counts, expected, variance, errors = np.zeros(2), np.zeros(2), np.zeros(2), np.zeros(2)
    for _ in range(7):
        answers = generator.random((9, dimension))
        # Target and neighbours are often alike where attributes are whole numbers.
        answers[1:] = np.where(generator.random((8, 1)) < 0.1, answers[0], answers[1:])
        weights = generator.dirichlet(np.ones(8)) if weighted else None
        counts += literal.count_by_mechanism(
            gaussian, sigma, answers[0], answers[1:], epsilon, releases, generator, weights
        )[:2]
        gaps = regions.standardised_gaps(answers[0], answers[1:], sigma)
        estimates = inclusion.failure_probability(gaps, epsilon, weights), regions.union_mass(gaps, epsilon)
        probabilities, error = (np.array(part) for part in zip(*estimates, strict=True))
        expected += releases * probabilities
        variance += releases * probabilities * (1 - probabilities)
        errors += releases * error
    assert (expected > 10).all()
    assert (np.abs(counts - expected) < STANDARD_ERRORS * np.sqrt(variance) + errors).all()
