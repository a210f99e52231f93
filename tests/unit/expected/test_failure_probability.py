"""Expected failure probabilities against direct integration, sums over datasets, other densities, and limits."""

import functools
import math

import numpy as np
import pytest
from scipy.stats import beta, norm

from disclosure.beliefs.inclusion import Levels
from disclosure.expected.failure_probability import expected_failure_probability
from disclosure.expected.large_epsilon import failure_probability_at_large_epsilon
from disclosure.expected.union_mass import expected_union_mass
from disclosure.mechanisms import gaussian
from disclosure.numerics.errors import ConvergenceError, DomainError
from tests.unit.expected import importance_sampling
from tests.unit.expected.given_release import two_neighbours
from tests.unit.expected.infinitely_many import infinitely_many

DELTA = 10**-1.1


@pytest.mark.parametrize(("attributes", "shape"), [("uniform", (1.0, 1.0)), (("beta", 2.0, 3.0), (2.0, 3.0))])
def test_one_neighbour_fails_in_its_bad_region(attributes, shape):
    """The mean of equation (15) over two independent people, by a product rule that its flat start at distance 0 allows."""
    nodes, weights = np.polynomial.legendre.leggauss(120)
    people = (nodes + 1) / 2
    mass = weights / 2 * beta.pdf(people, *shape)
    sigma = gaussian.calibrate(1.0, DELTA, definition="probabilistic")
    region = gaussian.bad_region_mass(sigma, 1.0, np.abs(people[:, None] - people))
    value, error = expected_failure_probability(9, 8, 1.0, DELTA, attributes)
    assert value == pytest.approx(float(mass @ region @ mass), rel=1e-6)
    assert error <= 1e-6 * value


@pytest.mark.parametrize(("epsilon", "delta"), [(0.474, 7.3e-5), (0.0829, 6.6e-4), (1.098, 0.5526)])
def test_many_neighbours_approach_the_limit_of_infinitely_many(epsilon, delta):
    """The difference from the limit falls like 1 / p, so two p tell it; rules that miss its kinks are off by 1e-6 to 1e-5."""
    many, more = (expected_failure_probability(p + 1, 1, epsilon, delta, rtol=1e-3) for p in (10**8, 10**9))
    limit = infinitely_many(epsilon, delta, 4)
    assert more.value - (many.value - more.value) / 9 == pytest.approx(limit, rel=1e-7)
    for value, error in (many, more):
        assert error < 1e-5 * value


def test_a_billion_neighbours_have_their_mean():
    value, error = expected_failure_probability(10**9 + 1, 1, 1.0, DELTA)
    assert value == pytest.approx(3.3065e-5, rel=2e-5)
    assert value == pytest.approx(infinitely_many(1.0, DELTA, 4), rel=1e-6)
    assert error < 1e-6 * value


def prior_free_levels(epsilon, prior):
    """Levels of log g at which the ratio 1 / (p + (1 - p) g) is e^epsilon, and e^-epsilon."""
    low = (math.exp(-epsilon) - prior) / (1 - prior)
    return Levels(math.log(low) if low > 0 else -math.inf, math.log((math.exp(epsilon) - prior) / (1 - prior)))


@pytest.mark.parametrize(
    ("epsilon", "delta", "effort", "rtol"),
    [(1.0, DELTA, (12, 12, 10), 1e-6), (0.2, 0.5, (12, 12, 10), 1e-6), (10.0, DELTA, (8, 3, 6), 1e-5)],
)
def test_two_neighbours_by_direct_integration(epsilon, delta, effort, rtol):
    sigma = gaussian.calibrate(epsilon, delta, definition="probabilistic")
    value, error = expected_failure_probability(3, 1, epsilon, delta)
    levels = two_neighbours.symmetric(epsilon)
    assert value == pytest.approx(two_neighbours.expected_failure_probability(levels, sigma, *effort), rel=rtol)
    assert error <= 1e-6 * value


