"""Gauss rules of densities against library ones, and against moments in closed form."""

import numpy as np
import pytest
from scipy.special import betaln, roots_jacobi
from scipy.stats import beta

from disclosure.expected.densities import Beta, Uniform
from disclosure.expected.density_functions import FromFunction
from disclosure.numerics.errors import DomainError


@pytest.mark.parametrize("order", [6, 31, 88])
@pytest.mark.parametrize("shape", [(1.0, 1.0), (0.5, 0.5), (0.3, 2.0), (5.0, 1.5)])
def test_gauss_rules_of_beta_densities_are_those_of_jacobi(shape, order):
    nodes, weights = (Uniform() if shape == (1.0, 1.0) else Beta(*shape)).gauss(order)
    known, known_weights = roots_jacobi(order, shape[1] - 1, shape[0] - 1)
    assert nodes == pytest.approx((known + 1) / 2, abs=1e-12)
    assert weights == pytest.approx(known_weights / known_weights.sum(), rel=1e-9)


def test_gauss_rule_of_a_density_with_a_jump():
    """Exact for polynomials up to degree 2 order - 1, and not beyond."""
    nodes, weights = FromFunction(lambda x: np.where(x < 0.3, 2.0, 4 / 7), np.array([0.0, 0.3, 1.0])).gauss(5)

    def moment(degree):
        return (2.0 * 0.3 ** (degree + 1) + 4 / 7 * (1 - 0.3 ** (degree + 1))) / (degree + 1)

    for degree in range(10):
        assert weights @ nodes**degree == pytest.approx(moment(degree), rel=1e-12)
    assert abs(weights @ nodes**10 / moment(10) - 1) > 1e-6


@pytest.mark.parametrize("shape", [(0.05, 0.05), (0.1, 0.3), (0.2, 2.0)])
def test_a_rule_follows_a_steep_rise_to_an_end(shape):
    """Moments of Beta densities by panels for the noise's needs alone; nearly all mass is next to the ends."""
    density = Beta(*shape)
    ends = np.unique(np.concatenate([[0.0, 0.3, 0.8, 1.0], density.panel_ends]))
    nodes, weights = density.rule(ends, 16)
    for degree in range(4):
        known = np.exp(betaln(shape[0] + degree, shape[1]) - betaln(*shape))
        assert weights @ nodes**degree == pytest.approx(known, rel=2e-6)


@pytest.mark.parametrize("shape", [(0.5, 3.0), (2.0, 2.0)])
def test_masses_on_both_sides_of_a_point_and_between_two(shape):
    density, places = Beta(*shape), np.array([-1.0, 1e-9, 0.3, 0.8, 1 - 1e-6, 2.0])
    assert density.below(places) == pytest.approx(beta.cdf(places, *shape), rel=1e-12)
    assert density.above(places) == pytest.approx(beta.sf(places, *shape), rel=1e-9)
    assert density.between(places[:-1], places[1:]) == pytest.approx(np.diff(beta.cdf(places, *shape)), abs=1e-14)


def test_densities_too_steep_for_floats_are_refused():
    with pytest.raises(DomainError, match=r"rises like the power -0\.98 .* from -0\.95 on"):
        Beta(0.02, 1.0)


def test_little_mass_next_to_either_end_keeps_its_digits():
    """Beta(2, 3) has the density 12 x (1 - x)^2, so the mass 6 x^2 - 8 x^3 + 3 x^4 below x and 4 y^3 - 3 y^4 above 1 - y."""
    density = Beta(2.0, 3.0)
    near, far = 2.0**-20, 2.0**-19

    def from_low(x):
        return 6 * x**2 - 8 * x**3 + 3 * x**4

    def from_high(y):
        return 4 * y**3 - 3 * y**4

    low = density.between(np.array([near]), np.array([far]))
    high = density.between(np.array([1 - far]), np.array([1 - near]))
    assert low == pytest.approx(from_low(far) - from_low(near), rel=1e-12)
    assert high == pytest.approx(from_high(far) - from_high(near), rel=1e-12)
