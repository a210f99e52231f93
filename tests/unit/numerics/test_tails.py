"""Ratios of normal tails against 40 digits, where the plain form cancels or underflows."""

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

from disclosure.numerics.tails import log_shifted_tail_ratio, mass_over_density, mills, mills_drop
from tests.unit.mechanisms import exact

SHIFTS = [1e-300, 1e-12, 1e-6, 0.1, 0.9, 1.1, 3.0, 40.0]


@exact.exactly
def exact_mills(x):
    return mpmath.ncdf(-mpmath.mpf(x)) * mpmath.sqrt(2 * mpmath.pi) * mpmath.exp(mpmath.mpf(x) ** 2 / 2)


@exact.exactly
def exact_log_ratio(a, shift):
    a, shift = mpmath.mpf(a), mpmath.mpf(shift)
    if a > max(5, shift):  # both are near 1, and only their complements tell them apart
        return mpmath.log1p((mpmath.ncdf(-a) - mpmath.ncdf(shift - a)) / mpmath.ncdf(a))
    return mpmath.log(mpmath.ncdf(a - shift) / mpmath.ncdf(a))


@pytest.mark.parametrize("x", [0.0, 0.5, 5.0, 40.0])
@pytest.mark.parametrize("shift", SHIFTS[1:])
def test_the_drop_of_mills_ratio_does_not_cancel(x, shift):
    expected = exact.exactly(lambda: 1 - exact_mills(mpmath.mpf(x) + mpmath.mpf(shift)) / exact_mills(x))()
    assert exact.relative(mills(x), exact_mills(x)) < 1e-14
    assert exact.relative(mills_drop(x, shift), expected) < 1e-12


@pytest.mark.parametrize("a", [-1e3, -38.0, -1.0, -1e-9, 0.0, 1e-9, 0.4, 2.0, 8.0, 30.0])
@pytest.mark.parametrize("shift", SHIFTS[1:])
def test_the_ratio_of_tails_has_full_relative_accuracy(a, shift):
    assert exact.relative(log_shifted_tail_ratio(a, shift), exact_log_ratio(a, shift)) < 1e-12


def test_no_shift_is_no_change_and_the_smallest_one_is_seen():
    assert log_shifted_tail_ratio([-5.0, 0.0, 5.0], 0.0).tolist() == [0.0, 0.0, 0.0]
    # d log Phi(a) / da at 0 is 2 phi(0).
    assert log_shifted_tail_ratio(0.0, SHIFTS[0]) == pytest.approx(-SHIFTS[0] * np.sqrt(2 / np.pi), rel=1e-14)


def test_masses_over_the_density_at_their_start_are_right_for_short_and_long_intervals():
    starts, widths = np.meshgrid([0.0, 1e-12, 0.4, 1.0, 6.0, 40.0, 1e6], [1e-20, 1e-3, 0.1, 0.99, 1.01, 30.0, 1e8])
    values = mass_over_density(starts, widths)
    with mp.workdps(60):
        for start, width, value in zip(starts.flat, widths.flat, values.flat, strict=True):
            x, end = mpf(float(start)), mpf(float(start)) + mpf(float(width))
            tails = mp.erfc(x / mp.sqrt(2)) - mp.erfc(end / mp.sqrt(2))
            assert abs(value / (mp.sqrt(mp.pi / 2) * mp.exp(x**2 / 2) * tails) - 1) < 1e-14
