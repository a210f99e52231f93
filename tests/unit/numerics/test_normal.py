"""Interval masses against exact forms, in the tails and in narrow intervals."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from disclosure.numerics.errors import DomainError
from disclosure.numerics.normal import interval_mass, interval_mass_around


@given(st.floats(-30, 30), st.floats(1e-12, 3))
def test_interval_mass_equals_the_integral_of_the_density(lower, width):
    upper = lower + width
    nearest = min(max(lower, 0.0), upper)
    integral, _ = quad(lambda x: np.exp(-(x**2 - nearest**2) / 2), lower, upper, epsrel=1e-12, epsabs=0)
    assert interval_mass(lower, upper) == pytest.approx(integral * norm.pdf(nearest), rel=1e-10, abs=1e-310)


def test_interval_mass_at_infinities_and_empty_intervals():
    masses = interval_mass([-np.inf, 0.0, np.inf, 2.0, 1.0, -np.inf], [np.inf, np.inf, -np.inf, 1.0, 1.0, -20.0])
    assert masses[:5].tolist() == [1.0, 0.5, 0.0, 0.0, 0.0]
    assert masses[5] == pytest.approx(2.7536241186062337e-89, rel=1e-12)


@pytest.mark.parametrize("middle", [0.0, -1e-9, 0.7, 8.0, 37.0])
def test_interval_mass_around_a_point_however_narrow(middle):
    for half in (0.0, 1e-300, 1e-20, 1e-9, 0.003, 0.2, 0.6, 3.0, 40.0):
        with mpmath.workdps(400):
            exact = mpmath.ncdf(-abs(middle) + mpmath.mpf(half)) - mpmath.ncdf(-abs(middle) - mpmath.mpf(half))
        assert interval_mass_around(middle, half) == pytest.approx(float(exact), rel=1e-12, abs=1e-320)


def test_interval_mass_refuses_what_is_no_interval():
    for call, named in (
        (lambda: interval_mass([1.0, 2.0], [1.0, 2.0, 3.0]), r"lower \(2,\), upper \(3,\)"),
        (lambda: interval_mass("0", 1.0), "lower = '0'"),
    ):
        with pytest.raises(DomainError, match=named):
            call()


@pytest.mark.parametrize("end", [-np.inf, -2.0, 0.0, np.inf])
def test_an_interval_without_a_width_has_no_mass(end):
    assert interval_mass(end, end) == 0
