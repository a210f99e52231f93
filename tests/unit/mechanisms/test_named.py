"""Mechanisms by their names, calibrated for probabilistic privacy."""

import math

import numpy as np
import pytest

from disclosure.mechanisms import gaussian, laplace, named, names
from disclosure.numerics.errors import DomainError


def test_each_name_has_releases_and_ratios():
    for name, mechanism in named.MECHANISMS.items():
        released = mechanism.release(np.array([3.0]), 2.0, np.random.default_rng(1), (5,))
        assert released.shape == (5, 1)
        assert (released == np.round(released)).all() == (name in names.WHOLE)
        assert (mechanism.log_density_ratio(3.0, 3.0, 2.0, 2.0) > 0).all()


def test_gaussian_noise_is_that_of_paper_a():
    assert named.calibrate("gaussian", 0.7, 0.01, 3.0) == gaussian.calibrate(0.7, 0.01, 3.0, definition="probabilistic")


@pytest.mark.parametrize("epsilon", [1e-3, 0.5, 1.0, 5.0])
def test_laplace_noise_is_the_smallest_that_keeps_delta(epsilon):
    # Just below the scale 3 / epsilon more than half of all releases are bad: a small delta changes nothing.
    jump = (1 + math.exp(-epsilon)) / 2
    for delta in (1e-9, 0.5, jump * (1 - 1e-9)):
        assert named.calibrate("laplace", epsilon, delta, 3.0) == laplace.calibrate(epsilon, 3.0)
    for delta in (jump + 0.3 * (1 - jump), 1 - 1e-6 * (1 - jump)):
        scale = named.calibrate("laplace", epsilon, delta, 3.0)
        assert scale < laplace.calibrate(epsilon, 3.0)
        # The complement of the mass, which is not near 1.
        good = -np.expm1(-epsilon) / 2 * np.exp(-(3.0 / scale - epsilon) / 2)
        assert good == pytest.approx(1 - delta, rel=1e-9)
        assert good >= 1 - delta
        assert float(laplace.bad_region_mass(scale, epsilon, 3.0)) == pytest.approx(delta, rel=1e-9)


def test_geometric_noise_is_that_of_pure_privacy():
    for delta in (1e-9, 0.9):
        assert named.calibrate("geometric", 0.7, delta) == laplace.calibrate(0.7)


def test_a_promise_of_nothing_needs_no_noise():
    assert [named.calibrate(name, 1.0, 1.0) for name in named.MECHANISMS] == [0.0] * 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("normal", 1.0, 0.1), "mechanism = 'normal' is none of gaussian, laplace, geometric, discrete_gaussian"),
        (("geometric", 1.0, 0.1, 2.0), "sensitivity = 2.0 and mechanism = 'geometric'"),
        (("laplace", 1.0, 0.0), "delta = 0"),
        (("geometric", 0.0, 0.5), "epsilon = 0"),
    ],
)
def test_what_has_no_noise_is_refused(arguments, words):
    with pytest.raises(DomainError, match=words):
        named.calibrate(*arguments)


@pytest.mark.parametrize("error", [0.05, 0.3, 1.0, 4.0, 60.0])
@pytest.mark.parametrize("whole", [("geometric", 1), ("discrete_gaussian", 2)])
def test_noise_on_whole_numbers_has_the_error_that_is_asked_for(error, whole):
    noise, power = whole
    scale = named.scale_with_error(noise, error)
    k = np.arange(-4000.0, 4001.0)
    mass = np.exp(-((np.abs(k) / scale) ** power) / power)
    assert math.sqrt(mass @ k**2 / mass.sum()) == pytest.approx(error, rel=1e-10)


def test_noise_on_the_line_has_the_error_that_is_asked_for():
    assert named.scale_with_error("gaussian", 3.0) == 3.0
    assert named.scale_with_error("laplace", 3.0) == pytest.approx(3 / math.sqrt(2), rel=1e-15)
