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
