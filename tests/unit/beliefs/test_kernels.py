"""Signed sums of kernels keep their sign however much of them cancels."""

from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest
from mpmath import mp, mpf

from disclosure.beliefs.kernels import GaussianSum, LaplaceSum, precision
from tests.unit.beliefs.sums import binomial_sum, gaussian_sum


def test_shares_are_right_where_nothing_is_left_in_floating_point():
    depth, step = 20, 2.0**-6
    total = binomial_sum(depth, step)
    for position in (-3.0, 0.1, 0.7, 2.5):
        with mp.workdps(80):
            terms = [
                (-1) ** j * mp.binomial(depth, j) * mp.exp(-((mpf(position) - j * mpf(step)) ** 2) / 2)
                for j in range(depth + 1)
            ]
            share = mp.fsum(terms) / mp.fsum(map(abs, terms))
        assert abs(share) < 1e-20
        assert abs(total.share(position) - share) < 1e-15 * abs(share)


def test_what_cancels_altogether_is_zero():
    # 1, -2 cosh-like and 1 in balance at one point: e^-(1/2) twice against 2 e^-(1/2).
    assert gaussian_sum([-1.0, 1.0], [1.0, -1.0]).share(0.0) == 0.0
    knots = np.array([-1.0, 1.0])
    assert LaplaceSum(knots, 0.0, 1.0, [Decimal(1), Decimal(-1)], [Decimal(0)]).share(0.0) == 0.0


def plain_share(terms, digits):
    with mp.workdps(digits):
        return mp.fsum(terms) / mp.fsum(map(abs, terms))


@pytest.mark.parametrize("scale", [0.3, 1.0, 7.0])
@pytest.mark.parametrize("origin", [0.0, -2.5])
def test_gaussian_shares_are_those_of_a_plain_sum(origin, scale):
    answers, coefficients = [-3.0, -0.5, 0.25, 4.0], [2.0, -1.0, 0.5, -1e-9]
    total = gaussian_sum(answers, coefficients, origin, scale)
    for position in (-6.0, -0.4, 0.0, 1.7, 9.0):
        with mp.workdps(60):
            terms = [
                mpf(c) * mp.exp(-(((mpf(position) + mpf(origin) - mpf(x)) / mpf(scale)) ** 2) / 2)
                for c, x in zip(coefficients, answers, strict=True)
            ]
        share = plain_share(terms, 60)
        assert abs(total.share(position) - share) < 1e-12 * abs(share)
    assert total.limits() == (1.0, -1.0)


LAPLACE_KNOTS, LAPLACE_COEFFICIENTS, LAPLACE_DENSITIES = [-1.0, 0.0, 0.5, 3.0], [1.0, 0.0, -2.0, 0.0], [0.0, 3.0, -0.75]


def laplace_terms(release, scale, coefficients=LAPLACE_COEFFICIENTS, densities=LAPLACE_DENSITIES):
    """Terms by the antiderivative of the kernel, which is monotone and passes 0 at 0."""

    def antiderivative(t):
        return mp.sign(t) * (1 - mp.exp(-abs(t)))

    places = [(mpf(release) - mpf(knot)) / mpf(scale) for knot in LAPLACE_KNOTS]
    masses = [antiderivative(left) - antiderivative(right) for left, right in pairwise(places)]
    atoms = [mpf(c) * mp.exp(-abs(place)) for c, place in zip(coefficients, places, strict=True)]
    return atoms + [mpf(d) * mpf(scale) * mass for d, mass in zip(densities, masses, strict=True)]


@pytest.mark.parametrize("scale", [0.02, 1.0, 40.0])
@pytest.mark.parametrize("origin", [0.0, 1.5])
def test_laplace_shares_are_those_of_a_plain_sum(origin, scale):
    numbers = [[Decimal(number) for number in part] for part in (LAPLACE_COEFFICIENTS, LAPLACE_DENSITIES)]
    total = LaplaceSum(np.array(LAPLACE_KNOTS), origin, scale, *numbers)
    for release in (-4.0, -1.0, -0.5, 0.2, 0.5, 1.0, 3.0, 5.0):
        with mp.workdps(300):
            terms = laplace_terms(release, scale)
        share = plain_share(terms, 300)
        assert abs(total.share(release - origin) - share) < 1e-11 * abs(share)


@pytest.mark.parametrize("release", [-2.0, 0.2, 2.0, 4.0])
def test_laplace_shares_keep_their_sign_where_all_but_one_digit_cancels(release):
    """The first coefficient is such that the sum is smaller than its terms by 10^-30, on either side of 0."""
    for part in (mpf(10) ** -30, -(mpf(10) ** -30)):
        with mp.workdps(120):
            terms = laplace_terms(release, 1.0)
            first = (part - mp.fsum(terms[1:])) / mp.exp(-abs(mpf(release) + 1))
            coefficient = Decimal(mp.nstr(first, 110))
        with precision():
            total = LaplaceSum(
                np.array(LAPLACE_KNOTS),
                0.0,
                1.0,
                [coefficient, *map(Decimal, LAPLACE_COEFFICIENTS[1:])],
                [Decimal(number) for number in LAPLACE_DENSITIES],
            )
        with mp.workdps(120):
            exact = laplace_terms(release, 1.0, [mpf(str(coefficient)), *LAPLACE_COEFFICIENTS[1:]])
        share = plain_share(exact, 120)
        assert abs(share) < 1e-28
        assert abs(total.share(release) - share) < 1e-12 * abs(share)


@pytest.mark.parametrize("scale", [0.3, 5.0])
@pytest.mark.parametrize("part", ["1e-25", "-1e-60"])
def test_gaussian_shares_keep_their_sign_where_nearly_all_digits_cancel(scale, part):
    """The first coefficient is such that the sum at a position is that part of its second term."""
    answers, origin, position = [-0.5, 0.25, 1.0], 0.125, 0.375
    with precision():
        exponents = [-(((Decimal(position) + Decimal(origin) - Decimal(x)) / Decimal(scale)) ** 2) / 2 for x in answers]
        rest = (exponents[1] - exponents[0]).exp() * (1 - Decimal(part)) - 3 * (exponents[2] - exponents[0]).exp()
        numbers = [-rest, Decimal(1), Decimal(-3)]
    share = GaussianSum(np.array(answers), origin, scale, numbers).share(position)
    with mp.workdps(150):
        terms = [mpf(str(n)) * mp.exp(mpf(str(e))) for n, e in zip(numbers, exponents, strict=True)]
    assert share == pytest.approx(float(plain_share(terms, 150)), rel=1e-9)
    assert np.sign(share) == np.sign(float(part))
