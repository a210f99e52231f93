"""Very many strips, against the polygon that is cut edge by edge, a disc, and the hull of all points."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.stats import chi

from disclosure.gaussian_measure import many_strips, plane, polygons
from disclosure.gaussian_measure.strips import strips


def crowd(number, seed=1):
    """Gaps to people of whom half are equal in one column: half of the polar points lie on a smooth curve."""
    generator = np.random.default_rng(seed)
    first = np.where(generator.random(number) < 0.5, 0.5, 0.4 * generator.random(number))
    return np.column_stack([first, 0.5 * generator.random(number) - 0.2])


def cloud(number, seed=1):
    return np.random.default_rng(seed).normal(size=(number, 2)) * 0.1 + [0.2, 0.1]


@pytest.mark.parametrize("gaps", [crowd, cloud], ids=["crowd", "cloud"])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 20.0])
def test_the_mass_is_that_of_the_polygon_cut_edge_by_edge(gaps, epsilon):
    for number in (3, 40, 700):
        _, (normals, lower, upper) = strips(gaps(number)[None], epsilon)
        plain = float(polygons.mass_outside(normals, lower, upper)[0])
        mass, error = many_strips.mass_outside(normals[0], lower[0], upper[0])
        assert mass == pytest.approx(plain, rel=1e-10)
        assert -1e-12 * plain <= plain - mass <= error + 1e-11 * plain


def test_a_disc_has_more_edges_than_are_taken():
    """The error covers what the polygon leaves out."""
    angles = np.pi * (np.arange(60_000) + 0.3) / 60_000
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    for radius in (1.0, 4.0):
        mass, error = many_strips.mass_outside(normals, np.full(60_000, -radius), np.full(60_000, radius))
        exact = chi(2).sf(radius)
        assert mass <= exact * (1 + 1e-9)
        assert exact <= mass + error
        assert 0 < error < 1e-5 * exact


def test_strips_that_hold_everything_are_no_matter():
    normals, lower, upper = (part[0] for part in strips(crowd(50)[None], 1.0)[1])
    padded = np.vstack([normals, np.zeros((7, 2))]), np.append(lower, [-np.inf] * 7), np.append(upper, [np.inf] * 7)
    assert many_strips.mass_outside(*padded) == many_strips.mass_outside(normals, lower, upper)


@pytest.mark.parametrize("number", [5, 300, 20_000])
def test_no_vertex_of_the_hull_is_left_out(number):
    points = np.random.default_rng(number).normal(size=(number, 2)) * [1.0, 0.2]
    outer = np.flatnonzero(many_strips.outer_points(points))
    assert set(ConvexHull(points).vertices) <= set(outer)
    assert len(outer) < 5 + number / 10


def test_the_plane_takes_this_way_from_many_neighbours_on():
    gaps = np.stack([crowd(300, seed) for seed in range(3)])
    for epsilon in (0.05, 0.5):
        # At the smaller epsilon the origin lies outside some strip, and the other way is taken.
        few, many = (plane.mass_outside_strips(gaps, epsilon, many=many) for many in (301, 300))
        assert many.value == pytest.approx(few.value, rel=1e-10)
        assert (many.error < 1e-6 * many.value).all()
