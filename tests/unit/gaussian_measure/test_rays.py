"""Roots along lines and masses along rays against bisection, plain sums and the chi distribution."""

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import chi

from disclosure.gaussian_measure import rays


@pytest.mark.parametrize("dimension", [1, 2, 3, 4, 7, 10, 31])
def test_chi_tail(dimension):
    radii = np.array([0.0, 1e-9, 0.3, 1.0, 4.0, 9.0])
    assert np.allclose(rays.chi_tail(radii, dimension), chi(dimension).sf(radii), rtol=1e-12)
    far = float(mpmath.gammainc(dimension / 2, 35.0**2 / 2, regularized=True))
    assert rays.chi_tail(35.0, dimension) == pytest.approx(far, rel=1e-12)
    assert rays.chi_tail(np.inf, dimension) == 0.0


def ray_mass_by_panels(point, direction, end):
    """The integral by 10 points in each of many short panels, up to where nothing is left."""
    length = np.linalg.norm(direction)
    reach = min(end, (np.linalg.norm(point) + 14) / length)
    ends = reach - reach * np.linspace(1, 0, 4001) ** 2
    nodes, weights = np.polynomial.legendre.leggauss(10)
    half = np.diff(ends)[:, None] / 2
    r = ends[:-1, None] + half * (nodes + 1)
    squares = ((point + r[..., None] * direction) ** 2).sum(axis=-1)
    return float((half * weights * r ** (len(point) - 1) * np.exp(-squares / 2)).sum())


@pytest.mark.parametrize("dimension", [2, 3, 10])
def test_ray_mass(dimension):
    generator = np.random.default_rng(dimension)
    for distance in (0.0, 1.0, 12.0):
        for _ in range(20):
            point = distance * generator.normal(size=dimension) / np.sqrt(dimension)
            directions = np.exp(generator.normal()) * generator.normal(size=(2, dimension))
            directions[1] = -0.3 * point + 0.02 * directions[1]  # past the origin, from afar
            for end in (np.inf, float(np.exp(2 * generator.normal()))):
                found = rays.ray_mass(point, directions, np.full(2, end))
                expected = [ray_mass_by_panels(point, direction, end) for direction in directions]
                assert found == pytest.approx(expected, rel=1e-11, abs=1e-290)


@pytest.mark.parametrize("level", [-2.0, -0.3, -0.01, 0.0, 0.02, 1.5])
def test_sublevel_sets_along_lines_that_pass_the_origin_by(level):
    """Offsets of any sign, so that log g may be above the level everywhere, or below it where the line begins."""
    generator = np.random.default_rng(3)
    slopes, offsets = generator.normal(size=(7, 40)), generator.normal(size=(7, 40)) + 1.0 - level
    weights = generator.dirichlet(np.ones(7), size=40).T
    left, right = rays.sublevel(slopes, offsets, weights, level)
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
    together = rays.sublevel(slopes, offsets, weights, 0.7)
    for line in range(30):
        one = slice(line, line + 1)
        assert [end[0] for end in rays.sublevel(slopes[:, one], offsets[:, one], weights, 0.7)] == [
            end[line] for end in together
        ]


@pytest.mark.parametrize("level", [-2.0, -0.01, 0.0, 0.02, 3.0])
def test_an_interval_between_two_positions(level):
    """Ends inside the range are those without one, the others are the range's; and a term may be split into two signs."""
    generator = np.random.default_rng(8)
    slopes = generator.normal(size=(7, 50))
    offsets = slopes**2 / 2 + generator.random((7, 50)) * 3
    weights = generator.dirichlet(np.ones(7), size=50).T
    left, right = rays.sublevel(slopes, offsets, weights, level)
    split = [np.concatenate([part, part[:1]]) for part in (slopes, offsets, weights)]
    split[2] = np.concatenate([weights[:1] + 1, weights[1:], np.full((1, 50), -1.0)])
    outside = np.full(50, -2.0), np.full(50, 5.0)
    found = rays.sublevel_between(*split, level, outside)
    some = (left < 5) & (right > -2)
    assert np.count_nonzero(some) > 10
    assert found[0][some] == pytest.approx(np.maximum(left, -2.0)[some], rel=1e-9)
    assert found[1][some] == pytest.approx(np.minimum(right, 5.0)[some], rel=1e-9)
    assert (found[0][~some] >= found[1][~some]).all()
