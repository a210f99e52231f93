"""What the rounding of log g does to an end, from its slope there."""

import numpy as np
import pytest
from scipy.stats import norm

from disclosure.gaussian_measure import sharpness


def test_only_ends_that_rounding_moves_far_are_in_doubt():
    # The slopes at the ends, from steep to flat; a bound on the mass that an end passes over holds until it is too flat.
    steepness = np.array([1.0, 1e-4, 1e-6, 1e-10])
    ends = sharpness.Ends(np.full(4, 2.0))
    sharpness.set_sharpness(ends, np.arange(4), steepness, np.ones(4), np.ones(4), 3, None)
    eta = sharpness.rounding_of_log(2.0, 3)
    assert ends.doubt.tolist() == [0.0, eta, eta, eta]
    assert ends.passed[0] == 0
    # An end moves by 2 eta over its slope at most, and the density on the way is not far from that at the end.
    assert (ends.passed[1:3] >= 2 * eta / steepness[1:3] * norm.pdf(2.0)).all()
    assert ends.passed[1:3] == pytest.approx(2 * eta / steepness[1:3] * norm.pdf(2.0), rel=0.25)
    assert ends.passed[3] == np.inf


@pytest.mark.parametrize("place", [0.5, -30.0, 30.0])
def test_an_end_far_out_is_in_doubt_sooner(place):
    """The relative change of a tail is the move times the distance, and 3e-12 is what a mass can bear."""
    eta = sharpness.rounding_of_log(abs(place), 3)
    limit = eta * max(abs(place), 1.0) / 3e-12
    ends = sharpness.Ends(np.full(2, place))
    sharpness.set_sharpness(ends, np.arange(2), np.array([0.99, 1.01]) * limit, np.ones(2), np.full(2, 1e-9), 3, None)
    assert ends.doubt.tolist() == [eta, 0.0]
    assert ends.passed[0] == pytest.approx(2 * eta / (0.99 * limit) * norm.pdf(place), rel=0.25)
    assert ends.passed[1] == 0.0


def test_ends_beyond_all_mass_are_never_in_doubt():
    ends = sharpness.Ends(np.array([50.0, np.inf, -np.inf]))
    sharpness.set_sharpness(ends, np.arange(3), np.full(3, 1e-9), np.ones(3), np.ones(3), 3, None)
    assert not ends.doubt.any()
    assert not ends.passed.any()


def test_the_rounding_of_a_small_logarithm_is_relative_to_it():
    # At r the exponents are up to 2 r, and log g is evaluated with an error relative to them and to the level.
    place, steepest, level = 1e-3, 2.0, 1e-4
    ends = sharpness.Ends(np.full(2, place))
    eta = sharpness.rounding_of_log(steepest * place, 3)
    small = eta * (steepest * place + level)
    slopes = np.array([0.99, 1.01]) * small / 3e-12
    sharpness.set_sharpness(ends, np.arange(2), slopes, np.full(2, steepest), np.full(2, 1e-9), 3, np.full(2, level))
    assert ends.doubt.tolist() == [small, 0.0]


def test_only_the_ends_that_are_asked_for_are_set():
    ends = sharpness.Ends(np.full(4, 2.0))
    sharpness.set_sharpness(ends, np.array([1, 3]), np.array([1e-6, 1.0]), np.ones(2), np.ones(2), 3, None)
    assert np.flatnonzero(ends.doubt).tolist() == np.flatnonzero(ends.passed).tolist() == [1]


def test_an_interval_that_rounding_at_its_far_end_might_shut_has_no_bound():
    # The square of the slope lies below D^2 eta at 40 standard deviations, and above D^2 eta at the end itself.
    steepest, spread = 5.0, 1.0
    near, far = (sharpness.rounding_of_log(steepest * distance, 3) for distance in (1.0, 40.0))
    slopes = np.sqrt(spread * np.array([far * 0.9, far * 1.1]))
    assert slopes.min() ** 2 > spread * near
    ends = sharpness.Ends(np.full(2, 1.0))
    sharpness.set_sharpness(ends, np.arange(2), slopes, np.full(2, steepest), np.full(2, spread), 3, None)
    assert (ends.doubt > 0).all()
    assert ends.passed[0] == np.inf
    assert 0 < ends.passed[1] < np.inf


def test_more_terms_and_larger_exponents_round_more():
    assert sharpness.rounding_of_log(0.0, 10**6) > 10**6 * 2.0**-52
    assert sharpness.rounding_of_log(100.0, 3) > 100 * 2.0**-52 + sharpness.rounding_of_log(0.0, 3)
