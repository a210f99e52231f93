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
