"""Expected failure probabilities against samples of the exact probability, and the honesty of their error estimates."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import gammaln, roots_jacobi
from scipy.stats import beta

from disclosure.beliefs import inclusion, regions
from disclosure.expected import expectation
from disclosure.expected.expectation import expected_failure_probability, expected_union_mass
from disclosure.mechanisms import gaussian

DELTA = 10**-1.1
SEED = 20
# Two-sided bounds of 4.5 standard errors: the distribution of rho is skewed, so a little more than a normal one needs.
STANDARD_ERRORS = 4.5
# Of all three sweeps of paper A: neighbours, epsilon and delta.
POINTS = [
    *((10, epsilon, DELTA) for epsilon in (0.2, 0.6, 1.0, 1.5, 2.0)),
    *((neighbours, 1.0, DELTA) for neighbours in (2, 4, 30, 90)),
    *((10, 1.0, delta) for delta in (0.2, 0.5, 0.8)),
]


def check_mean(neighbours, epsilon, delta, datasets, shape=(1.0, 1.0)):
    generator = np.random.default_rng([SEED, neighbours, round(1e6 * epsilon), round(1e6 * delta)])
    sigma = gaussian.calibrate(epsilon, delta, definition="probabilistic")
    total, squares, block = 0.0, 0.0, 25_000
    for _ in range(datasets // block):
        attributes = generator.beta(*shape, (block, neighbours + 1))
        gaps = (attributes[:, :1] - attributes[:, 1:]) / sigma
        probabilities = inclusion.failure_probability(gaps[..., None], epsilon).value
        total, squares = total + probabilities.sum(), squares + (probabilities**2).sum()
    mean = total / datasets
    standard_error = np.sqrt((squares / datasets - mean**2) / datasets)
    density = "uniform" if shape == (1.0, 1.0) else ("beta", *shape)
    value, error = expected_failure_probability(neighbours + 1, 1, epsilon, delta, density, rtol=1e-5)
    assert error <= 1e-5 * value
    assert abs(mean - value) < STANDARD_ERRORS * standard_error


@pytest.mark.parametrize(("neighbours", "epsilon", "delta"), POINTS)
def test_means_over_datasets(neighbours, epsilon, delta):
    check_mean(neighbours, epsilon, delta, 25_000 if neighbours > 10 else 75_000)


@pytest.mark.parametrize(
    ("shape", "density_rtol"), [((0.05, 0.05), 1e-2), pytest.param((0.1, 0.1), 1e-3, marks=pytest.mark.long)]
)
def test_means_over_datasets_with_nearly_everybody_at_the_ends(shape, density_rtol):
    """Panels that miss the mass next to an end are 3 to 8% too low for the former."""
    generator = np.random.default_rng([SEED, round(100 * shape[0])])
    sigma, datasets = gaussian.calibrate(1.0, 0.1, definition="probabilistic"), 200_000
    attributes = generator.beta(*shape, (datasets, 9))
    gaps = ((attributes[:, :1] - attributes[:, 1:]) / sigma)[..., None]
    for quantity, exact in (
        (expected_union_mass, regions.union_mass),
        (expected_failure_probability, inclusion.failure_probability),
    ):
        sampled = exact(gaps, 1.0).value
        value, error = quantity(9, 1, 1.0, 0.1, ("beta", *shape), density_rtol)
        assert error <= density_rtol * value
        assert abs(sampled.mean() - value) < STANDARD_ERRORS * sampled.std() / np.sqrt(datasets) + error


@pytest.mark.parametrize(
    ("sigma", "rtol"),
    [(0.05, 1e-3), pytest.param(0.01, 1e-3, marks=pytest.mark.long), pytest.param(0.001, 1e-6, marks=pytest.mark.long)],
)
def test_means_over_datasets_with_little_noise(sigma, rtol):
    generator = np.random.default_rng([SEED, round(1 / sigma)])
    attributes = generator.random((40_000, 11))
    gaps = ((attributes[:, :1] - attributes[:, 1:]) / sigma)[..., None]
    kept = 1 - inclusion.failure_probability(gaps, 1.0).value
    value, error = expected_failure_probability(11, 1, 1.0, 0.1, rtol=rtol, sigma=sigma)
    assert error <= rtol * value
    assert abs(kept.mean() - (1 - value)) < STANDARD_ERRORS * kept.std() / np.sqrt(len(kept)) + error


@pytest.mark.parametrize("shape", [(0.5, 0.5), (1.0, 4.0)])
def test_means_over_datasets_with_other_attributes(shape):
    check_mean(4, 1.0, DELTA, 75_000, shape)


@pytest.mark.long
@pytest.mark.parametrize(("neighbours", "epsilon", "delta"), POINTS)
def test_means_over_a_million_datasets(neighbours, epsilon, delta):
    check_mean(neighbours, epsilon, delta, 1_000_000)


def importance_sample(neighbours, epsilon, sigma, datasets, near, far):
    """Mean and its standard error, target and neighbours drawn close to opposite ends, either way round."""
    generator = np.random.default_rng([SEED, neighbours, round(epsilon)])
    rates = np.array([near] + [far] * neighbours)
    distances = -np.log1p(generator.random((datasets, neighbours + 1)) * np.expm1(-rates)) / rates

    def log_density(distance):
        return (np.log(rates / -np.expm1(-rates)) - rates * distance).sum(axis=1)

    weights = np.exp(-np.logaddexp(log_density(distances), log_density(1 - distances)) + np.log(2))
    gaps = (distances[:, :1] - (1 - distances[:, 1:])) / sigma
    values = weights * inclusion.failure_probability(gaps[..., None], epsilon).value
    return values.mean(), values.std() / np.sqrt(datasets)


@pytest.mark.parametrize(
    ("neighbours", "epsilon", "near", "far", "known"),
    [
        (10, 5.0, 3.0, 2.0, None),
        (10, 10.0, 5.0, 4.0, 2.5e-8),
        pytest.param(10, 20.0, 10.0, 6.0, 6.6e-10, marks=pytest.mark.long),
        (10, 100.0, 30.0, 14.0, 1.9e-13),
        (10, 1000.0, 60.0, 35.0, None),
        pytest.param(2, 1000.0, 45.0, 45.0, 2.32e-7, marks=pytest.mark.long),
        (2, 1600.0, 55.0, 55.0, 1.153e-7),
        pytest.param(2, 10_000.0, 140.0, 140.0, None, marks=pytest.mark.long),
    ],
)
def test_large_epsilon_by_importance_sampling(neighbours, epsilon, near, far, known):
    sigma = gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
    value, _ = expected_failure_probability(neighbours + 1, 1, epsilon, DELTA, rtol=1e-3)
    mean, standard_error = importance_sample(neighbours, epsilon, sigma, 80_000, near, far)
    assert standard_error < 0.04 * mean
    assert abs(mean - value) < STANDARD_ERRORS * standard_error
    if known:
        assert value == pytest.approx(known, rel=0.03)


def over_datasets(neighbours, shape, epsilon, sigma, datasets=300_000):
    """E[rho] by Gauss-Jacobi rules over all attributes, of as many nodes as make so many datasets; and by fewer nodes."""

    def number(order):
        return order * math.comb(order + neighbours - 1, neighbours)

    def mean(order):
        nodes, weights = roots_jacobi(order, shape[1] - 1, shape[0] - 1)
        nodes, log_weights = (nodes + 1) / 2, np.log(weights / weights.sum())
        chosen = np.array(list(itertools.combinations_with_replacement(range(order), neighbours)))
        counts = np.stack([(chosen == k).sum(axis=1) for k in range(order)], axis=1)
        mass = np.exp(gammaln(neighbours + 1) - gammaln(counts + 1).sum(axis=1) + counts @ log_weights)
        total = 0.0
        for node, log_weight in zip(nodes, log_weights, strict=True):
            gaps = (node - nodes[chosen]) / sigma
            total += np.exp(log_weight) * float(mass @ inclusion.failure_probability(gaps[..., None], epsilon).value)
        return total

    order = max(n for n in range(4, 90) if number(n) <= datasets)
    return mean(order), mean(round(0.8 * order))


def known_problem(generator):
    """A random problem whose answer has a second source: the estimate, and the true value to many more digits."""

    def log_uniform(low, high):
        return float(np.exp(generator.uniform(np.log(low), np.log(high))))

    epsilon, delta, rtol = log_uniform(0.05, 5.0), log_uniform(1e-6, 0.9), log_uniform(1e-6, 1e-3)
    sigma = gaussian.calibrate(epsilon, delta, definition="probabilistic")
    kind = generator.choice(["union by quadrature", "one neighbour", "few", "few, by releases", "many", "many"])
    if kind == "union by quadrature":
        # Over a density that does not say it is the uniform one; known in closed form.
        neighbours = round(log_uniform(1, 1e4))
        estimate = expected_union_mass(neighbours + 1, 1, epsilon, delta, (np.ones_like, 0.0, 1.0), rtol)
        return estimate, expected_union_mass(neighbours + 1, 1, epsilon, delta).value
    if kind == "one neighbour":
        # The mass of one bad region over the distance of two people.
        shape = generator.uniform(1.0, 5.0, 2)
        estimate = expected_union_mass(2, 1, epsilon, delta, ("beta", *shape), rtol)
        nodes, weights = np.polynomial.legendre.leggauss(400)
        u, weights = (nodes + 1) / 2, weights / 2
        people, jacobian = u**3 * (10 - 15 * u + 6 * u**2), 30 * u**2 * (1 - u) ** 2
        mass = weights * jacobian * beta.pdf(people, *shape)
        region = gaussian.bad_region_mass(sigma, epsilon, np.abs(people[:, None] - people))
        return estimate, float(mass @ region @ mass)
    if kind in ("few", "few, by releases"):
        # Where Gauss rules over all attributes have so many digits.
        neighbours, shape = int(generator.integers(2, 7)), (1.0, 1.0)
        if generator.random() < 0.5:
            shape = tuple(generator.uniform(0.3, 5.0, 2).round(2))
        known, coarser = over_datasets(neighbours, shape, epsilon, sigma)
        if abs(known - coarser) > 1e-9 * known:
            return known_problem(generator)
        arguments = neighbours + 1, 1, epsilon, delta, "uniform" if shape == (1.0, 1.0) else ("beta", *shape), rtol
        if kind == "few":
            return expected_failure_probability(*arguments), known
        return expectation._over_all_releases(expectation._setting(*arguments, sigma=None)), known
    # Any number of neighbours, by the same method at its finest.
    neighbours = round(log_uniform(6, 1e8))
    estimate = expected_failure_probability(neighbours + 1, 1, epsilon, delta, rtol=rtol)
    return estimate, expected_failure_probability(neighbours + 1, 1, epsilon, delta, rtol=3e-8).value


def exceeding(problems, seed):
    """How many of some random problems have a true error above the estimate."""
    count = 0
    for number in range(problems):
        estimate, known = known_problem(np.random.default_rng([seed, number]))
        count += abs(estimate.value - known) > estimate.error
    return count


def test_error_estimates_of_a_few_problems_hold():
    assert exceeding(3, seed=3) == 0


@pytest.mark.long
def test_error_estimates_are_honest():
    assert exceeding(500, seed=1) <= 5
