"""Both forms of log g along lines, against sums in 40 digits."""

import mpmath
import numpy as np
import pytest

from disclosure.gaussian_measure import exponential_sums


def log_sum_and_slope(position, slopes, exponents, weights):
    """The logarithm of one line's sum of weight e^(a + b r), and its slope, in 40 digits."""
    with mpmath.workdps(40):
        terms = [
            mpmath.mpf(float(w)) * mpmath.exp(mpmath.mpf(float(a)) + mpmath.mpf(float(b)) * mpmath.mpf(float(position)))
            for a, b, w in zip(exponents, slopes, weights, strict=True)
        ]
        total = mpmath.fsum(terms)
        rise = mpmath.fsum(term * mpmath.mpf(float(b)) for term, b in zip(terms, slopes, strict=True))
        return float(mpmath.log(total)), float(rise / total)


@pytest.mark.parametrize("scale", [1.0, 900.0])
def test_the_form_for_any_level_holds_also_where_the_terms_overflow(scale):
    generator = np.random.default_rng(1)
    slopes, exponents = generator.normal(size=(5, 8)), scale * generator.normal(size=(5, 8))
    weights, position = generator.dirichlet(np.ones(5), size=8).T, generator.normal(size=8)
    with np.errstate(over="ignore", invalid="ignore"):
        value, slope = exponential_sums.anywhere(position, slopes, exponents, weights)
    for line in range(8):
        expected = log_sum_and_slope(position[line], slopes[:, line], exponents[:, line], weights[:, line])
        assert (value[line], slope[line]) == pytest.approx(expected, rel=1e-12)


def test_the_form_near_zero_keeps_the_digits_of_a_small_logarithm():
    slopes = np.array([[1.0, 3.0], [-1.0, 2.0]])
    position, weights = np.array([1e-9, 1e-14]), np.array([[0.25], [0.75]])
    value, slope = exponential_sums.near_zero(position, slopes, np.zeros((2, 2)), weights)
    for line in range(2):
        expected = log_sum_and_slope(position[line], slopes[:, line], np.zeros(2), weights[:, 0])
        assert (value[line], slope[line]) == pytest.approx(expected, rel=1e-13)
