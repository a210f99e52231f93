"""Signed sums of kernels keep their sign however much of them cancels."""

from decimal import Decimal

import numpy as np
import pytest
from mpmath import mp, mpf

from disclosure.beliefs import zeros
from disclosure.beliefs.kernels import GaussianSum, LaplaceSum


def gaussian_sum(answers, coefficients, origin=0.0, scale=1.0):
    size = len(answers)
    numbers = [Decimal(float(number)) for number in coefficients]
    return GaussianSum(np.array(answers, dtype=float), origin, scale, numbers, np.arange(size), np.ones(size))


def binomial_sum(depth, step):
    """The kernel's difference of an order: signs alternate, and it is smaller than its terms by a factor step^depth."""
    coefficients = np.array([(-1.0) ** j * float(mp.binomial(depth, j)) for j in range(depth + 1)])
    return gaussian_sum(step * np.arange(depth + 1), coefficients)


@pytest.mark.parametrize("depth", [1, 4, 20])
def test_differences_of_a_kernel_have_as_many_zeros_as_changes_of_sign(depth):
    # A difference of order d over a short step is the derivative of order d, a Hermite polynomial with d zeros.
    step = 2.0**-6
    signs = zeros.find_signs(binomial_sum(depth, step))
    nodes, _ = np.polynomial.hermite_e.hermegauss(depth)
    middle = step * depth / 2
    assert len(signs.zeros) == depth
    assert np.array(signs.zeros) - middle == pytest.approx(nodes, abs=depth * step**2)


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


def test_coefficients_beyond_floats_keep_their_balance():
    numbers = [Decimal(10) ** 5000, -(Decimal(10) ** 5000), Decimal(10) ** -5000]
    total = GaussianSum(np.array([0.0, 1.0, 1e6]), 0.0, 1.0, numbers, np.arange(3), np.ones(3))
    signs = zeros.find_signs(total)
    assert signs.zeros[0] == pytest.approx(0.5, rel=1e-15)
    # The third term overtakes the second where 1e6 t - t - 5e11 = 10^4 log 10.
    assert signs.zeros[1] == pytest.approx((1e4 * np.log(10) + 5e11 - 0.5) / (1e6 - 1), rel=1e-13)


@pytest.mark.parametrize("origin", [0.0, 5.0, -1e7])
def test_positions_count_from_the_origin(origin):
    answers = np.array([0.0, 0.5, 2.0])
    coefficients = [1.0, -2.0, 0.5]
    plain, moved = gaussian_sum(answers, coefficients), gaussian_sum(answers + origin, coefficients, origin)
    assert zeros.find_signs(moved).zeros == pytest.approx(zeros.find_signs(plain).zeros, rel=1e-14)


def test_touching_the_axis_is_no_change_of_sign():
    # F = e^(-t^2 / 2) (cosh(t) - 1), which is 0 at 0 only; e^(1/2) is no float, and cancels as the threshold does.
    half = Decimal("0.5").exp()
    numbers = [half / 2, Decimal(-1), half / 2]
    with_halves = GaussianSum(np.array([-1.0, 0.0, 1.0]), 0.0, 1.0, numbers, np.arange(3), np.ones(3))
    signs = zeros.find_signs(with_halves)
    # 28 digits of e^(1/2) leave a gap of 1e-28 on either side of the axis.
    assert len(signs.zeros) in (0, 2)
    assert all(abs(zero) < 1e-13 for zero in signs.zeros)


def test_whole_numbers_that_are_zeros_are_not_positive():
    total = gaussian_sum([-1.0, 1.0, 5.0], [1.0, -1.0, -1e-30])
    assert zeros.positive_integers(total, zeros.find_signs(total)) == [(-np.inf, -1.0)]
    balanced = gaussian_sum([-1.0, 1.0], [1.0, -1.0])
    assert zeros.positive_integers(balanced, zeros.find_signs(balanced)) == [(-np.inf, -1.0)]


def test_a_zero_that_is_rounded_off_its_whole_number_changes_nothing():
    balanced = gaussian_sum([-1.0, 1.0], [-1.0, 1.0])
    for zero in (-1e-17, 0.0, 1e-17):
        signs = zeros.Signs([(-np.inf, -1.0), (np.inf, 1.0)], [zero])
        assert zeros.positive_integers(balanced, signs) == [(1.0, np.inf)]


def test_a_single_whole_number_between_two_zeros_is_found():
    # log g = log cosh(t) - 1/2 is below -0.49 at |t| < 0.14 only.
    number = Decimal("0.01").exp()
    total = gaussian_sum([2.0, 3.0, 4.0], [-1.0, 2 * float(number) * float(Decimal("-0.5").exp()), -1.0])
    assert zeros.positive_integers(total, zeros.find_signs(total)) == [(3.0, 3.0)]
