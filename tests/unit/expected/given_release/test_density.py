"""The density of failing releases of two neighbours, against direct sums over the target and one neighbour."""

import numpy as np
import pytest

from disclosure.beliefs.inclusion import Levels
from disclosure.expected.densities import Beta, Uniform
from disclosure.expected.given_release.density import distances_from_kinks, failure_density, log_bound
from disclosure.expected.given_release.settings import Effort
from disclosure.mechanisms import gaussian
from disclosure.numerics.errors import ConvergenceError
from disclosure.numerics.quadrature import Work
from tests.unit.expected.given_release import two_neighbours
from tests.unit.expected.given_release.two_neighbours import symmetric

USUAL, FINE = Effort(16, 18.0, 120.0), Effort(20, 22.0, 240.0)
DELTA = 10**-1.1


def below(t, epsilon, sigma, targets=2_000, order=200):
    """Density of releases near 0 at which the mean of two terms is below its threshold, in logarithms throughout."""
    a = (np.arange(targets) + 0.5) / targets * 12 * sigma
    nodes, weights = np.polynomial.legendre.leggauss(order)
    u, weights = (nodes + 1) / 2, weights / 2

    def distance(log):
        return sigma * np.sqrt(-2 * log)

    largest = np.log(2) - epsilon - ((t - a) / sigma) ** 2 / 2  # the sum of both terms
    nearest = t + distance(largest)
    a, largest, nearest = a[nearest < 1], largest[nearest < 1, None], nearest[nearest < 1, None]
    # A substitution that is flat at both ends, where the other neighbour's share begins and ends.
    b = nearest + (1 - nearest) * u**2 * (3 - 2 * u)
    with np.errstate(divide="ignore"):
        rest = largest + np.log1p(-np.exp(-(((t - b) / sigma) ** 2) / 2 - largest))
    share = np.clip(1 - t - distance(rest), 0, None)
    both = (1 - nearest[:, 0]) * ((6 * u * (1 - u) * share) @ weights)
    normal = np.exp(-(((t - a) / sigma) ** 2) / 2) / (sigma * np.sqrt(2 * np.pi))
    return 12 * sigma / targets * float(normal @ both)


@pytest.mark.parametrize("offset", [-3.0, -2.75, -2.6, -2.0, -1.5])
def test_a_large_epsilon_at_one_release(offset):
    """Terms from e^-1060 to 1; the least mean comes and goes below what all targets fail at."""
    epsilon = 1000.0
    sigma = gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
    value = failure_density(offset * sigma, Uniform(), 2, symmetric(epsilon), sigma, FINE)
    assert value == pytest.approx(below(offset * sigma, epsilon, sigma), rel=3e-5)


@pytest.mark.parametrize("t", [-0.1, -0.0507, -0.0485, -0.0447, -0.036])
def test_a_large_epsilon_at_one_release_to_all_digits(t):
    """No window sees a point at which the law of the mean and the share of failing targets both break off."""
    epsilon = 1000.0
    sigma = gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
    value = failure_density(t, Uniform(), 2, symmetric(epsilon), sigma, USUAL)
    assert value == pytest.approx(two_neighbours.density_below(t, epsilon, sigma), rel=3e-8)


@pytest.mark.parametrize(("t", "sigma"), [(0.41, 0.1), (0.1, 0.1), (-0.1, 0.15)])
def test_little_noise_at_one_release(t, sigma):
    """Most neighbours are so far away that their terms are next to nothing."""
    value = failure_density(t, Uniform(), 2, symmetric(1.0), sigma, FINE)
    assert value == pytest.approx(two_neighbours.density(t, symmetric(1.0), sigma, 12), rel=1e-4)


@pytest.mark.parametrize(("t", "levels", "sigma"), [(0.41, (-1.5, 0.8), 0.1), (-0.1, (-0.7, 1.3), 0.2)])
def test_levels_need_not_be_symmetric(t, levels, sigma):
    value = failure_density(t, Uniform(), 2, Levels(*levels), sigma, FINE)
    assert value == pytest.approx(two_neighbours.density(t, Levels(*levels), sigma, 24), rel=1e-6)


def test_work_is_counted_and_ends():
    work = Work(50.0, "a number")
    with pytest.raises(ConvergenceError, match=r"a number was not found within the work allowed"):
        failure_density(0.3, Uniform(), 2, symmetric(1.0), 0.02, FINE, work=work)
    again = Work()
    for _ in range(2):
        before = again.done
        failure_density(0.3, Uniform(), 2, symmetric(1.0), 0.02, FINE, work=again)
        work.done, last = again.done - before, work.done
    assert work.done == pytest.approx(last, rel=1e-12)
    assert work.done > 50.0


@pytest.mark.parametrize(("epsilon", "sigma"), [(1.0, 0.6), (150.0, 0.05)])
def test_the_bound_is_of_the_order_of_the_density(epsilon, sigma):
    """Below it the density is 0 for a floor above the bound; with one law for both thresholds, and with two."""
    for t in (-0.3, 1.2):
        value, bound = (
            failure_density(t, Uniform(), 5, symmetric(epsilon), sigma, USUAL),
            log_bound(t, Uniform(), 5, symmetric(epsilon), sigma),
        )
        assert 1e-3 < value / np.exp(bound) < 10
        assert failure_density(t, Uniform(), 5, symmetric(epsilon), sigma, USUAL, floor=bound) == 0.0


def test_distances_from_kinks_tell_where_a_threshold_passes_an_end():
    """At the root of a distance e^epsilon or e^-epsilon times the term of a kink is the mean term, here by quadrature."""
    epsilon, sigma, p, t = 0.1, 0.5, 10**4, 0.4
    nodes, weights = np.polynomial.legendre.leggauss(60)
    terms = np.exp(-((((nodes + 1) / 2 - t) / sigma) ** 2) / 2)
    mean = weights @ terms / 2
    deviation = np.sqrt(weights @ (terms - mean) ** 2 / 2 / p) / mean
    kinks = np.array([sign * epsilon - ((t - b) / sigma) ** 2 / 2 for sign in (-1, 1) for b in (0.0, 1.0, t)])
    known = np.add.outer((np.log(mean) - kinks) / deviation, [-6.0, 0.0, 6.0]).ravel()
    assert distances_from_kinks(t, Uniform(), p, symmetric(epsilon), sigma) == pytest.approx(known, rel=1e-4, abs=1e-3)


def test_a_flat_density_that_is_not_the_uniform_one_gives_the_same():
    """By masses on small intervals in place of normal masses."""
    for t in (-0.2, 0.3):
        known = failure_density(t, Uniform(), 10, symmetric(1.0), 0.6, USUAL)
        assert failure_density(t, Beta(1.0, 1.0), 10, symmetric(1.0), 0.6, USUAL) == pytest.approx(known, rel=1e-8)
