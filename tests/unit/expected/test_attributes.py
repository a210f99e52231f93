"""Gauss rules of densities against library ones, and against moments in closed form."""

import pickle

import numpy as np
import pytest
from scipy.special import betaln, roots_jacobi
from scipy.stats import norm

from disclosure.expected.attributes import as_density
from disclosure.numerics.errors import DomainError


@pytest.mark.parametrize("order", [6, 31, 88])
@pytest.mark.parametrize("shape", [(1.0, 1.0), (0.5, 0.5), (0.3, 2.0), (5.0, 1.5)])
def test_gauss_rules_of_beta_densities_are_those_of_jacobi(shape, order):
    nodes, weights = as_density("uniform" if shape == (1.0, 1.0) else ("beta", *shape)).gauss(order)
    known, known_weights = roots_jacobi(order, shape[1] - 1, shape[0] - 1)
    assert nodes == pytest.approx((known + 1) / 2, abs=1e-12)
    assert weights == pytest.approx(known_weights / known_weights.sum(), rel=1e-9)


def test_gauss_rule_of_a_density_with_a_jump():
    """Exact for polynomials up to degree 2 order - 1, and not beyond."""
    nodes, weights = as_density((lambda x: np.where(x < 0.3, 2.0, 4 / 7), 0.0, 0.3, 1.0)).gauss(5)

    def moment(degree):
        return (2.0 * 0.3 ** (degree + 1) + 4 / 7 * (1 - 0.3 ** (degree + 1))) / (degree + 1)

    for degree in range(10):
        assert weights @ nodes**degree == pytest.approx(moment(degree), rel=1e-12)
    assert abs(weights @ nodes**10 / moment(10) - 1) > 1e-6


def parabola(x):
    return 6 * x * (1 - x)


@pytest.mark.parametrize("written", ["uniform", ("beta", 0.5, 3.0), ("beta", 1000.0, 2000.0), (parabola, 0.0, 1.0)])
def test_a_density_is_the_same_after_pickling(written):
    density = as_density(written)
    again = pickle.loads(pickle.dumps(density))
    b = np.linspace(0.01, 0.99, 7)
    assert np.array_equal(again(b, 1 - b), density(b, 1 - b))
    assert np.array_equal(again.below(b), density.below(b))
    values = pickle.loads(pickle.dumps(as_density(("discrete", [0.0, 1.0], [0.5, 0.5]))))
    assert values.probabilities.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("shape", [(0.05, 0.05), (0.1, 0.3), (0.2, 2.0)])
def test_a_rule_follows_a_steep_rise_to_an_end(shape):
    """Moments of Beta densities by panels for the noise's needs alone; nearly all mass is next to the ends."""
    density = as_density(("beta", *shape))
    ends = np.unique(np.concatenate([[0.0, 0.3, 0.8, 1.0], density.panels]))
    nodes, weights = density.rule(ends, 16)
    for degree in range(4):
        known = np.exp(betaln(shape[0] + degree, shape[1]) - betaln(*shape))
        assert weights @ nodes**degree == pytest.approx(known, rel=2e-6)


def test_densities_too_steep_for_floats_are_refused():
    with pytest.raises(DomainError, match=r"rises like the power -0\.98 .* from -0\.95 on"):
        as_density(("beta", 0.02, 1.0))


@pytest.mark.parametrize("deviation", [3e-3, 1e-5])
def test_a_spike_gets_an_interval_of_its_own(deviation):
    def spike(x):
        return np.exp(-(((x - 0.5) / deviation) ** 2) / 2) / (deviation * np.sqrt(2 * np.pi))

    density = as_density((spike, 0.0, 1.0))
    assert density.range == 1.0
    assert 30 * deviation < density.width < 120 * deviation + 0.005
    places = 0.5 + deviation * np.array([-3.0, 0.0, 1.5])
    shares = density.below((places - density.low) / density.width)
    assert shares == pytest.approx(norm.cdf([-3.0, 0.0, 1.5]), rel=1e-9)


def test_a_spike_that_no_break_tells_of_is_refused_with_what_to_do():
    with pytest.raises(DomainError, match="put breaks around places where it is concentrated"):
        as_density((lambda x: np.where(np.abs(x - 0.4123) < 1e-5, 5e4, 0.0), 0.0, 1.0))
