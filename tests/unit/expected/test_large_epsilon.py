"""The leading term for large epsilon against moments found otherwise, and against importance sampling."""

import math

import pytest
from scipy.integrate import quad
from scipy.stats import norm

from disclosure.expected.large_epsilon import failure_probability_at_large_epsilon
from disclosure.mechanisms import gaussian
from disclosure.numerics.errors import ConvergenceError, DomainError
from tests.unit.expected import importance_sampling

DELTA = 10**-1.1


@pytest.mark.parametrize(
    ("neighbours", "epsilon", "delta", "printed"), [(2, 1600.0, DELTA, 1.155e-7), (10, 100.0, DELTA, 3.009e-13)]
)
def test_values(neighbours, epsilon, delta, printed):
    assert failure_probability_at_large_epsilon(neighbours, epsilon, delta) == pytest.approx(printed, rel=5e-4)


@pytest.mark.parametrize("neighbours", [1, 2, 10])
@pytest.mark.parametrize("delta", [1e-9, DELTA, 0.5, 1 - 1e-6])
def test_moments_by_plain_quadrature(neighbours, delta):
    k = -norm.ppf(delta)
    moment, _ = quad(lambda z: (z - k) ** (neighbours + 1) * norm.pdf(z), k, k + 20, epsabs=0, epsrel=1e-11, limit=200)
    known = 2 / (neighbours + 1) * moment * 2000.0 ** (-(neighbours + 1) / 2)
    assert failure_probability_at_large_epsilon(neighbours, 1000.0, delta) == pytest.approx(known, rel=1e-9)


def test_many_neighbours():
    """At k = 0 the moment is 2^(s/2 - 1) Gamma((s + 1) / 2) / sqrt(pi)."""
    neighbours, epsilon = 99, 300.0
    log = math.log(0.5 / 50) + 49 * math.log(2) + math.lgamma(50.5) + math.log(2 / math.sqrt(math.pi))
    known = math.exp(log - 50 * math.log(2 * epsilon))
    assert failure_probability_at_large_epsilon(neighbours, epsilon, 0.5) == pytest.approx(known, rel=1e-11)


@pytest.mark.parametrize(("neighbours", "factor"), [(1, 2.0), (2, 1.0), (5, 1.7), (10, 12.0)])
def test_the_error_falls_like_one_over_the_root_of_epsilon(neighbours, factor):
    """Against importance sampling, at three epsilons; the factors are the largest seen, doubled."""
    for epsilon in (100.0, 1000.0, 10_000.0):
        sigma = gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
        value, error = importance_sampling.expected_failure_probability(neighbours, epsilon, sigma, 50_000, 1)
        limit = failure_probability_at_large_epsilon(neighbours, epsilon, DELTA)
        assert abs(limit / value - 1) < factor / math.sqrt(epsilon) + 4 * error / value


def test_what_is_refused():
    with pytest.raises(DomainError, match=r"delta = 1\.0 is outside \(0, 1\)"):
        failure_probability_at_large_epsilon(2, 10.0, 1.0)
    with pytest.raises(DomainError, match="neighbours = 0 is not a whole number"):
        failure_probability_at_large_epsilon(0, 10.0, 0.1)
    with pytest.raises(ConvergenceError, match="too small for floating point"):
        failure_probability_at_large_epsilon(1000, 1000.0, 0.1)