@pytest.mark.parametrize(("epsilon", "both_sides", "effort"), [(1.0, True, (10, 6, 8)), (2.0, False, (12, 12, 10))])
def test_prior_free_bounds_of_two_neighbours_by_direct_integration(epsilon, both_sides, effort):
    """From epsilon = log 3 on, no ratio exceeds e^epsilon: three candidates are equally likely."""
    sigma = gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
    levels = prior_free_levels(epsilon, 1 / 3)
    assert (levels.low > -math.inf) == both_sides
    known = two_neighbours.expected_failure_probability(levels, sigma, *effort)
    for method in ("releases", "datasets"):
        value, error = expected_failure_probability(3, 1, epsilon, DELTA, rtol=1e-5, bounds="prior_free", method=method)
        assert value == pytest.approx(known, rel=1e-5)
        assert error <= 1e-5 * value


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_prior_free_bounds_of_one_neighbour_are_two_normal_tails(epsilon):
    """log g = -(z c + c^2 / 2), c the gap of two uniform attributes, of density 2 (1 - d) at the distance d."""
    sigma = gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
    levels = prior_free_levels(epsilon, 1 / 2)
    nodes, weights = np.polynomial.legendre.leggauss(400)
    d, weights = (nodes + 1) / 2, weights / 2
    c = d / sigma
    mass = norm.cdf(-(levels.high / c + c / 2)) + norm.cdf(levels.low / c + c / 2)
    value = expected_failure_probability(9, 8, epsilon, DELTA, rtol=1e-6, bounds="prior_free").value
    assert value == pytest.approx(float(weights @ (2 * (1 - d) * mass)), rel=1e-6)


def test_prior_free_bounds_at_a_large_epsilon_fail_by_one_neighbour_alone():
    """g > e^epsilon then comes from one term; the others help it by a quarter, and ever less."""
    epsilon = 40.0
    sigma = gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
    level = math.log((math.exp(epsilon) - 1 / 11) / (10 / 11)) + math.log(10)
    nodes, weights = np.polynomial.legendre.leggauss(2_000)
    d, weights = (nodes + 1) / 2, weights / 2
    alone = 10 * float(weights @ (2 * (1 - d) * norm.cdf(-(level / (d / sigma) + d / sigma / 2))))
    value = expected_failure_probability(100, 90, epsilon, DELTA, rtol=1e-3, bounds="prior_free").value
    assert alone < value < 1.3 * alone


@pytest.mark.parametrize(
    ("neighbours", "epsilon", "delta", "attributes", "rtol"),
    [
        (2, 0.2, DELTA, "uniform", 1e-5),
        (3, 1.0, DELTA, ("beta", 2.0, 1.2), 1e-4),
        (2, 1.0, 0.2, ("beta", 20.0, 20.0), 1e-4),
        (5, 1.0, DELTA, "uniform", 1e-4),
    ],
)
def test_few_neighbours_by_releases_and_by_datasets(neighbours, epsilon, delta, attributes, rtol):
    """Two methods that have nothing in common but the density."""
    arguments = neighbours + 1, 1, epsilon, delta, attributes, rtol
    releases, datasets = (
        expected_failure_probability(*arguments, method=method) for method in ("releases", "datasets")
    )
    assert abs(releases.value - datasets.value) < releases.error + datasets.error < 2 * rtol * datasets.value


def test_sums_over_datasets_are_refused_where_they_do_not_agree():
    with pytest.raises(ConvergenceError, match='use method = "releases"'):
        expected_failure_probability(11, 1, 1.0, DELTA, method="datasets")
    with pytest.raises(DomainError, match="method = 'both' is not known"):
        expected_failure_probability(11, 1, 1.0, DELTA, method="both")


@pytest.mark.parametrize(("neighbours", "epsilon", "delta"), [(10, 0.01, DELTA), (10, 1.0, 1e-12), (10, 1.0, 0.99)])
def test_the_whole_range_is_within_reach(neighbours, epsilon, delta):
    value, error = expected_failure_probability(neighbours + 1, 1, epsilon, delta, rtol=1e-3)
    assert 0 < value <= expected_union_mass(neighbours + 1, 1, epsilon, delta).value
    assert error <= 1e-3 * value


def test_a_density_moved_to_another_interval_changes_nothing():
    moved = (lambda x: 12 * ((x + 3) / 5) * (1 - (x + 3) / 5) ** 2 / 5, -3.0, 2.0)
    value = expected_failure_probability(4, 1, 1.0, DELTA, moved).value
    known = expected_failure_probability(4, 1, 1.0, DELTA, ("beta", 2.0, 3.0)).value
    assert value == pytest.approx(known, rel=1e-6)


@pytest.mark.parametrize("ends", [(0.0, 0.4, 0.6, 1.0), pytest.param((0.0, 1.0), marks=pytest.mark.long)])
def test_a_box_inside_its_interval_is_the_uniform_density_moved(ends):
    """The stated interval sets the noise, the box everything else."""
    box = (lambda x: np.where((x > 0.4) & (x < 0.6), 5.0, 0.0), *ends)
    sigma = 5 * gaussian.calibrate(1.0, DELTA, definition="probabilistic")
    known = expected_failure_probability(11, 1, 1.0, DELTA, sigma=sigma, rtol=1e-3).value
    assert expected_failure_probability(11, 1, 1.0, DELTA, box, 1e-3).value == pytest.approx(known, rel=2e-4)


