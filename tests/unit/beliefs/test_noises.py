"""Masses of intervals under each noise, against sums and integrals in 40 digits."""

import functools
import math

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

from disclosure.beliefs import noises
from disclosure.numerics.errors import DomainError

INTERVALS = [
    *[(-math.inf, math.inf), (-math.inf, 0), (0, math.inf), (3, 5), (-5, -3), (-2, 4), (7, 7), (0, 0)],
    *[(40, math.inf), (-math.inf, -40), (40, 41), (-200, -180), (300, math.inf), (-1, 300), (5, 3)],
]


def exact_sum(first, last, power, scale):
    """Mass of whole numbers by adding up terms until the rest is below 1e-40 of what is there."""
    nearest = int(min(max(first, 0), last))
    reach = int(95 * scale) + 2
    begin, end = max(first, nearest - reach), min(last, nearest + reach)
    with mp.workdps(40):
        part, total = (
            mp.fsum(term(abs(k), power, scale) for k in range(int(low), int(high) + 1))
            for low, high in ((begin, end), (-reach, reach))
        )
        return part / total


@functools.cache
def term(size, power, scale):
    with mp.workdps(40):
        return mp.exp(-(mpf(size) ** power) / (power * mpf(scale) ** power))


@pytest.mark.parametrize(("noise", "power"), [("geometric", 1), ("discrete_gaussian", 2)])
@pytest.mark.parametrize("scale", [0.4, 1.0, 9.3])
def test_masses_of_whole_numbers_are_sums(noise, power, scale):
    lower, upper = np.array(INTERVALS, dtype=float).T
    masses = noises.NOISES[noise](scale).mass(lower, upper)
    for (first, last), mass in zip(INTERVALS, masses, strict=True):
        value = exact_sum(first, last, power, scale) if first <= last else mpf(0)
        if value > 1e-300:
            assert abs(mass - value) <= 4e-13 * value, (first, last)
        else:
            assert mass <= 1e-290


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
@pytest.mark.parametrize("scale", [0.4, 1.0, 9.3])
def test_masses_on_the_line_are_integrals(noise, scale):
    # Off the centre, ends over the scale are rounded, and with them a narrow interval's width.
    narrow = [(-3e-8, 2e-8), (1e-9, 2e-9), *([(20.0, 20.0 + 1e-9), (-30.0, -30.0 + 1e-6)] if scale == 1 else [])]
    for lower, upper in [*INTERVALS, *narrow]:
        mass = float(noises.NOISES[noise](scale).mass(np.array([lower]), np.array([upper]))[0])
        with mp.workdps(40):
            a, b = mpf(lower) / mpf(scale), mpf(upper) / mpf(scale)
            if a + b > 0:
                a, b = -b, -a
            if noise == "gaussian":
                value = (mp.erfc(-b / mp.sqrt(2)) - mp.erfc(-a / mp.sqrt(2))) / 2
            else:
                value = sum(sign * (mp.exp(t) / 2 if t < 0 else 1 - mp.exp(-t) / 2) for t, sign in ((b, 1), (a, -1)))
        if upper <= lower:
            assert mass == 0
        elif value > 1e-300:
            assert abs(mass - value) <= 4e-13 * value, (lower, upper)


@pytest.mark.parametrize("distance", [0, 1, 700, 5000, 30_000])
def test_a_large_scale_changes_to_integrals_without_a_step(distance):
    # Below 1,000 terms are added up one by one, from there on an integral is corrected.
    for width in (0, 3, 2000, math.inf):
        first, last = np.array([float(distance)]), np.array([float(distance + width)])
        added = noises.DiscreteGaussian(math.nextafter(1000.0, 0)).mass(first, last)
        corrected = noises.DiscreteGaussian(1000.0).mass(first, last)
        # The ends over the scale are rounded, and with them the width of an interval of one number.
        assert corrected == pytest.approx(added, rel=4e-12)


def test_noise_of_a_huge_scale_is_summed_as_fast():
    mass = noises.DiscreteGaussian(1e8).mass(np.array([2e8]), np.array([np.inf]))
    with mp.workdps(40):
        # The tail from the middle between two numbers on, and the first correction, -f' / 24.
        u = (mpf(2e8) - mpf("0.5")) / mpf(1e8)
        value = mpmath.ncdf(-u) - u * mpmath.npdf(u) / (24 * mpf(1e8) ** 2)
    assert abs(mass[0] - value) <= 1e-13 * value


@pytest.mark.parametrize("noise", noises.NOISES)
@pytest.mark.parametrize("scale", [3.0, 2000.0])
def test_nothing_lies_beyond_the_ends_or_between_ends_in_the_wrong_order(noise, scale):
    first, last = np.array([math.inf, -math.inf, 5.0]), np.array([math.inf, -math.inf, 3.0])
    assert noises.NOISES[noise](scale).mass(first, last).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("noise", noises.NOISES)
@pytest.mark.parametrize("scale", [3.0, 2000.0])
def test_masses_have_the_shape_of_their_ends(noise, scale):
    first, last = np.array([[-4.0], [1.0]]), np.array([[2.0, 3.0, 5.0]])
    masses = noises.NOISES[noise](scale).mass(first, last)
    assert masses.shape == (2, 3)
    assert masses[1, 2] == pytest.approx(
        noises.NOISES[noise](scale).mass(np.array([1.0]), np.array([5.0]))[0], rel=1e-14
    )


@pytest.mark.parametrize("name", [[], None, 3, {}, "uniform"])
def test_a_noise_that_is_none_of_the_four_is_refused(name):
    with pytest.raises(DomainError, match="is none of 'gaussian', 'laplace', 'geometric', 'discrete_gaussian'"):
        noises.noise_named(name, 1.0)
