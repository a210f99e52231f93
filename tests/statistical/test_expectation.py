"""Expected failure probabilities against means of the exact probability over random datasets."""

import numpy as np
import pytest

from disclosure import gaussian, ratio
from disclosure.expectation import expected_failure_probability

DELTA = 10**-1.1
SEED = 20
# Two-sided bounds of 4.5 standard errors: the distribution of rho is skewed, so a little more than a normal one needs.
STANDARD_ERRORS = 4.5


@pytest.mark.parametrize(
    ("neighbours", "epsilon", "delta"),
    [
        *((10, epsilon, DELTA) for epsilon in (0.2, 0.6, 1.0, 2.0)),
        *((neighbours, 1.0, DELTA) for neighbours in (4, 30, 90)),
        *((10, 1.0, delta) for delta in (0.2, 0.5, 0.8)),
    ],
)
def test_means_over_datasets(neighbours, epsilon, delta):
    generator = np.random.default_rng([SEED, neighbours, round(1e6 * epsilon), round(1e6 * delta)])
    datasets = 400_000 // max(neighbours, 4)
    attributes = generator.random((datasets, neighbours + 1))
    sigma = gaussian.calibrate(epsilon, delta)
    gaps = (attributes[:, :1] - attributes[:, 1:]) / sigma
    probabilities = ratio.failure_probability(gaps[..., None], epsilon).value
    value, error = expected_failure_probability(neighbours + 1, 1, epsilon, delta, rtol=1e-4)
    assert error <= 1e-4 * value
    assert abs(probabilities.mean() - value) < STANDARD_ERRORS * probabilities.std() / np.sqrt(datasets)


def importance_sample(neighbours, epsilon, sigma, datasets, near, far):
    """Mean and its standard error, target and neighbours drawn close to opposite ends, either way round."""
    generator = np.random.default_rng([SEED, neighbours, round(epsilon)])
    rates = np.array([near] + [far] * neighbours)
    distances = -np.log1p(generator.random((datasets, neighbours + 1)) * np.expm1(-rates)) / rates

    def log_density(distance):
        return (np.log(rates / -np.expm1(-rates)) - rates * distance).sum(axis=1)

    weights = np.exp(-np.logaddexp(log_density(distances), log_density(1 - distances)) + np.log(2))
    gaps = (distances[:, :1] - (1 - distances[:, 1:])) / sigma
    values = weights * ratio.failure_probability(gaps[..., None], epsilon).value
    return values.mean(), values.std() / np.sqrt(datasets)


@pytest.mark.parametrize(("epsilon", "near", "far", "known"), [(5.0, 3.0, 2.0, None), (20.0, 10.0, 6.0, 6.6e-10)])
def test_large_epsilon_by_importance_sampling(epsilon, near, far, known):
    sigma = gaussian.calibrate(epsilon, DELTA)
    value, _ = expected_failure_probability(11, 1, epsilon, DELTA, rtol=1e-4)
    mean, standard_error = importance_sample(10, epsilon, sigma, 60_000, near, far)
    assert standard_error < 0.03 * mean
    assert abs(mean - value) < STANDARD_ERRORS * standard_error
    if known:
        assert value == pytest.approx(known, rel=0.02)
