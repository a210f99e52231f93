"""Zeros of signed sums of kernels: how many, where, and what is in doubt about them."""

import math
from decimal import Decimal

import numpy as np
import pytest

from disclosure.beliefs import worlds, zeros
from disclosure.beliefs.kernels import GaussianSum, LaplaceSum, precision
from disclosure.beliefs.noises import Gaussian
from disclosure.beliefs.piece_sums import GaussianPieceSum
from disclosure.beliefs.worlds import Mixture
from disclosure.numerics.decimal_tails import mass_over_density
from tests.unit.beliefs.sums import binomial_sum, gaussian_sum


@pytest.mark.parametrize("depth", [1, 4, 12])
def test_differences_of_a_kernel_have_as_many_zeros_as_changes_of_sign(depth):
    # A difference of order d over a short step is the derivative of order d, a Hermite polynomial with d zeros.
    step = 2.0**-6
    signs = zeros.find_signs(binomial_sum(depth, step))
    nodes, _ = np.polynomial.hermite_e.hermegauss(depth)
    middle = step * depth / 2
    assert len(signs.zeros) == depth
    assert np.array(signs.zeros) - middle == pytest.approx(nodes, abs=depth * step**2)


def test_coefficients_beyond_floats_keep_their_balance():
    numbers = [Decimal(10) ** 5000, -(Decimal(10) ** 5000), Decimal(10) ** -5000]
    total = GaussianSum(np.array([0.0, 1.0, 1e6]), 0.0, 1.0, numbers)
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
    with_halves = GaussianSum(np.array([-1.0, 0.0, 1.0]), 0.0, 1.0, numbers)
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


ONE = ([0.0], [1.0])


@pytest.mark.parametrize(
    ("inside", "outside", "scale", "level", "sign"),
    [
        (([0, 1, 1, 2], [1, 2, 1, 3]), ([0, 1, 2, 2], [2, 1, 1, 1]), 0.8, 0.3, 1),
        (ONE, ([-1.0, 1.0], [1.0, 1.0]), 1.0, -0.5 + 1e-13, -1),
        (Mixture(pieces=[(0, 1, 1)]), Mixture(pieces=[(1, 3, 1)]), 0.4, -1.5, -1),
    ],
    ids=["ties between answers", "a threshold that is hardly passed", "uniform pieces"],
)
def test_what_is_in_doubt_covers_zeros_that_are_off_by_their_last_digit(inside, outside, scale, level, sign):
    noise = Gaussian(scale)
    inside, outside, truth = (worlds.checked("law", law, noise) for law in (inside, outside, ONE))
    kernel_sum = worlds.difference(inside, outside, level, sign, noise, 0.0)
    signs = zeros.find_signs(kernel_sum)
    assert signs.zeros
    doubtful = zeros.doubtful(kernel_sum, signs)
    value, rounding = worlds.mass(truth, noise, 0.0, zeros.positive_intervals(signs))
    doubt = rounding + worlds.mass(truth, noise, 0.0, doubtful)[0]
    for towards in (-math.inf, math.inf):
        off = signs._replace(zeros=[math.nextafter(zero, towards) for zero in signs.zeros])
        moved, _ = worlds.mass(truth, noise, 0.0, zeros.positive_intervals(off))
        assert abs(moved - value) <= doubt
        for zero, (left, right) in zip(off.zeros, doubtful, strict=False):
            assert left < zero < right


@pytest.mark.parametrize(
    ("points", "found", "intervals"),
    [
        # Signs at -inf, turning points and inf; zeros between them; where the sum is positive.
        ([(-math.inf, 1.0), (math.inf, 1.0)], [], [(-math.inf, math.inf)]),
        ([(-math.inf, -1.0), (math.inf, -0.5)], [], []),
        ([(-math.inf, 0.4), (0.0, 0.3), (math.inf, -0.2)], [2.0], [(-math.inf, 2.0)]),
        ([(-math.inf, -0.4), (0.0, 0.3), (math.inf, -0.2)], [-1.0, 2.0], [(-1.0, 2.0)]),
        ([(-math.inf, 0.4), (0.0, -0.3), (math.inf, 0.2)], [-1.0, 2.0], [(-math.inf, -1.0), (2.0, math.inf)]),
        # A turning point at which the sum touches the axis is left out, and counts as an end.
        ([(-math.inf, 0.4), (0.0, 0.0), (math.inf, 0.2)], [], [(-math.inf, 0.0), (0.0, math.inf)]),
        ([(-math.inf, -0.4), (0.0, 0.0), (math.inf, 0.2)], [], [(0.0, math.inf)]),
    ],
)
def test_a_sum_is_positive_between_the_zeros_at_which_it_rises_and_falls(points, found, intervals):
    assert zeros.positive_intervals(zeros.Signs(points, found)) == intervals


def test_laplace_sums_have_a_zero_between_knots_of_different_signs():
    # e^-|t| - e^-|t - 1| is 0 half way.
    total = LaplaceSum(np.array([0.0, 1.0]), 0.0, 1.0, [Decimal(1), Decimal(-1)], [Decimal(0)])
    signs = zeros.find_signs(total)
    assert signs.zeros == [0.5]
    assert zeros.positive_intervals(signs) == [(-math.inf, 0.5)]


def test_where_a_sum_of_pieces_hardly_touches_the_axis_is_in_doubt():
    """Outer pieces against an inner one that has their weight at 0, to a hundred digits: there the sum touches 0."""
    with precision():
        inner, outer = mass_over_density(Decimal(0), Decimal(1)), mass_over_density(Decimal(1), Decimal(1))
        density = outer * (Decimal(-1) / 2).exp() / inner
        total = GaussianPieceSum(
            np.array([-2.0, -1.0, 1.0, 2.0]), 0.0, 1.0, [Decimal(0)] * 4, [Decimal(-1), density, Decimal(-1)]
        )
    signs = zeros.find_signs(total)
    assert all(abs(zero) < 1e-9 for zero in signs.zeros)
    left, right = max(zeros.doubtful(total, signs), key=lambda ends: ends[1] - ends[0])
    assert left < -1e-12
    assert right > 1e-12
    assert right - left < 1e-8
    # Beyond what is in doubt, the share of the sum is larger than the nodes can have missed.
    assert min(abs(total.share(end)) for end in (left, right)) > total.turning_doubt
