"""Ends of sublevel sets along lines against bisection, and what depends on nothing beside a line."""

import numpy as np
import pytest
from scipy.optimize import brentq

from disclosure.gaussian_measure import crossings
from disclosure.numerics.errors import ConvergenceError


@pytest.mark.parametrize("level", [-2.0, -0.3, -0.01, 0.0, 0.02, 1.5])
def test_sublevel_sets_along_lines_that_pass_the_origin_by(level):
    """Offsets of any sign, so that log g may be above the level everywhere, or below it where the line begins."""
    generator = np.random.default_rng(3)
    slopes, offsets = generator.normal(size=(7, 40)), generator.normal(size=(7, 40)) + 1.0 - level
    weights = generator.dirichlet(np.ones(7), size=40).T
    left, right = crossings.sublevel(slopes, offsets, weights, level)
    grid, empty = np.linspace(-30, 30, 6001), 0
    for line in range(40):

        def height(r, line=line):
            return np.log(weights[:, line] @ np.exp(-(np.outer(slopes[:, line], r) + offsets[:, line, None]))) - level

        below = grid[height(grid) < 0]
        if below.size == 0:
            empty += left[line] > right[line]
            assert left[line] > right[line] or right[line] - left[line] < 0.02
            continue
        for found, inside, outwards in ((left[line], below[0], -1), (right[line], below[-1], 1)):
            outside = inside + outwards * 0.01
            if abs(outside) > 30:
                assert found * outwards > 30
                continue
            assert found == pytest.approx(brentq(lambda r: height(r)[0], inside, outside, xtol=1e-14), abs=1e-11)
    assert 0 < empty < 40


@pytest.mark.parametrize("terms", [100, 1_500])
def test_a_line_alone_gives_the_bits_that_it_gives_among_others(terms):
    generator = np.random.default_rng(4)
    slopes, offsets = generator.normal(size=(terms, 30)), generator.random((terms, 30))
    weights = np.full((terms, 1), 1 / terms)
    together = crossings.sublevel(slopes, offsets, weights, 0.7)
    for line in range(30):
        one = slice(line, line + 1)
        assert [end[0] for end in crossings.sublevel(slopes[:, one], offsets[:, one], weights, 0.7)] == [
            end[line] for end in together
        ]


@pytest.mark.parametrize("level", [-2.0, -0.01, 0.0, 0.02, 3.0])
def test_an_interval_between_two_positions(level):
    """Ends inside the range are those without one, the others are the range's; and a term may be split into two signs."""
    generator = np.random.default_rng(8)
    slopes = generator.normal(size=(7, 50))
    offsets = slopes**2 / 2 + generator.random((7, 50)) * 3
    weights = generator.dirichlet(np.ones(7), size=50).T
    left, right = crossings.sublevel(slopes, offsets, weights, level)
    split = [np.concatenate([part, part[:1]]) for part in (slopes, offsets, weights)]
    split[2] = np.concatenate([weights[:1] + 1, weights[1:], np.full((1, 50), -1.0)])
    outside = np.full(50, -2.0), np.full(50, 5.0)
    found = crossings.sublevel_between(*split, level, outside)
    some = (left < 5) & (right > -2)
    assert np.count_nonzero(some) > 10
    assert found[0][some] == pytest.approx(np.maximum(left, -2.0)[some], rel=1e-9)
    assert found[1][some] == pytest.approx(np.minimum(right, 5.0)[some], rel=1e-9)
    assert (found[0][~some] >= found[1][~some]).all()


def test_too_few_steps_are_reported():
    generator = np.random.default_rng(9)
    slopes = generator.normal(size=(20, 3))
    terms = slopes, slopes**2 / 2, np.full((20, 1), 0.05)
    with pytest.raises(ConvergenceError, match="has not converged in 2 steps"):
        crossings.sublevel(*terms, 1.0, most_steps=2)
    with pytest.raises(ConvergenceError, match="has not converged in 1 steps"):
        crossings.sublevel_between(*terms, 1.0, (np.full(3, -30.0), np.full(3, 30.0)), most_steps=1)


def test_a_constant_mixture_lies_below_its_own_value_only_if_the_interval_is_closed():
    still, weights = np.zeros((3, 2)), np.full((3, 1), 1 / 3)
    for function in (crossings.sublevel, crossings.doubtful_sublevel):
        for closed, ends in ((False, (np.inf, -np.inf)), (True, (-np.inf, np.inf))):
            found = function(still, still, weights, 0.0, closed)
            assert np.array(found[:2]).T.tolist() == [list(ends)] * 2
        assert np.array(function(still, still, weights, 0.0)[:2]).T.tolist() == [[np.inf, -np.inf]] * 2
        for level, ends in ((0.1, (-np.inf, np.inf)), (-0.1, (np.inf, -np.inf)), (-np.inf, (np.inf, -np.inf))):
            for closed in (False, True):
                assert np.array(function(still, still, weights, level, closed)[:2]).T.tolist() == [list(ends)] * 2


