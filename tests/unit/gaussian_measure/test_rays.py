"""Masses along rays against plain sums and the chi distribution."""

import mpmath
import numpy as np
import pytest
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
        for _ in range(8):
            point = distance * generator.normal(size=dimension) / np.sqrt(dimension)
            directions = np.exp(generator.normal()) * generator.normal(size=(2, dimension))
            directions[1] = -0.3 * point + 0.02 * directions[1]  # past the origin, from afar
            for end in (np.inf, float(np.exp(2 * generator.normal()))):
                found = rays.ray_mass(point, directions, np.full(2, end))
                expected = [ray_mass_by_panels(point, direction, end) for direction in directions]
                assert found == pytest.approx(expected, rel=1e-11, abs=1e-290)
