"""Expected union mass against library quadrature over the plain definition, and limits."""

import itertools

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from disclosure import gaussian
from disclosure.domain import DomainError
from disclosure.expectation import expected_union_mass


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
    sigma = gaussian.calibrate(epsilon, delta)
    expected = by_quadrature(population - sample, epsilon, sigma)
    assert expected_union_mass(population, sample, epsilon, sigma) == pytest.approx(expected, rel=1e-6)


def test_one_neighbour_is_the_mean_mass_over_the_distance_of_two_people():
    """The distance of two uniform attributes has density 2 (1 - d)."""
    for epsilon, delta in ((1.0, 10**-1.1), (1.0, 1e-10), (20.0, 0.01), (0.1, 0.999)):
        sigma = gaussian.calibrate(epsilon, delta)
        expected, _ = quad(
            lambda d, s=sigma, e=epsilon: 2 * (1 - d) * float(gaussian.bad_region_mass(s, e, d)),
            0,
            1,
            epsrel=1e-10,
            epsabs=0,
            limit=400,
        )
        assert expected_union_mass(50, 49, epsilon, sigma) == pytest.approx(expected, rel=1e-8)


def test_limits_of_the_expected_union_mass():
    sigma = gaussian.calibrate(1.0, 10**-1.1)
    assert expected_union_mass(100, 100, 1.0, sigma) == 0.0
    assert expected_union_mass(100, 90, 1.0, 0.0) == 1.0
    grown = [expected_union_mass(n, n // 10 * 9, 1.0, sigma) for n in (10, 100, 10**4, 10**6, 10**9)]
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
    assert grown[-1] == pytest.approx(everywhere, rel=1e-4)


def test_expectation_refuses_what_lies_outside_its_domain():
    with pytest.raises(DomainError, match="sample = 101"):
        expected_union_mass(100, 101, 1.0, 1.0)
    with pytest.raises(DomainError, match="sigma = nan"):
        expected_union_mass(100, 90, 1.0, float("nan"))