@pytest.mark.parametrize("one_for_all", [True, False])
def test_a_mixture_that_falls_to_a_limit_is_below_a_level_on_a_half_line_or_nowhere(one_for_all):
    # g = 1/4 + 3/4 e^(-2 r), its mirror image, and 1/4 e^r + 3/4 e^(-r) between them, whose ends are found otherwise.
    slopes = np.array([[0.0, -1.0, 0.0], [2.0, 1.0, -2.0]])
    weights = np.array([[0.25], [0.75]])
    if not one_for_all:
        weights = np.tile(weights, 3)
        weights[:, 2] = 0.5, 0.5
    limits = np.log(weights[0] * np.ones(3))
    for level in (-0.3, -1.0, -1.5):
        found = crossings.doubtful_sublevel(slopes, np.zeros((2, 3)), weights, level)
        for line, side in ((0, 1), (2, -1)):
            inner, outer = (found.left, found.right) if side > 0 else (found.right, found.left)
            if level <= limits[line]:
                assert (found.left[line], found.right[line]) == (np.inf, -np.inf)
                continue
            share = weights[0, min(line, weights.shape[1] - 1)]
            assert inner[line] == pytest.approx(-side * np.log((np.exp(level) - share) / (1 - share)) / 2, rel=1e-12)
            assert outer[line] == side * np.inf
        middle = weights[:, min(1, weights.shape[1] - 1)]
        least = np.log(2 * np.sqrt(middle[0] * middle[1]))
        if level > least:
            # With x = e^r: x / 4 + 3 / (4 x) = e^level.
            roots = np.log(np.roots([0.25, -np.exp(level), 0.75]).real)
            assert [found.left[1], found.right[1]] == pytest.approx(sorted(roots), rel=1e-12)
        else:
            assert found.left[1] > found.right[1]
        assert not found.doubt.any()
        assert not found.passed.any()


def test_a_limit_within_rounding_of_the_level_leaves_the_interval_in_doubt():
    slopes, weights = np.array([[0.0], [2.0]]), np.array([[0.25], [0.75]])
    for change in (-1e-16, 0.0, 1e-16):
        found = crossings.doubtful_sublevel(slopes, np.zeros((2, 1)), weights, np.log(0.25) + change)
        assert 0 < found.doubt[0] < 1e-14
        assert found.passed[0] == np.inf
    # At the level 0 the limit is found without rounding: with offsets of log 2 and 0 it is 0.
    found = crossings.doubtful_sublevel(
        np.array([[0.0], [1.0]]), np.array([[-np.log(2)], [0.0]]), np.full((2, 1), 0.5), 0.0
    )
    assert (found.doubt[0], found.passed[0]) == (0.0, 0.0)
    # So is a constant mixture.
    found = crossings.doubtful_sublevel(np.zeros((2, 1)), np.zeros((2, 1)), weights, 0.0)
    assert (found.doubt[0], found.passed[0]) == (0.0, 0.0)


@pytest.mark.parametrize("level", [-0.3, 0.0, 0.7])
def test_positions_that_are_known_to_lie_outside_change_nothing(level):
    generator = np.random.default_rng(12)
    slopes = generator.normal(size=(6, 60)) + 0.3
    offsets, weights = slopes**2 / 2, generator.dirichlet(np.ones(6), size=60).T
    left, right = crossings.sublevel(slopes, offsets, weights, level)
    some = np.flatnonzero(np.isfinite(left) & np.isfinite(right))
    assert len(some) > 20
    slopes, offsets, weights, left, right = (part[..., some] for part in (slopes, offsets, weights, left, right))
    for near, far in ((1e-6, 0.5), (0.5, 1e-6), (1e-6, np.inf), (np.inf, 1e-6)):
        found = crossings.sublevel(slopes, offsets, weights, level, outside=(left - near, right + far))
        assert found[0] == pytest.approx(left, rel=1e-11, abs=1e-13)
        assert found[1] == pytest.approx(right, rel=1e-11, abs=1e-13)


def test_an_end_where_two_positions_all_but_meet_is_in_doubt():
    # log g = log cosh(r) - 0.7, at least -0.7: the level is that value up to rounding.
    slopes, offsets, weights = np.array([[1.0], [-1.0]]), np.full((2, 1), 0.7), np.full((2, 1), 0.5)
    for level in (-0.7, np.nextafter(-0.7, 0), np.nextafter(-0.7, -1)):
        found = crossings.doubtful_sublevel(slopes, offsets, weights, level)
        assert 0 < found.doubt[0] < 1e-14
        assert found.passed[0] == np.inf
    clear = crossings.doubtful_sublevel(slopes, offsets, weights, -0.2)
    assert clear.right[0] == pytest.approx(np.arccosh(np.exp(0.5)), rel=1e-14)
    assert (clear.left[0], clear.doubt[0], clear.passed[0]) == (-clear.right[0], 0.0, 0.0)


def test_an_interval_that_rounding_alone_may_have_emptied_is_in_doubt():
    """The level lies below the least value of log g by less than rounding, by more than that, and by much."""
    generator = np.random.default_rng(5)
    slopes = generator.normal(size=(4, 200))
    slopes = slopes[:, (slopes.min(axis=0) < 0) & (slopes.max(axis=0) > 0)]
    offsets, weights, place = slopes**2 / 2, np.full((4, 1), 0.25), np.zeros(slopes.shape[1])
    for _ in range(100):
        shares = weights * np.exp(-(slopes * place + offsets))
        total = shares.sum(axis=0)
        rise = -(shares * slopes).sum(axis=0) / total
        place = place - np.clip(rise / ((shares * slopes**2).sum(axis=0) / total - rise**2), -1, 1)
    for below, doubtful in ((1e-14, 1.0), (1e-13, 1.0), (1e-6, 0.0)):
        found = crossings.doubtful_sublevel(slopes, offsets, weights, np.log(total) - below)
        assert (found.left > found.right).all()
        assert np.isinf(found.passed).mean() == doubtful
