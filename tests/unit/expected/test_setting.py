"""Checks of a setting, and the answers that need no integral."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

from disclosure.expected.failure_probability import expected_failure_probability
from disclosure.expected.union_mass import expected_union_mass
from disclosure.numerics.errors import ConvergenceError, DomainError

DELTA = 10**-1.1
QUANTITIES = pytest.mark.parametrize("quantity", [expected_union_mass, expected_failure_probability])


@QUANTITIES
@pytest.mark.parametrize(
    ("point", "options", "message"),
    [
        ((100, 101, 1.0, 0.5), {}, "sample = 101 is larger than population = 100"),
        ((100, 90, 0.0, 0.5), {}, "epsilon = 0.0 .*; no noise level can be calibrated"),
        ((100, 90, 1.0, 1.5), {}, r"delta = 1\.5 is outside \(0, 1\]"),
        ((100, 90, 1.0, 0.5), {"sigma": float("nan")}, "sigma = nan"),
        ((100, 90, 1.0, 0.5), {"rtol": 1e-9}, r"rtol = 1e-09 is outside \[1e-8, 0\.1\]"),
        ((100, 90, 1.0, 0.5), {"most_work": 0.0}, r"most_work = 0\.0 is outside"),
    ],
)
def test_what_lies_outside_its_domain_is_refused(quantity, point, options, message):
    with pytest.raises(DomainError, match=message):
        quantity(*point, **options)


@QUANTITIES
def test_trivial_settings(quantity):
    """No neighbours, and no noise."""
    assert quantity(9, 9, 1.0, DELTA) == (0.0, 0.0)
    assert quantity(9, 5, 1.0, 1.0) == (1.0, 0.0)
    assert quantity(9, 9, 1.0, 1.0) == (0.0, 0.0)


@pytest.mark.parametrize("attributes", ["uniform", "binary"])
def test_without_noise_the_prior_free_bounds_hold_where_no_ratio_is_too_large(attributes):
    """The ratio is 5 at most with four neighbours: above e^1.5, not above e^2."""
    few, none = (
        expected_failure_probability(9, 5, epsilon, 1.0, attributes, bounds="prior_free").value
        for epsilon in (1.5, 2.0)
    )
    # Of binary attributes all four neighbours must have the other value.
    assert few == pytest.approx(1.0 if attributes == "uniform" else 2.0**-4)
    assert none == 0.0


@QUANTITIES
@pytest.mark.parametrize("attributes", ["uniform", ("beta", 2.0, 2.0), "binary"])
def test_nothing_is_an_answer_only_when_shown(quantity, attributes):
    """Neighbours times the mass of the farthest one's bad region bound both; at sigma = 1000 that is about e^-500000."""
    value, error = quantity(100, 90, 1.0, 0.1, attributes, sigma=1e3)
    assert value == 0.0
    assert 0 < error <= 5e-324


def test_prior_free_bounds_that_hardly_fail_are_shown_not_to():
    """A ratio below e^-1000 takes a neighbour with L < -1000, which has at most Phi(-sqrt(2000)) = e^-1004."""
    assert expected_failure_probability(100, 90, 1000.0, DELTA, bounds="prior_free") == (0.0, 5e-324)
    value = expected_failure_probability(100, 98, 600.0, DELTA, bounds="prior_free", rtol=1e-3).value
    # At 600 the bound on it is 2 Phi(-sqrt(1200)) = 2e-262: it is not shown to be 0, and found.
    assert 0 < value < 2 * norm.cdf(-np.sqrt(1200))


def test_what_is_too_small_for_floats_is_refused_unless_shown_to_be_nothing():
    """The bound is 10^-322 here; hardly anybody is at the distance that it is for."""
    sigma = brentq(lambda s: np.log(10) + norm.logcdf(-s + 0.5 / s) + 741.0, 30, 45)
    with pytest.raises(ConvergenceError, match="too small for floating point"):
        expected_failure_probability(100, 90, 1.0, 0.1, sigma=sigma)


@pytest.mark.parametrize(
    ("quantity", "attributes", "name"),
    [
        (expected_failure_probability, "uniform", "expected failure probability"),
        (expected_union_mass, ("beta", 2.0, 2.0), "expected union mass"),
    ],
)
def test_work_ends_at_what_is_allowed(quantity, attributes, name):
    with pytest.raises(ConvergenceError, match=rf"{name} for 10 neighbours.*within the work allowed \(100 units"):
        quantity(11, 1, 1.0, DELTA, attributes, most_work=100.0)
