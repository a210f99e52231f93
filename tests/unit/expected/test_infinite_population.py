"""Expected values in an infinite population against scans, closed forms, the engine of two mixtures, and many neighbours."""

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import beta

from disclosure.beliefs import mixtures, regions
from disclosure.beliefs.worlds import Mixture
from disclosure.expected.failure_probability import expected_failure_probability
from disclosure.expected.infinite_population import union_mass_of_target
from disclosure.expected.union_mass import expected_union_mass
from disclosure.mechanisms import gaussian
from disclosure.numerics.errors import ConvergenceError, DomainError
from tests.unit.expected.infinitely_many import infinitely_many

DELTA = 10**-1.1


def test_values_at_the_papers_parameters():
    assert expected_failure_probability(math.inf, 90, 1.0, DELTA).value == pytest.approx(3.306498e-5, rel=2e-7)
    assert expected_union_mass(math.inf, 90, 1.0, DELTA).value == pytest.approx(2.535451e-2, rel=2e-7)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.474, 7.3e-5), (0.0829, 6.6e-4), (1.098, 0.5526), (10.0, DELTA)])
def test_failure_probability_by_a_scan_over_the_noise(epsilon, delta):
    value, error = expected_failure_probability(math.inf, 1, epsilon, delta, rtol=1e-7)
    assert value == pytest.approx(infinitely_many(epsilon, delta, 4), rel=1e-7)
    assert error <= 1e-7 * value


def test_failure_probability_of_each_target_as_of_one_world_against_a_uniform_one():
    """The adversary's two laws of the answer: the target's attribute, and anybody's."""
    sigma = gaussian.calibrate(1.0, DELTA, definition="probabilistic")
    nodes, weights = np.polynomial.legendre.leggauss(8)
    anybody = Mixture(pieces=[(0, 1, 1)])
    targets = [([float(a)], [1.0]) for a in np.concatenate([(nodes + 1) / 8, (nodes + 3) / 8])]
    known = [mixtures.failure_probability(a, anybody, a, scale=sigma, low=-1.0, high=1.0).value for a in targets]
    value = expected_failure_probability(math.inf, 1, 1.0, DELTA).value
    assert value == pytest.approx(float(np.tile(weights, 2) @ known / 4), rel=1e-5)


@pytest.mark.parametrize("attributes", ["uniform", ("beta", 0.5, 0.5)])
def test_many_neighbours_approach_infinitely_many(attributes):
    """The difference falls like 1 / p."""
    value, error = expected_failure_probability(math.inf, 1, 1.0, DELTA, attributes, 1e-4)
    many = expected_failure_probability(100_001, 1, 1.0, DELTA, attributes, 1e-4)
    assert 0 < abs(many.value - value) < 3e-4 * value
    assert error < 1e-4 * value


@pytest.mark.parametrize(("epsilon", "delta"), [(0.01, 0.01), (1.0, DELTA), (0.05, 0.9), (1000.0, DELTA)])
def test_union_mass_of_many_neighbours_approaches_that_of_infinitely_many(epsilon, delta):
    value, error = expected_union_mass(math.inf, 1, epsilon, delta)
    assert expected_union_mass(10**9 + 1, 1, epsilon, delta).value == pytest.approx(value, rel=3e-7)
    assert error < 1e-10 * value


@pytest.mark.parametrize(
    ("epsilon", "sigma"), [(1.0, 1.82), (0.05, 3.0), (3.0, 0.3), (0.5, 0.2), (1000.0, 0.0231), (1.0, 0.35)]
)
def test_union_mass_of_a_target_among_everybody_on_a_grid(epsilon, sigma):
    """A grid of neighbours misses the worst one by a step, which changes T in second order."""
    targets = np.array([0.0, 0.01, 0.13, 0.3, 0.41, 0.5, 0.77, 1.0])
    gaps = regions.standardised_gaps(targets[:, None], np.linspace(0, 1, 4001)[:, None], sigma)
    known = regions.union_mass(gaps, epsilon).value
    found = union_mass_of_target(targets, epsilon, sigma)
    assert found == pytest.approx(known, rel=2e-5)
    assert np.all(found >= known * (1 - 1e-12))


@pytest.mark.parametrize(("epsilon", "sigma"), [(1.0, None), (0.5, 0.2), (2.0, 0.42)])
def test_union_mass_for_a_beta_density_by_adaptive_quadrature(epsilon, sigma):
    noise = sigma or gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
    places = np.linspace(0, 1, 41)
    parts = [
        quad(lambda a: beta.pdf(a, 2, 3) * union_mass_of_target(np.float64(a), epsilon, noise), low, high)[0]
        for low, high in itertools.pairwise(places)
    ]
    value, error = expected_union_mass(math.inf, 1, epsilon, DELTA, ("beta", 2.0, 3.0), sigma=sigma)
    assert value == pytest.approx(sum(parts), rel=1e-8)
    assert error < 1e-6 * value


@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_binary_attributes_in_closed_form(epsilon):
    """g = (1 + e^-L) / 2 with the one gap 1 / sigma; it is never below 1/2. Somebody is different, so T is delta."""
    sigma = gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
    known = ndtr(-(np.log(2 * np.exp(epsilon) - 1) * sigma + 0.5 / sigma))
    if epsilon < np.log(2):
        known += ndtr(np.log(2 * np.exp(-epsilon) - 1) * sigma + 0.5 / sigma)
    value = expected_failure_probability(math.inf, 1, epsilon, DELTA, "binary").value
    assert value == pytest.approx(known, rel=1e-11)
    assert expected_union_mass(math.inf, 1, epsilon, DELTA, "binary").value == pytest.approx(DELTA, rel=1e-11)


def test_special_cases():
    for quantity in (expected_failure_probability, expected_union_mass):
        assert quantity(math.inf, 1, 1.0, 1.0).value == 1.0  # no noise
        assert quantity(math.inf, 1, 1.0, 0.1, ("discrete", [2.0], [1.0])) == (0.0, 0.0)  # all alike


def test_what_is_refused():
    with pytest.raises(
        ConvergenceError, match=r"for an infinite population, epsilon = 1000\.0, .* too small for floating"
    ):
        expected_failure_probability(math.inf, 1, 1000.0, DELTA)
    hole = (lambda x: np.where(abs(x - 0.5) > 0.1, 1.25, 0.0), 0.0, 0.4, 0.6, 1.0)
    with pytest.raises(DomainError, match="a density that is 0 somewhere between the ends"):
        expected_union_mass(math.inf, 1, 1.0, DELTA, hole)
    with pytest.raises(DomainError, match="sample = inf is not a whole number"):
        expected_union_mass(math.inf, math.inf, 1.0, DELTA)
    with pytest.raises(DomainError, match="population = -inf is not a whole number"):
        expected_union_mass(-math.inf, 1, 1.0, DELTA)
