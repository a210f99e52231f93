"""Expected values against library quadrature over the plain definition, sums over all datasets, and limits."""

import itertools

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import beta, norm

from disclosure.beliefs import inclusion, regions
from disclosure.expected import expectation
from disclosure.expected.attributes import FromFunction, as_density
from disclosure.expected.expectation import expected_failure_probability, expected_union_mass
from disclosure.mechanisms import gaussian
from disclosure.numerics.errors import ConvergenceError, DomainError
from tests.unit.expected import two_neighbours

DELTA = 10**-1.1


def union_mass(population, sample, epsilon, sigma, density="uniform", rtol=1e-6):
    return expected_union_mass(population, sample, epsilon, 0.5, density, rtol, sigma=sigma).value


def by_quadrature(neighbours, epsilon, sigma):
    """Two nested adaptive integrals over the noise and the target; the bad share of a neighbour from lengths of intervals."""

    def bad_share(a, z):
        center, radius = a + sigma * z, sigma * np.sqrt(z**2 + 2 * epsilon)
        good = max(0.0, min(1.0, center + radius) - max(0.0, center - radius))
        if z**2 > 2 * epsilon:
            inner = sigma * np.sqrt(z**2 - 2 * epsilon)
            good -= max(0.0, min(1.0, center + inner) - max(0.0, center - inner))
        return 1.0 - good

    def over_target(z):
        edges = [
            sigma * s * np.sqrt(z**2 + t * 2 * epsilon) - sigma * z + e
            for s in (1, -1)
            for t in (1, -1)
            for e in (0, 1)
            if z**2 + t * 2 * epsilon >= 0
        ]
        points = sorted({0.0, 1.0, *(edge for edge in edges if 0 < edge < 1)})
        return sum(
            quad(lambda a: 1 - (1 - bad_share(a, z)) ** neighbours, low, high, epsrel=1e-9, epsabs=1e-14)[0]
            for low, high in itertools.pairwise(points)
        )

    kinks = [
        0.0,
        np.sqrt(2 * epsilon),
        abs(2 * epsilon * sigma**2 - 1) / (2 * sigma),
        (2 * epsilon * sigma**2 + 1) / (2 * sigma),
    ]
    points = sorted({0.0, 9.0, *(kink for kink in kinks if kink < 9.0)})
    half = sum(
        quad(lambda z: norm.pdf(z) * over_target(z), low, high, epsrel=1e-8, epsabs=1e-13)[0]
        for low, high in itertools.pairwise(points)
    )
    return 2 * half


@pytest.mark.parametrize(
    ("population", "sample", "epsilon", "delta"),
    [(100, 90, 1.0, 10**-1.1), (100, 10, 1.0, 10**-1.1), (100, 99, 2.0, 0.3), (100, 90, 0.2, 0.95), (10, 7, 5.0, 0.5)],
)
def test_expected_union_mass_equals_nested_quadrature(population, sample, epsilon, delta):
    sigma = gaussian.calibrate(epsilon, delta, definition="probabilistic")
    expected = by_quadrature(population - sample, epsilon, sigma)
    assert union_mass(population, sample, epsilon, sigma) == pytest.approx(expected, rel=1e-6)


def test_one_neighbour_is_the_mean_mass_over_the_distance_of_two_people():
    """The distance of two uniform attributes has density 2 (1 - d)."""
    for epsilon, delta in ((1.0, 10**-1.1), (1.0, 1e-10), (20.0, 0.01), (0.1, 0.999)):
        sigma = gaussian.calibrate(epsilon, delta, definition="probabilistic")
        expected, _ = quad(
            lambda d, s=sigma, e=epsilon: 2 * (1 - d) * float(gaussian.bad_region_mass(s, e, d)),
            0,
            1,
            epsrel=1e-10,
            epsabs=0,
            limit=400,
        )
        assert union_mass(50, 49, epsilon, sigma) == pytest.approx(expected, rel=1e-8)


