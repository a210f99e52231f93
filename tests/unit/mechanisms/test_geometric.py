"""Geometric noise: releases and densities against its probabilities, the good noise against the plain log density ratio."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from disclosure.mechanisms import geometric
from disclosure.numerics.errors import DomainError


def probabilities(scale, reach):
    numbers = np.arange(-reach, reach + 1)
    weights = np.exp(-np.abs(numbers) / scale)
    return numbers, weights / weights.sum()


@pytest.mark.parametrize("scale", [0.3, 1.0, 4.0])
def test_releases_have_their_probabilities(scale):
    numbers, expected = probabilities(scale, 200)
    released = geometric.release(7, scale, np.random.default_rng(5), (200_000,)) - 7
    assert released.dtype == float
    near = np.abs(numbers) <= 2 * math.ceil(scale)
    counts = np.array([np.count_nonzero(released == number) for number in numbers[near]])
    others = len(released) - counts.sum()
    shares = np.append(expected[near], 1 - expected[near].sum())
    assert stats.chisquare(np.append(counts, others), shares * len(released)).pvalue > 1e-3


def test_releases_have_the_shape_of_answers_and_size():
    generator = np.random.default_rng(1)
    assert geometric.release([1.0, 2.0, 5.0], 2.0, generator, (4, 2)).shape == (4, 2, 3)
    assert geometric.release([1.0, 2.0], 0.0, generator, (3,)).tolist() == [[1.0, 2.0]] * 3


def test_masses_of_intervals_are_sums():
    numbers, expected = probabilities(2.5, 400)
    for first, last in ((0, 0), (-3, 5), (2, math.inf), (-math.inf, -4), (4, 3)):
        chosen = (numbers >= first) & (numbers <= last)
        assert geometric.interval_mass(first, last, 2.5) == pytest.approx(expected[chosen].sum(), rel=1e-12, abs=1e-16)


@pytest.mark.parametrize(("scale", "epsilon"), [(1.0, 1.0), (2.0, 1.0), (1.3, 0.7), (0.4, 3.0)])
@pytest.mark.parametrize("distance", [1, 2, 5])
def test_good_noise_is_where_the_log_density_ratio_keeps_epsilon(scale, epsilon, distance):
    noise = np.arange(-30, 31)
    ratio = geometric.log_density_ratio(noise, 0.0, float(distance), scale)
    good = geometric.good_noise(scale, epsilon, distance)
    within = np.ones(len(noise), bool) if good is None else (noise >= float(good[0])) & (noise <= float(good[1]))
    assert np.array_equal(np.abs(ratio) <= epsilon, within)


def test_answers_one_apart_have_one_ratio_at_every_release():
    assert geometric.good_noise(0.5, 2.0, 1.0) is None
    assert geometric.good_noise(math.nextafter(0.5, 0), 2.0, 1.0) == (
        (1 - 2 * Fraction(math.nextafter(0.5, 0))) / 2,
        (1 + 2 * Fraction(math.nextafter(0.5, 0))) / 2,
    )


def test_answers_between_whole_numbers_are_refused():
    with pytest.raises(DomainError, match="value has answers that are no whole numbers; use gaussian or laplace"):
        geometric.release([0.5], 1.0, np.random.default_rng(1))