@pytest.mark.parametrize(("neighbours", "epsilon"), [(3, 100.0), (4, 3000.0)])
def test_sums_over_datasets_that_agree_by_chance_are_not_taken(neighbours, epsilon):
    """Failing datasets then fill so small a part of all that a coarse rule tells their share by luck only."""
    sigma = gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
    known, deviation = importance_sampling.expected_failure_probability(neighbours, epsilon, sigma, 100_000, 1)
    value, error = expected_failure_probability(neighbours + 1, 1, epsilon, DELTA, rtol=0.1)
    assert abs(value - known) < error + 4 * deviation


@pytest.mark.parametrize(
    ("neighbours", "epsilon", "shape", "rtol"),
    [
        (2, 1600.0, (1.0, 1.0), 1e-3),
        (3, 10_000.0, (1.0, 1.0), 1e-2),
        (10, 100.0, (1.0, 1.0), 1e-3),
        (30, 1000.0, (1.0, 1.0), 1e-2),
        (6, 100.0, (2.0, 2.0), 1e-2),
        (40, 100.0, (1.0, 3.0), 1e-2),
        pytest.param(10, 10_000.0, (1.0, 1.0), 1e-3, marks=pytest.mark.long),
        pytest.param(100, 1000.0, (1.0, 1.0), 1e-3, marks=pytest.mark.long),
        pytest.param(3, 10_000.0, (2.0, 2.0), 1e-2, marks=pytest.mark.long),
        pytest.param(10, 1000.0, (0.5, 0.5), 1e-2, marks=pytest.mark.long),
    ],
)
def test_large_epsilon_by_importance_sampling(neighbours, epsilon, shape, rtol):
    sigma = gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
    known, deviation = importance_sampling.expected_failure_probability(neighbours, epsilon, sigma, 100_000, 1, shape)
    value, error = expected_failure_probability(neighbours + 1, 1, epsilon, DELTA, ("beta", *shape), rtol)
    assert deviation < 0.004 * known
    assert abs(value - known) < error + 4 * deviation


@functools.cache
def at_large_epsilon(epsilon, rtol):
    return expected_failure_probability(100, 98, epsilon, DELTA, rtol=rtol)


LARGE = [(1000.0, 1e-2), (10_000.0, 3e-2)]


@pytest.mark.parametrize(("epsilon", "rtol"), LARGE)
def test_two_neighbours_at_a_large_epsilon_do_not_vanish(epsilon, rtol):
    """The term after the limit is of the order of sigma."""
    value, error = at_large_epsilon(epsilon, rtol)
    limit = failure_probability_at_large_epsilon(2, epsilon, DELTA)
    assert error <= rtol * value
    assert abs(value - limit) < 2 * gaussian.calibrate(epsilon, DELTA, definition="probabilistic") * limit + error


@pytest.mark.parametrize(
    ("epsilon", "lowest", "rtol"),
    [
        (1000.0, -0.17, 1e-2),
        pytest.param(1000.0, -0.17, 1e-6, marks=pytest.mark.long),
        pytest.param(10_000.0, -0.057, 1e-6, marks=pytest.mark.long),
    ],
)
def test_two_neighbours_at_a_large_epsilon_by_direct_integration(epsilon, lowest, rtol):
    """Releases below the lowest one weigh less than 1e-9 of the others."""
    sigma = gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
    highest = 0.5 - epsilon * sigma**2  # where the two farthest neighbours just fail
    panels = 16 if rtol < 1e-3 else 6
    nodes, weights = two_neighbours.rule(lowest, highest, panels)
    densities = [two_neighbours.density_below(t, epsilon, sigma, panels=30) for t in nodes]
    value, error = at_large_epsilon(epsilon, rtol)
    assert error <= rtol * value
    assert abs(value - 2 * weights @ densities) < error


def test_what_would_take_too_long_is_refused():
    with pytest.raises(DomainError, match=r"population - sample = 100000000000\.0 is outside \[0, 1e\+09\]"):
        expected_failure_probability(10**11 + 1, 1, 1.0, DELTA)
    with pytest.raises(DomainError, match=r"interval = 1e-06 is outside \[0\.001, inf\)"):
        expected_failure_probability(11, 1, 1.0, DELTA, sigma=1e-6)
