"""Densities given as functions: their masses, the interval that they need, and what is refused."""

import numpy as np
import pytest
from scipy.stats import beta, norm

from disclosure.expected.density_functions import FromFunction
from disclosure.numerics.errors import DomainError

UNIT = np.array([0.0, 1.0])


@pytest.mark.parametrize("deviation", [3e-3, 1e-5])
def test_a_spike_gets_an_interval_of_its_own(deviation):
    def spike(x):
        return np.exp(-(((x - 0.5) / deviation) ** 2) / 2) / (deviation * np.sqrt(2 * np.pi))

    density = FromFunction(spike, UNIT)
    assert density.sensitivity == 1.0
    assert 30 * deviation < density.unit < 120 * deviation + 0.005
    places = 0.5 + deviation * np.array([-3.0, 0.0, 1.5])
    shares = density.below((places - density.low) / density.unit)
    assert shares == pytest.approx(norm.cdf([-3.0, 0.0, 1.5]), rel=1e-9)


def test_masses_of_a_density_that_is_infinite_at_one_end():
    density, places = FromFunction(lambda x: 0.5 / np.sqrt(x), UNIT), np.array([1e-10, 0.01, 0.7])
    assert density.powers == pytest.approx((-0.5, 0.0), abs=1e-9)
    assert density.below(places) == pytest.approx(beta.cdf(places, 0.5, 1.0), rel=1e-9)
    assert density.above(places) == pytest.approx(beta.sf(places, 0.5, 1.0), rel=1e-9)


def test_a_box_is_found_between_its_breaks():
    density = FromFunction(lambda x: np.where((x > 0.4) & (x < 0.6), 5.0, 0.0), np.array([0.0, 0.4, 0.6, 1.0]))
    assert (density.low, density.unit, density.sensitivity) == pytest.approx((0.4, 0.2, 1.0))
    assert density.breaks == ()
    assert density.below(np.array([0.25])) == pytest.approx([0.25])


@pytest.mark.parametrize(
    ("function", "ends", "message"),
    [
        (lambda b: -np.ones_like(b), UNIT, r"least value -1\.0"),
        (lambda b: 1.0, UNIT, r"gives shape \(\)"),
        (lambda b: 2 * np.ones_like(b), UNIT, "density has mass 2"),
        (np.ones_like, np.array([0.0, 1.0, 0.5]), "do not increase"),
        (
            lambda x: np.where(np.abs(x - 0.4123) < 1e-5, 5e4, 0.0),  # a spike that no break tells of
            UNIT,
            "put breaks around places where it is concentrated",
        ),
    ],
)
def test_what_is_no_density_is_refused_with_what_to_do(function, ends, message):
    with pytest.raises(DomainError, match=message):
        FromFunction(function, ends)
