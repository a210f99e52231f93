import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from disclosure.mechanisms import laplace
from disclosure.numerics.errors import DomainError

answers = st.floats(-1e3, 1e3)
scales = st.floats(1e-2, 1e2)


@settings(deadline=None)
@given(standardised=st.floats(-600, 600), value=answers, scale=scales)
def test_density_and_tails_are_those_of_the_laplace_distribution(standardised, value, scale):
    released, reference = value + scale * standardised, stats.laplace(value, scale)
    assert laplace.log_density(released, value, scale) == pytest.approx(
        reference.logpdf(released), rel=1e-12, abs=1e-12
    )
    assert laplace.lower_tail(released, value, scale) == pytest.approx(reference.cdf(released), rel=1e-12)
    assert laplace.upper_tail(released, value, scale) == pytest.approx(reference.sf(released), rel=1e-12)


def test_tails_far_out():
    assert laplace.upper_tail(600.0, 0.0, 1.0) == pytest.approx(math.exp(-600) / 2, rel=1e-15)
    assert laplace.lower_tail(-600.0, 0.0, 1.0) == pytest.approx(math.exp(-600) / 2, rel=1e-15)
    assert laplace.lower_tail([-math.inf, math.inf], 3.0, 2.0).tolist() == [0, 1]


@settings(deadline=None)
@given(released=answers, value=answers, other=answers, scale=scales)
def test_log_density_ratio_is_the_difference_of_the_log_densities(released, value, other, scale):
    plain = laplace.log_density(released, value, scale) - laplace.log_density(released, other, scale)
    ratio = laplace.log_density_ratio(released, value, other, scale)
    assert ratio == pytest.approx(plain, rel=1e-9, abs=1e-12 * 1e3 / scale)
    assert ratio == -laplace.log_density_ratio(released, other, value, scale)


def test_log_density_ratio_keeps_its_value_far_away():
    far = np.array([-1e300, -1e17, 1e17, 1e300])
    assert laplace.log_density_ratio(far, 548.0, 547.0, 4.0).tolist() == [-0.25, -0.25, 0.25, 0.25]


@settings(deadline=None)
@given(epsilon=st.floats(1e-3, 50), sensitivity=st.floats(1e-3, 1e3), released=st.floats(-1e6, 1e6))
def test_calibrated_noise_never_exceeds_epsilon(epsilon, sensitivity, released):
    scale = laplace.calibrate(epsilon, sensitivity)
    assert Fraction(sensitivity) <= Fraction(epsilon) * Fraction(scale)
    # And no more noise than that: the next smaller float breaks the promise.
    assert Fraction(sensitivity) > Fraction(epsilon) * Fraction(math.nextafter(scale, 0))
    for distance in (sensitivity, 0.3 * sensitivity):
        assert abs(laplace.log_density_ratio(released, distance, 0.0, scale)) <= epsilon
        assert laplace.bad_region_mass(scale, epsilon, distance) == 0


def bad_region_mass_by_integration(scale, epsilon, distance):
    """The density under 0, integrated wherever the plain log ratio exceeds epsilon."""
    edges = np.unique([-60 * scale, 0.0, (distance - epsilon * scale) / 2, (distance + epsilon * scale) / 2, distance])
    edges = np.append(edges, distance + 60 * scale)
    total = 0.0
    for low, high in itertools.pairwise(edges):
        middle = (low + high) / 2
        if abs(abs(middle - distance) - abs(middle)) / scale > epsilon:
            total += integrate.quad(lambda t: math.exp(-abs(t) / scale) / (2 * scale), low, high, epsabs=1e-13)[0]
    return total


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("share", [0.05, 0.5, 0.9, 0.999])
def test_bad_region_mass_agrees_with_integration(epsilon, share):
    distance = 1.7
    scale = share * distance / epsilon
    mass = laplace.bad_region_mass(scale, epsilon, distance)
    assert mass == pytest.approx(bad_region_mass_by_integration(scale, epsilon, distance), rel=1e-9)
    assert mass > 0.5


def test_bad_region_mass_at_its_limits():
    assert laplace.bad_region_mass(0.0, 1.0, 1.0) == 1
    assert laplace.bad_region_mass(0.0, 1.0, 0.0) == 0
    assert laplace.bad_region_mass(1.0, 0.0, 1e-3) == 1
    assert laplace.bad_region_mass(1.0, 0.0, 0.0) == 0
    # Just short of calibrated noise only the releases between the two answers are good: (1 - e^-epsilon) / 2 of them.
    assert laplace.bad_region_mass(math.nextafter(2.0, 0), 0.5, 1.0) == pytest.approx(
        (1 + math.exp(-0.5)) / 2, rel=1e-12
    )
    assert laplace.bad_region_mass([1.0, 2.0, 3.0], 0.5, 1.0)[1:].tolist() == [0, 0]


def test_releases_by_the_seed():
    first = laplace.release([1.0, 5.0], 2.0, np.random.default_rng(3), (4,))
    assert first.shape == (4, 2)
    assert np.array_equal(first, laplace.release([1.0, 5.0], 2.0, np.random.default_rng(3), (4,)))
    assert laplace.release(7.0, 0.0, np.random.default_rng(3)) == 7


def test_releases_follow_the_distribution():
    released = laplace.release(3.0, 0.7, np.random.default_rng(11), (20_000,))
    assert stats.kstest(released, lambda t: laplace.lower_tail(t, 3.0, 0.7)).pvalue > 1e-3


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: laplace.calibrate(0.0), "epsilon = 0.0"),
        (lambda: laplace.calibrate(math.nan), "epsilon = nan"),
        (lambda: laplace.calibrate(1.0, -1.0), "sensitivity = -1.0"),
        (lambda: laplace.calibrate(1e-300, 1e300), "scale = inf"),
        (lambda: laplace.release(math.inf, 1.0, np.random.default_rng(0)), "value = inf"),
        (lambda: laplace.release(1.0, -1.0, np.random.default_rng(0)), "scale = -1.0"),
        (lambda: laplace.log_density(0.0, 0.0, 0.0), "scale = 0.0"),
        (lambda: laplace.log_density_ratio(math.nan, 0.0, 0.0, 1.0), "released = nan"),
        (lambda: laplace.log_density_ratio(0.0, 0.0, math.inf, 1.0), "other = inf"),
        (lambda: laplace.lower_tail(math.nan, 0.0, 1.0), "released = nan"),
        (lambda: laplace.upper_tail("far", 0.0, 1.0), "released = 'far' is not numeric"),
        (lambda: laplace.upper_tail(0.0, "0", 1.0), "value = '0' is not numeric"),
        (lambda: laplace.bad_region_mass(1.0, -1.0, 1.0), "epsilon = -1.0"),
        (lambda: laplace.bad_region_mass(1.0, 1.0, math.nan), "distance = nan"),
    ],
)
def test_refusals_name_the_value(refused, message):
    with pytest.raises(DomainError, match=message):
        refused()


@pytest.mark.parametrize("generator", [5, None, "seed"])
def test_a_release_asks_for_a_generator(generator):
    with pytest.raises(DomainError, match=r"generator = .* draws no noise"):
        laplace.release([0.5], 1.0, generator)
