"""Rounding to the private side: never on the wrong one, and hardly beyond."""

import math
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disclosure.mechanisms import gaussian
from disclosure.numerics.errors import DomainError
from disclosure.numerics.rounding import UNIT, quotient_up, round_down, round_up, to_private_side


@pytest.mark.parametrize("downwards", [False, True])
def test_values_move_across_their_limits_and_hardly_farther(downwards):
    limits = np.array([1.0, math.pi, 1e-300, 1e300, 7.0, 0.1])
    units_off = np.array([0, 1, 5, 1000, -3, 40])  # below 0: on the right side from the start
    sign = -1 if downwards else 1
    start = limits * (1 - sign * units_off * UNIT)
    moved = to_private_side(lambda values: sign * (limits - values), start, downwards=downwards)
    assert np.all(sign * (limits - moved) <= 0)
    right = units_off <= 0
    assert np.array_equal(moved[right], start[right])
    assert np.all(abs(moved - start)[~right] <= (2 * units_off + 2)[~right] * 2 * UNIT * limits[~right])


def test_zero_and_infinity_stay_where_they_are():
    assert to_private_side(lambda values: np.ones(2), [0.0, math.inf]).tolist() == [0.0, math.inf]


@given(st.floats(1e-100, 1e100), st.floats(1e-100, 1e100))
def test_a_quotient_is_the_smallest_float_that_is_not_below_the_exact_one(dividend, divisor):
    found, exact = quotient_up(dividend, divisor), Fraction(dividend) / Fraction(divisor)
    assert Fraction(found) >= exact
    assert Fraction(math.nextafter(found, 0)) < exact


@pytest.mark.parametrize(
    ("epsilon", "decimals", "expected"),
    [
        (math.log(2) / 2, 2, 0.34),
        (math.log(2) / 2, 1, 0.3),
        (math.log(5) / 2, 3, 0.804),
        (0.29, 2, 0.29),  # 0.29 * 100 is 28.999999999999996
        (0.3, 1, 0.3),  # as a float a little below 0.3
        (1.15, 2, 1.15),
        (math.nextafter(0.29, 0), 2, 0.28),
        (math.nextafter(0.3, 0), 1, 0.2),
        (math.nextafter(0.9, 0), 1, 0.8),  # times 10 it is 9.0
        (math.nextafter(1.0, 0), 0, 0.0),
        (0.1 + 0.2, 1, 0.3),
        (7.0, 3, 7.0),
        (1e22, 5, 1e22),
        (0.0, 2, 0.0),
        (math.inf, 2, math.inf),
    ],
)
def test_round_down(epsilon, decimals, expected):
    assert round_down(epsilon, decimals) == expected


@given(epsilon=st.floats(0, 1e3), decimals=st.integers(0, 12))
def test_round_down_is_downward_decimal_and_idempotent(epsilon, decimals):
    down = round_down(epsilon, decimals)
    assert down <= epsilon
    assert round_down(down, decimals) == down
    # The shortest decimal of the result needs no more digits, and the next decimal is above epsilon.
    step = Decimal(1).scaleb(-decimals)
    decimal = Decimal(repr(down))
    assert decimal == decimal.quantize(step)
    assert float(decimal + step) > epsilon
    assert decimal >= Decimal(epsilon).quantize(step, rounding=ROUND_FLOOR)


@given(steps=st.integers(0, 10**6), decimals=st.integers(0, 8))
def test_round_down_leaves_decimals_alone(steps, decimals):
    epsilon = float(Decimal(steps).scaleb(-decimals))
    assert round_down(epsilon, decimals) == epsilon


@pytest.mark.parametrize(
    ("arguments", "named"),
    [((-0.1, 2), "value = -0.1"), ((math.nan, 2), "value = nan"), ((0.1, -1), "decimals = -1")],
)
def test_what_cannot_be_rounded_down_is_refused(arguments, named):
    with pytest.raises(DomainError, match=named):
        round_down(*arguments)


def test_sigma_is_rounded_up():
    for sigma in (1.818897663380472, 8784.127512002115, 1e-7 / 3, 0.1):
        rounded = round_up(sigma)
        assert sigma <= rounded <= sigma * (1 + 1e-11)
        assert len(f"{rounded:.15g}".replace(".", "").strip("0").split("e")[0]) <= 12
    assert round_up(0.0) == 0.0
    sigma = round_up(gaussian.calibrate(1.0, 0.3, definition="probabilistic"))
    assert gaussian.bad_region_mass(sigma, 1.0, 1.0) <= 0.3
