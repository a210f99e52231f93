"""One dimension: intervals taken apart by hand, and what rounding does to their ends against 40 digits."""

import math

import mpmath
import numpy as np
import pytest
from scipy.stats import norm

from disclosure.gaussian_measure import line
from disclosure.gaussian_measure.sampling import Sampling


def failure(gaps, epsilon):
    """Masses outside the levels of gaps of shape (k, p), all of equal weight."""
    return line.mass_outside_levels(gaps[..., None], np.full((1, gaps.shape[1]), 1 / gaps.shape[1]), -epsilon, epsilon)


def test_strips_leave_what_is_outside_of_the_last_lower_and_the_first_upper_end():
    gaps = np.array([[0.5, -0.25, 0.0], [0.0, 0.0, 0.0], [0.5, np.inf, 0.0], [3.0, -3.0, 0.1]])[..., None]
    value, error = line.mass_outside_strips(gaps, 1.0)
    assert value == pytest.approx([norm.cdf(-2.25) + norm.sf(1.75), 0.0, 1.0, 1.0], rel=1e-13)
    assert (error <= 2e-12 * value).all()


def test_the_mass_outside_levels_is_that_of_the_intervals():
    generator = np.random.default_rng(2)
    gaps, weights = 2 * generator.normal(size=(3_000, 8, 1)), generator.dirichlet(np.ones(8), size=3_000)
    gaps[:50] = np.abs(gaps[:50])
    intervals = line.intervals_outside_levels(gaps, weights, -0.5, 1.0)
    assert (intervals[:, :-1, 1] <= intervals[:, 1:, 0])[intervals[:, 1, 0] < intervals[:, 1, 1]].all()
    masses = np.maximum(norm.cdf(intervals[..., 1]) - norm.cdf(intervals[..., 0]), 0.0).sum(axis=1)
    value = line.mass_outside_levels(gaps, weights, -0.5, 1.0).value
    assert np.allclose(value, masses, rtol=1e-12, atol=1e-15)
    ends = intervals[np.isfinite(intervals)]
    rows = np.nonzero(np.isfinite(intervals))[0]
    log_g = np.log((weights[rows] * np.exp(-gaps[rows, :, 0] * ends[:, None] - gaps[rows, :, 0] ** 2 / 2)).sum(axis=1))
    assert np.minimum(abs(log_g + 0.5), abs(log_g - 1.0)) == pytest.approx(0.0, abs=1e-12)


def failure_with_many_digits(gaps, weights, epsilon, reach=60):
    """The probability in 40 digits: the minimum of the convex log g by bisection of its slope, then its crossings."""
    gaps, places = np.unique(gaps, return_inverse=True)
    weights = np.bincount(places, weights)
    with mpmath.workdps(40):
        gaps, weights = [mpmath.mpf(float(gap)) for gap in gaps], [mpmath.mpf(float(weight)) for weight in weights]
        weights = [weight / sum(weights) for weight in weights]
        level, reach = mpmath.mpf(epsilon), mpmath.mpf(reach)

        def terms(z):
            return [weight * mpmath.exp(-z * gap - gap**2 / 2) for weight, gap in zip(weights, gaps, strict=True)]

        def bisect(begin, end, beyond):
            for _ in range(120):
                middle = (begin + end) / 2
                begin, end = (begin, middle) if beyond(middle) else (middle, end)
            return (begin + end) / 2

        lowest = bisect(-reach, reach, lambda z: sum(-g * term for g, term in zip(gaps, terms(z), strict=True)) > 0)

        def ends(height):
            return [bisect(lowest, end, lambda z: mpmath.log(sum(terms(z))) > height) for end in (-reach, reach)]

        left, right = ends(level)
        mass = mpmath.ncdf(left) + mpmath.ncdf(-right)
        if mpmath.log(sum(terms(lowest))) < -level:
            left, right = ends(-level)
            mass += mpmath.ncdf(right) - mpmath.ncdf(left)
        return mass


def tangents():
    """Gaps whose log g comes down to -epsilon and hardly below, or falls to it at infinity."""
    generator = np.random.default_rng(5)
    yield [2.0, -2.0], 2.0
    yield [0.5] * 100 + [-0.5] * 100, 0.125
    yield [0.0, 10.0], math.log(2)
    for _ in range(25):
        epsilon, repeats = math.exp(generator.uniform(-4, 1.5)), int(generator.integers(1, 6))
        gap = math.sqrt(2 * epsilon) * (1 + generator.choice([-1, 1]) * 10 ** generator.uniform(-16, -9))
        yield [gap, -gap] * repeats, epsilon


