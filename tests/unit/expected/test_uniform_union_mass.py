"""The union mass of uniform attributes against library quadrature over the plain definition, and limits."""

import itertools

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from disclosure.expected.uniform_union_mass import one_minus_power, uniform_union_mass
from disclosure.mechanisms import gaussian

DELTA = 10**-1.1


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
    ("neighbours", "epsilon", "delta"),
    [(10, 1.0, 10**-1.1), (90, 1.0, 10**-1.1), (1, 2.0, 0.3), (10, 0.2, 0.95), (3, 5.0, 0.5)],
)
def test_expected_union_mass_equals_nested_quadrature(neighbours, epsilon, delta):
    sigma = gaussian.calibrate(epsilon, delta, definition="probabilistic")
    expected = by_quadrature(neighbours, epsilon, sigma)
    assert uniform_union_mass(epsilon, sigma, neighbours) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 10**-1.1), (1.0, 1e-10), (20.0, 0.01), (0.1, 0.999)])
def test_one_neighbour_is_the_mean_mass_over_the_distance_of_two_people(epsilon, delta):
    """The distance of two uniform attributes has density 2 (1 - d)."""
    sigma = gaussian.calibrate(epsilon, delta, definition="probabilistic")

    def mass(d):
        return 2 * (1 - d) * float(gaussian.bad_region_mass(sigma, epsilon, d))

    expected, _ = quad(mass, 0, 1, epsrel=1e-10, epsabs=0, limit=400)
    assert uniform_union_mass(epsilon, sigma, 1) == pytest.approx(expected, rel=1e-8)


def test_limit_of_many_neighbours():
    sigma = gaussian.calibrate(1.0, DELTA, definition="probabilistic")
    grown = [uniform_union_mass(1.0, sigma, neighbours) for neighbours in (1, 10, 1000, 10**5, 10**8)]
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


def test_powers_keep_their_relative_accuracy():
    h = np.array([1e-20, 1e-3, 0.5, 1.0, 1 + 1e-16])
    assert one_minus_power(h, 10**6) == pytest.approx([1e-14, 1.0, 1.0, 1.0, 1.0], rel=1e-13)
