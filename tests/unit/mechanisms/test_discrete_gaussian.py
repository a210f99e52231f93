"""Discrete Gaussian noise: releases and calibration against its probabilities, added up plainly."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from disclosure.mechanisms import discrete_gaussian
from disclosure.numerics.errors import DomainError


def probabilities(sigma):
    reach = math.ceil(12 * sigma) + 2
    numbers = np.arange(-reach, reach + 1)
    weights = np.exp(-(numbers**2) / (2 * sigma**2))
    return numbers, weights / weights.sum()


def bad_mass(sigma, epsilon):
    """Probability that the log density ratio of answers one apart exceeds epsilon, by more than rounding."""
    numbers, shares = probabilities(sigma)
    ratio = ((numbers - 1) ** 2 - numbers**2) / (2 * sigma**2)
    return shares[np.abs(ratio) > epsilon * (1 + 1e-12)].sum()


@pytest.mark.parametrize("sigma", [0.4, 1.0, 5.3])
def test_releases_have_their_probabilities(sigma):
    numbers, expected = probabilities(sigma)
    released = discrete_gaussian.release(-3, sigma, np.random.default_rng(5), (200_000,)) + 3
    near = expected * len(released) > 20
    counts = np.array([np.count_nonzero(released == number) for number in numbers[near]])
    shares = np.append(expected[near], 1 - expected[near].sum())
    observed, means = np.append(counts, len(released) - counts.sum()), shares * len(released)
    assert stats.chisquare(observed, means).pvalue > 1e-3


def test_releases_have_the_shape_of_answers_and_size():
    generator = np.random.default_rng(1)
    assert discrete_gaussian.release([1.0, 2.0, 5.0], 2.0, generator, (4, 2)).shape == (4, 2, 3)
    assert discrete_gaussian.release([1.0, 2.0], 0.0, generator, (3,)).tolist() == [[1.0, 2.0]] * 3


@pytest.mark.parametrize("epsilon", [0.05, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("delta", [1e-6, 0.0794, 0.6, 0.97])
def test_the_calibrated_noise_is_the_smallest_that_keeps_delta(epsilon, delta):
    sigma = discrete_gaussian.calibrate(epsilon, delta)
    for kept in (sigma, sigma * (1 + 1e-11)):
        assert bad_mass(kept, epsilon) <= delta
    # The mass falls at certain sigmas only, so that those just below them, and some between, stand for all smaller ones.
    steps = np.sqrt(np.arange(1, round(2 * sigma**2 * epsilon) + 1, 2) / (2 * epsilon))
    smaller = np.concatenate([steps[:-1], steps * (1 - 1e-9), np.linspace(0.03, 1 - 1e-9, 40) * sigma])
    assert min(bad_mass(s, epsilon) for s in smaller if s > 0.02) > delta


def test_more_noise_may_promise_less():
    sigma = discrete_gaussian.calibrate(1.0, 0.0794)
    assert bad_mass(sigma, 1.0) <= 0.0794 < bad_mass(1.15 * sigma, 1.0)


def test_calibrated_noise_is_private_in_exact_arithmetic_and_when_it_is_rounded_up():
    # Rounding up by 1e-11 adds to the mass 1e-11 of it times the square of the tail's distance in sigma, about 2.7 and 34.
    for epsilon, (delta, less) in itertools.product(
        np.random.default_rng(2).uniform(0.01, 5, 30).tolist(), ((0.05, 1e-12), (1e-8, 1e-10))
    ):
        sigma = discrete_gaussian.calibrate(epsilon, delta)
        step = 2 * Fraction(sigma) ** 2 * Fraction(epsilon)
        assert step >= round(step)
        assert round(step) % 2 == 1
        # Where the mass is delta but for less than rounding up adds, the next step is taken.
        mass = bad_mass(sigma, epsilon)
        assert discrete_gaussian.calibrate(epsilon, mass * (1 + less)) > sigma
        assert discrete_gaussian.calibrate(epsilon, mass * (1 + 1e-8)) == sigma


def test_a_promise_of_nothing_needs_no_noise():
    assert discrete_gaussian.calibrate(1.0, 1.0) == 0.0


@pytest.mark.parametrize(("sigma", "epsilon"), [(1.0, 0.5), (2.0, 1.0), (1.3, 0.7), (0.4, 3.0)])
@pytest.mark.parametrize("distance", [1, 2, 5])
def test_good_noise_is_where_the_log_density_ratio_keeps_epsilon(sigma, epsilon, distance):
    noise = np.arange(-60, 61)
    ratio = discrete_gaussian.log_density_ratio(noise, 0.0, float(distance), sigma)
    first, last = discrete_gaussian.good_noise(sigma, epsilon, distance)
    assert np.array_equal(np.abs(ratio) <= epsilon, (noise >= float(first)) & (noise <= float(last)))


def test_what_has_no_noise_on_whole_numbers_is_refused():
    with pytest.raises(DomainError, match="value has answers that are no whole numbers"):
        discrete_gaussian.release([0.5], 1.0, np.random.default_rng(1))
    with pytest.raises(DomainError, match=r"epsilon = 1e-20 and delta = 0\.001 need a sigma that is too large"):
        discrete_gaussian.calibrate(1e-20, 1e-3)
    with pytest.raises(DomainError, match="epsilon = 0"):
        discrete_gaussian.calibrate(0.0, 1e-3)