def test_limits_of_the_expected_union_mass():
    sigma = gaussian.calibrate(1.0, 10**-1.1, definition="probabilistic")
    assert union_mass(100, 100, 1.0, sigma) == 0.0
    assert union_mass(100, 90, 1.0, 0.0) == 1.0
    grown = [union_mass(n, n // 10 * 9, 1.0, sigma) for n in (10, 100, 10**4, 10**6, 10**9)]
    assert np.all(np.diff(grown) > 0)

    # With people everywhere on both sides of the target the good noise reaches from the nearest end of any bad region on the
    # left to that on the right; a side of length d / sigma has them at u on its own side and at v on the other.
    def end(own, other):
        nearest = min(other, np.sqrt(2.0))
        return min(1 / own - own / 2, 1 / nearest + nearest / 2)

    def mass(a):
        sides = a / sigma, (1 - a) / sigma
        return norm.sf(end(*sides)) + norm.sf(end(*sides[::-1]))

    everywhere, _ = quad(mass, 0, 1, epsrel=1e-9, points=[0.5])
    assert grown[-1] == pytest.approx(everywhere, rel=1e-7)


def test_expectation_refuses_what_lies_outside_its_domain():
    with pytest.raises(DomainError, match="sample = 101"):
        expected_union_mass(100, 101, 1.0, 0.5)
    with pytest.raises(DomainError, match="sigma = nan"):
        expected_union_mass(100, 90, 1.0, 0.5, sigma=float("nan"))
    with pytest.raises(DomainError, match="density = 'normal'"):
        expected_failure_probability(100, 90, 1.0, 0.5, "normal")
    with pytest.raises(DomainError, match=r"\(\"discrete\", values, probabilities\)"):
        expected_union_mass(100, 90, 1.0, 0.5, ("discrete", [0.0, 1.0]))
    with pytest.raises(DomainError, match=r"least value -1\.0"):
        expected_failure_probability(100, 90, 1.0, 0.5, (lambda b: -np.ones_like(b), 0.0, 1.0))
    with pytest.raises(DomainError, match=r"gives shape \(\)"):
        expected_failure_probability(100, 90, 1.0, 0.5, (lambda b: 1.0, 0.0, 1.0))
    with pytest.raises(DomainError, match="density has mass 2"):
        expected_failure_probability(100, 90, 1.0, 0.5, (lambda b: 2 * np.ones_like(b), 0.0, 1.0))
    with pytest.raises(DomainError, match=r"probabilities sums to 0\.9"):
        expected_failure_probability(100, 90, 1.0, 0.5, ("discrete", [0.0, 1.0], [0.5, 0.4]))
    with pytest.raises(DomainError, match="at most 1000000"):
        expected_failure_probability(10**6, 1, 1.0, 0.5, ("discrete", [0.0, 0.5, 1.0], [0.2, 0.4, 0.4]))


@pytest.mark.parametrize(("neighbours", "epsilon"), [(10, 0.2)])
def test_quadrature_over_any_density_gives_the_closed_form_for_the_uniform_one(neighbours, epsilon):
    sigma = gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
    flat, error = expected_union_mass(neighbours + 1, 1, epsilon, 0.5, (np.ones_like, 0.0, 1.0), 1e-6, sigma=sigma)
    known = union_mass(neighbours + 1, 1, epsilon, sigma)
    assert error <= 1e-6 * known
    assert flat == pytest.approx(known, rel=5e-8)


@pytest.mark.parametrize(("density", "shape"), [("uniform", (1.0, 1.0)), (("beta", 2.0, 3.0), (2.0, 3.0))])
def test_one_neighbour_fails_in_its_bad_region(density, shape):
    """The mean of equation (15) over two independent people, by a product rule that its flat start at distance 0 allows."""
    nodes, weights = np.polynomial.legendre.leggauss(120)
    people = (nodes + 1) / 2
    mass = weights / 2 * beta.pdf(people, *shape)
    sigma = gaussian.calibrate(1.0, DELTA, definition="probabilistic")
    region = gaussian.bad_region_mass(sigma, 1.0, np.abs(people[:, None] - people))
    value, error = expected_failure_probability(9, 8, 1.0, DELTA, density)
    assert value == pytest.approx(float(mass @ region @ mass), rel=1e-6)
    assert error <= 1e-6 * value


def test_trivial_failure_probabilities():
    assert expected_failure_probability(9, 9, 1.0, DELTA) == (0.0, 0.0)
    assert expected_failure_probability(9, 5, 1.0, 1.0) == (1.0, 0.0)
    assert expected_failure_probability(9, 9, 1.0, 1.0) == (0.0, 0.0)


def test_infinitely_many_neighbours_have_their_mean():
    """Then g is its mean mu(a, z), and the noise fails where |log mu| > epsilon."""
    sigma = gaussian.calibrate(1.0, DELTA, definition="probabilistic")

    def log_mean(a, z):
        # Mirrored where both ends lie far to the right.
        low, high = z + (a - 1) / sigma, z + a / sigma
        share = np.where(z > 0, norm.sf(low) - norm.sf(high), norm.cdf(high) - norm.cdf(low))
        return z**2 / 2 + np.log(sigma * np.sqrt(2 * np.pi) * share)

    # log mu is convex in z, so each level has at most two crossings.
    def mass(a):
        z = np.linspace(-7, 7, 2_001)
        failing = np.abs(log_mean(a, z)) > 1.0
        changes = np.flatnonzero(np.diff(failing))
        ends = [brentq(lambda y: abs(log_mean(a, y)) - 1.0, z[i], z[i + 1], xtol=1e-13) for i in changes]
        total, inside, begin = 0.0, failing[0], -np.inf
        for end in [*ends, np.inf]:
            if inside:
                total += norm.sf(-end) - norm.sf(-begin) if end < 0 else norm.sf(begin) - norm.sf(end)
            begin, inside = end, not inside
        return total

    nodes, weights = np.polynomial.legendre.leggauss(40)
    limit = sum(w * mass(a) for a, w in zip((nodes + 1) / 4, weights / 2, strict=True))
    value, error = expected_failure_probability(10**9 + 1, 1, 1.0, DELTA)
    assert limit == pytest.approx(3.3065e-5, rel=2e-5)
    assert value == pytest.approx(limit, rel=1e-6)
    assert error < 1e-6 * value


@pytest.mark.parametrize(
    ("epsilon", "delta", "effort", "rtol"),
    [(1.0, DELTA, (16, 24, 12), 1e-6), (0.2, 0.5, (16, 24, 12), 1e-6), (10.0, DELTA, (8, 3, 6), 1e-5)],
)
def test_two_neighbours_by_direct_integration(epsilon, delta, effort, rtol):
    sigma = gaussian.calibrate(epsilon, delta, definition="probabilistic")
    value, error = expected_failure_probability(3, 1, epsilon, delta)
    assert value == pytest.approx(two_neighbours.expected_failure_probability(epsilon, sigma, *effort), rel=rtol)
    assert error <= 1e-6 * value


@pytest.mark.parametrize(
    ("neighbours", "epsilon", "delta", "density"),
    [
        (2, 0.2, DELTA, "uniform"),
        (3, 1.0, DELTA, ("beta", 2.0, 1.2)),
        (2, 1.0, 0.2, ("beta", 20.0, 20.0)),
        (5, 1.0, DELTA, "uniform"),
    ],
)
def test_few_neighbours_by_releases_and_by_datasets(neighbours, epsilon, delta, density):
    """Two methods that have nothing in common but the density."""
    setting = expectation._setting(neighbours + 1, 1, epsilon, delta, density, 1e-6, None)
    releases, datasets = expectation._over_all_releases(setting), expectation._over_datasets(setting)
    assert abs(releases.value - datasets.value) < releases.error + datasets.error < 2e-6 * datasets.value


@pytest.mark.parametrize(("epsilon", "delta"), [(0.474, 7.3e-5), (0.0829, 6.6e-4), (1.098, 0.5526)])
def test_many_neighbours_round_the_kinks_of_their_limit(epsilon, delta):
    """Over a few standard deviations of a mean that hardly varies: a rule that misses them is off by 1e-6 to 1e-5."""
    coarse, fine = (expected_failure_probability(10**8, 1, epsilon, delta, rtol=rtol) for rtol in (1e-3, 3e-8))
    assert coarse.value == pytest.approx(fine.value, abs=coarse.error + fine.error)
    assert coarse.error < 1e-5 * coarse.value


@pytest.mark.parametrize(("neighbours", "epsilon", "delta"), [(10, 0.01, DELTA), (10, 1.0, 1e-12), (10, 1.0, 0.99)])
def test_the_whole_range_is_within_reach(neighbours, epsilon, delta):
    value, error = expected_failure_probability(neighbours + 1, 1, epsilon, delta, rtol=1e-4)
    assert 0 < value <= expected_union_mass(neighbours + 1, 1, epsilon, delta).value
    assert error <= 1e-4 * value


def test_values_with_probabilities_by_all_datasets():
    values, probabilities, epsilon = np.array([-1.0, 0.5, 2.0]), np.array([0.5, 0.2, 0.3]), 0.7
    density = "discrete", values, probabilities
    sigma = gaussian.calibrate(epsilon, 0.3, 3.0, definition="probabilistic")
    total = np.zeros(2)
    for kinds in itertools.product(range(3), repeat=5):
        gaps = (values[kinds[0]] - values[list(kinds[1:])])[:, None] / sigma
        mass = float(regions.union_mass(gaps, epsilon).value), float(inclusion.failure_probability(gaps, epsilon).value)
        total += np.prod(probabilities[list(kinds)]) * np.array(mass)
    assert expected_union_mass(20, 16, epsilon, 0.3, density).value == pytest.approx(total[0], rel=1e-12)
    assert expected_failure_probability(20, 16, epsilon, 0.3, density).value == pytest.approx(total[1], rel=1e-12)
    # Without noise a neighbour of another value tells everything; the ratio fails when the target's own value is rare enough.
    assert expected_union_mass(6, 5, epsilon, 1.0, density).value == pytest.approx(1 - (probabilities**2).sum())


def test_a_density_moved_to_another_interval_changes_nothing():
    moved = (lambda x: 12 * ((x + 3) / 5) * (1 - (x + 3) / 5) ** 2 / 5, -3.0, 2.0)
    value = expected_failure_probability(51, 1, 1.0, DELTA, moved).value
    assert value == pytest.approx(expected_failure_probability(51, 1, 1.0, DELTA, ("beta", 2.0, 3.0)).value, rel=1e-6)


@pytest.mark.parametrize("quantity", [expected_union_mass, expected_failure_probability])
@pytest.mark.parametrize("density", ["uniform", ("beta", 2.0, 2.0), ("discrete", [0.0, 1.0], [0.5, 0.5])])
def test_nothing_is_an_answer_only_when_shown(quantity, density):
    """Neighbours times the mass of the farthest one's bad region bound both; at sigma = 1000 that is about e^-500000."""
    value, error = quantity(100, 90, 1.0, 0.1, density, sigma=1e3)
    assert value == 0.0
    assert 0 < error <= 5e-324


def test_what_is_too_small_for_floats_is_refused_unless_shown_to_be_nothing():
    """The bound is 10^-322 here; hardly anybody is at the distance that it is for."""
    sigma = brentq(lambda s: np.log(10) + norm.logcdf(-s + 0.5 / s) + 741.0, 30, 45)
    with pytest.raises(ConvergenceError, match="too small for floating point"):
        expected_failure_probability(100, 90, 1.0, 0.1, sigma=sigma)


def test_two_neighbours_at_a_large_epsilon_do_not_vanish():
    """Design's limit E[rho] ~ 2/(p+1) E[(Z-k)_+^{p+1}] (2 epsilon)^{-(p+1)/2}; the next term is of the order of sigma."""
    k = -norm.ppf(DELTA)
    moment, _ = quad(lambda z: (z - k) ** 3 * norm.pdf(z), k, 12)
    for epsilon in (1000.0, 10_000.0):
        value, error = expected_failure_probability(100, 98, epsilon, DELTA, rtol=1e-3)
        limit = 2 / 3 * moment * (2 * epsilon) ** -1.5
        assert error <= 1e-3 * value
        assert abs(value / limit - 1) < 2 * gaussian.calibrate(epsilon, DELTA, definition="probabilistic")


@pytest.mark.parametrize(
    ("epsilon", "lowest"), [(1000.0, -0.17), pytest.param(10_000.0, -0.057, marks=pytest.mark.long)]
)
def test_two_neighbours_at_a_large_epsilon_by_direct_integration(epsilon, lowest):
    """At the default rtol; releases below the lowest one weigh less than 1e-9 of the others."""
    sigma = gaussian.calibrate(epsilon, DELTA, definition="probabilistic")
    highest = 0.5 - epsilon * sigma**2  # where the two farthest neighbours just fail
    nodes, weights = two_neighbours.rule(lowest, highest, 16)
    densities = [two_neighbours.density_below(t, epsilon, sigma, panels=30) for t in nodes]
    value, error = expected_failure_probability(100, 98, epsilon, DELTA)
    assert error <= 1e-6 * value
    assert abs(value - 2 * weights @ densities) < error


def test_a_density_is_uniform_by_its_kind():
    """A function that happens to be smooth has its own expected union mass."""
    parabola = FromFunction(lambda x: 6 * x * (1 - x), np.array([0.0, 1.0]))
    value = expected_union_mass(100, 90, 1.0, DELTA, parabola).value
    assert value == pytest.approx(expected_union_mass(100, 90, 1.0, DELTA, ("beta", 2.0, 2.0)).value, rel=1e-6)
    uniform = expected_union_mass(100, 90, 1.0, DELTA).value
    assert expected_union_mass(100, 90, 1.0, DELTA, as_density(("beta", 1.0, 1.0))).value == uniform
    assert value < uniform / 3


@pytest.mark.parametrize("ends", [(0.0, 0.4, 0.6, 1.0), pytest.param((0.0, 1.0), marks=pytest.mark.long)])
def test_a_box_inside_its_interval_is_the_uniform_density_moved(ends):
    """The stated interval sets the noise, the box everything else."""
    density = (lambda x: np.where((x > 0.4) & (x < 0.6), 5.0, 0.0), *ends)
    sigma = 5 * gaussian.calibrate(1.0, DELTA, definition="probabilistic")
    known = expected_union_mass(11, 1, 1.0, DELTA, sigma=sigma).value
    assert expected_union_mass(11, 1, 1.0, DELTA, density, 1e-4).value == pytest.approx(known, rel=1e-6)
    known = expected_failure_probability(11, 1, 1.0, DELTA, sigma=sigma, rtol=1e-4).value
    assert expected_failure_probability(11, 1, 1.0, DELTA, density, 1e-4).value == pytest.approx(known, rel=2e-4)


def test_what_would_take_too_long_is_refused():
    with pytest.raises(DomainError, match=r"population - sample = 100000000000\.0 is outside \[0, 1e\+09\]"):
        expected_failure_probability(10**11 + 1, 1, 1.0, DELTA)
    with pytest.raises(DomainError, match=r"interval = 1e-06 is outside \[0\.001, inf\)"):
        expected_failure_probability(11, 1, 1.0, DELTA, sigma=1e-6)


def test_work_ends_at_what_is_allowed(monkeypatch):
    monkeypatch.setattr(expectation, "_MOST_WORK", 100.0)
    with pytest.raises(
        ConvergenceError, match=r"expected failure probability for 10 neighbours.*within the work allowed"
    ):
        expected_failure_probability(11, 1, 1.0, DELTA)
    with pytest.raises(ConvergenceError, match=r"expected union mass for 10 neighbours.*within the work allowed"):
        expected_union_mass(11, 1, 1.0, DELTA, ("beta", 2.0, 2.0))
