"""Mass outside polygons in closed form: slabs, boxes, triangles, and polygons far from the origin."""

import numpy as np
import pytest
from scipy.stats import chi, norm

from disclosure.gaussian_measure import polygons
from disclosure.gaussian_measure.strips import strips


def outside(normals, lower, upper):
    return polygons.mass_outside(*(np.array([part], dtype=float) for part in (normals, lower, upper)))[0]


@pytest.mark.parametrize(("lower", "upper"), [(-1.0, 2.0), (-30.0, 8.0), (3.0, 3.5), (-12.0, -11.0)])
def test_a_slab_and_a_box(lower, upper):
    slab = norm.cdf(lower) + norm.sf(upper)
    assert outside([[0.6, 0.8]], [lower], [upper]) == pytest.approx(slab, rel=1e-11)
    other = norm.cdf(-2.0) + norm.sf(5.0)
    box = slab + other - slab * other
    assert outside([[0.6, 0.8], [-0.8, 0.6]], [lower, -2.0], [upper, 5.0]) == pytest.approx(box, rel=1e-11)


@pytest.mark.parametrize("radius", [0.5, 3.0, 20.0])
def test_very_many_strips_leave_a_disc(radius):
    angles = np.pi * np.arange(500) / 500
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    found = outside(normals, np.full(500, -radius), np.full(500, radius))
    assert found == pytest.approx(chi(2).sf(radius), rel=1e-5 * (1 + radius**2))
    assert found < chi(2).sf(radius)


def test_nothing_is_left_of_strips_that_do_not_meet_and_nothing_taken_by_those_that_hold_everything():
    assert outside([[1.0, 0.0], [1.0, 0.0]], [1.0, -3.0], [2.0, -2.0]) == pytest.approx(1.0, rel=1e-14)
    assert outside([[0.0, 0.0]], [-np.inf], [np.inf]) == 0.0


def test_strips_of_gaps_have_their_log_density_ratios_within_epsilon():
    generator = np.random.default_rng(3)
    gaps = generator.normal(size=(3, 4, 2))
    gaps[1, 2], gaps[2, 0] = (np.inf, 0.0), 0.0
    finite, (normals, lower, upper) = strips(gaps, 0.7)
    assert finite.tolist() == [True, False, True]
    noise = 2 * generator.normal(size=(1_000, 2))
    for gap, normal, low, high in zip(
        gaps[finite].reshape(-1, 2), normals.reshape(-1, 2), lower.ravel(), upper.ravel(), strict=True
    ):
        along = noise @ normal
        assert np.array_equal(abs(noise @ gap + gap @ gap / 2) <= 0.7, (low <= along) & (along <= high))


def test_polygons_of_different_numbers_of_edges_are_found_side_by_side():
    generator = np.random.default_rng(6)
    angles = generator.uniform(0, np.pi, (4, 30))
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    lower, upper = -generator.uniform(0.5, 9, (4, 30)), generator.uniform(0.5, 9, (4, 30))
    # One slab, one box, nothing left over, and all strips.
    lower[0, 1:], upper[0, 1:], lower[1, 2:], upper[1, 2:] = -90.0, 90.0, -90.0, 90.0
    lower[2, :2], upper[2, :2], normals[2, :2] = [3.0, -9.0], [4.0, -8.0], [1.0, 0.0]
    together = polygons.mass_outside(normals, lower, upper)
    assert together[2] == pytest.approx(1.0, rel=1e-14)
    for row in range(4):
        alone = polygons.mass_outside(normals[row : row + 1], lower[row : row + 1], upper[row : row + 1])
        assert alone[0] == pytest.approx(together[row], rel=1e-12)
        assert 0 < together[row] <= 1
    assert together[0] == pytest.approx(norm.cdf(lower[0, 0]) + norm.sf(upper[0, 0]), rel=1e-11)


def test_strips_that_stay_far_from_a_polygon_change_nothing():
    # A triangle-like cut of a box; hundreds of strips that hold all of it.
    generator = np.random.default_rng(7)
    near = [[0.6, 0.8], [-0.8, 0.6], [1.0, 0.0]], [-1.0, -2.0, -0.9], [2.0, 1.5, 1.1]
    angles = generator.uniform(0, np.pi, 400)
    far = np.stack([np.cos(angles), np.sin(angles)], axis=-1), np.full(400, -20.0), np.full(400, 20.0)
    many = [np.concatenate([first, second, first[:1]]) for first, second in zip(near, far, strict=True)]
    assert outside(*many) == pytest.approx(outside(*near), rel=1e-13)
