"""Interval masses against exact forms, in the tails and in narrow intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from disclosure.normal import interval_mass


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
