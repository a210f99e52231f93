"""Lines drawn by half-spaces: their density, and which half-spaces are alike."""

import numpy as np
import pytest
from scipy.stats import chi, norm

from disclosure.gaussian_measure import half_spaces
from disclosure.gaussian_measure.half_spaces import HalfSpaces
from disclosure.gaussian_measure.sampling import Sampling, uniform_numbers

NORMALS = np.array([[1.0, 0.0, 0.0], [0.0, 0.6, 0.8], [-0.8, 0.6, 0.0]])
BOUNDS = np.array([1.0, 2.0, 0.5])


@pytest.mark.parametrize("bounds", [(1.0, 0.5), (6.0, 6.5), (20.0, 20.1)])
def test_masses_along_lines_over_their_density_have_the_mass_for_their_mean(bounds):
    """Two orthogonal half-spaces have their union mass in closed form, also where it is rare."""
    normals, bounds = np.eye(3)[:2], np.array(bounds)
    spaces = HalfSpaces(normals, bounds)
    assert spaces.total == pytest.approx(norm.sf(bounds).sum(), rel=1e-14)
    lines = spaces.lines(uniform_numbers(Sampling(1 << 13), 4))
    assert np.linalg.norm(lines, axis=-1) == pytest.approx(1.0, rel=1e-14)
    masses = 0.0
    for rays in (lines @ normals.T, -lines @ normals.T):
        entered = np.where(rays > 0, bounds / np.maximum(rays, 1e-300), np.inf).min(axis=-1)
        masses += chi(3).sf(entered) / 2
    expected = norm.sf(bounds[0]) + norm.sf(bounds[1]) * norm.cdf(bounds[0])
    assert (masses / spaces.density(lines)).mean() == pytest.approx(expected, rel=0.005)


def test_two_kinds_of_half_spaces_share_the_lines():
    first, second = HalfSpaces(NORMALS[:1], BOUNDS[:1]), HalfSpaces(NORMALS[1:], BOUNDS[1:])
    uniform = uniform_numbers(Sampling(1 << 14), 4)
    lines, density = half_spaces.drawn(first, second, 0.25, uniform)
    assert lines.shape == (16, 1 << 10, 3)
    assert density == pytest.approx(0.25 * first.density(lines) + 0.75 * second.density(lines), rel=1e-12)
    # A quarter has points beyond the plane of the first one: the direction, or its opposite, is within its cone.
    assert (lines[:, : 1 << 8, 0] > 0).all()
    assert not (lines[:, 1 << 8 :, 0] > 0).all()


def test_half_spaces_with_next_to_no_mass_are_not_drawn():
    assert len(HalfSpaces(NORMALS, np.array([1.0, 9.0, 0.5])).bounds) == 2
    assert HalfSpaces(NORMALS[:0], BOUNDS[:0]).total == 0.0


def test_a_foot_point_in_another_half_space_needs_none_of_its_own():
    turned = np.array([[np.cos(0.05), np.sin(0.05), 0.0]])
    normals, bounds = np.concatenate([NORMALS, turned, NORMALS[:1]]), np.array([4.0, 5.0, 4.5, 4.2, 4.0])
    kept, kept_bounds = half_spaces.distinct(normals, bounds)
    assert kept_bounds.tolist() == [4.0, 4.5, 5.0]
    assert kept.tolist() == NORMALS[[0, 2, 1]].tolist()