def test_the_error_takes_in_what_rounding_does_to_an_interval_that_vanishes():
    shares = []
    for gaps, epsilon in tangents():
        value, error = failure(np.array(gaps)[None], epsilon)
        expected = failure_with_many_digits(gaps, np.ones(len(gaps)), epsilon)
        shares.append(float(abs(mpmath.mpf(float(value[0])) - expected)) / float(error[0]))
        if 0.0 not in gaps:
            assert error < 1e-4 * value
    assert max(shares) <= 1
    # Nor is the error idle: rounding does so much.
    assert max(shares) > 0.05
    assert failure(np.array([[2.0, -2.0]]), 2.0).value == pytest.approx(0.01894905667, rel=1e-9)


def test_the_error_of_a_sharp_interval_is_that_of_normal_tails():
    value, error = failure(np.random.default_rng(1).normal(size=(2_000, 10)), 1.0)
    assert np.median(error / value) <= 1.1e-11
    assert np.mean(error / value > 1e-9) < 0.01


def test_datasets_with_doubtful_ends_are_computed_as_if_alone():
    gaps = np.random.default_rng(6).normal(size=(40, 4))
    gaps[::3] = [2.0, -2.0, 2.0, -2.0]
    gaps[1::9] = [2.0 + 1e-13, -2.0, 2.0, -2.0]
    together = failure(gaps, 2.0)
    alone = [failure(one[None], 2.0) for one in gaps]
    assert np.array_equal(together.value, [one.value[0] for one in alone])
    assert np.array_equal(together.error, [one.error[0] for one in alone])


def flat_problems():
    """Ends where log g is flat or far away, which rounding moves by more than a tail can bear."""
    generator = np.random.default_rng(7)
    for epsilon, scale in ((1.0, 0.2), (0.3, 0.5), (0.06, 0.2), (0.02, 0.5)):
        attributes = generator.random((5_000, 7))
        gaps = scale * (attributes[:, :1] - attributes[:, 1:])
        value, error = failure(gaps, epsilon)
        loose = np.flatnonzero((value > 1e-280) & (error > 1.03e-11 * value) & (error < 1e-9 * value))
        assert loose.size >= 2
        for row in loose[:2]:
            yield gaps[row], epsilon, value[row], error[row]


def test_the_error_bounds_what_rounding_does_to_ends_that_are_flat_or_far():
    for gaps, epsilon, value, error in flat_problems():
        expected = failure_with_many_digits(gaps, np.ones(len(gaps)), epsilon)
        assert abs(mpmath.mpf(float(value)) - expected) <= float(error)


def test_no_dataset_changes_the_digits_of_others():
    """Lines without an interval may run away to where their terms overflow, while others of the same block converge."""
    attributes = np.random.default_rng(1).random((16_000, 11))
    gaps, weights = ((attributes[:, :1] - attributes[:, 1:]) / 1.8)[..., None], np.full((1, 10), 0.1)
    together = line.intervals_outside_levels(gaps, weights, -1.0, 1.0)
    apart = [line.intervals_outside_levels(part, weights, -1.0, 1.0) for part in np.split(gaps, 160)]
    assert np.array_equal(together, np.concatenate(apart))


@pytest.mark.parametrize("weight_rows", [1, 400])
def test_what_is_negligible_is_missing_at_most_and_said(weight_rows):
    """Against the masses of all intervals, at scales at which many roots, few, and none may be left out."""
    generator = np.random.default_rng(21)
    for scale in (0.2, 1.0, 5.0):
        gaps = scale * (generator.random((400, 1, 1)) - generator.random((400, 6, 1)))
        gaps[0], gaps[1, 2:] = 60.0, np.inf
        weights = generator.dirichlet(np.ones(6), size=weight_rows)
        exact = line.mass_outside_levels(gaps, weights, -0.8, 0.9)
        for negligible in (1e-15, 1e-5):
            found = line.mass_outside_levels(gaps, weights, -0.8, 0.9, Sampling(negligible=negligible))
            missing = exact.value - found.value
            assert (missing >= -exact.error - found.error + 2 * negligible).all()
            assert (missing <= 2 * negligible + exact.error).all()
            assert (found.error >= 2 * negligible).all()
            if scale == 0.2:
                assert (found.value == 0).sum() > (exact.value == 0).sum()


def test_an_interval_that_is_surely_empty_leaves_no_doubt(monkeypatch):
    """Ends on the way to nowhere stop far out, where rounding matters; whether the interval is empty does not depend on it."""
    generator = np.random.default_rng(22)
    # Many neighbours: log g rarely falls to the level, and ends set out from far away.
    gaps = (generator.random((300, 1)) - generator.random((300, 90))) / 1.82
    counted = []
    vague = line._vague_masses
    monkeypatch.setattr(line, "_vague_masses", lambda gaps, *rest: counted.append(len(gaps)) or vague(gaps, *rest))
    value, error = failure(gaps, 1.0)
    assert sum(counted) < 10
    assert (error <= 1e-9 * value).all()
    # Two opposite gaps whose log g just reaches the level stay in doubt.
    touching = np.array([[math.sqrt(2.0), -math.sqrt(2.0)]])
    counted.clear()
    failure(touching, 1.0)
    assert counted == [1]
