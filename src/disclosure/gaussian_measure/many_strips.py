"""The intersection of very many strips in the plane, where the origin lies inside of each: in time linear in their number.

By polarity the half-plane <z, n> <= b has the point n / b, and the edges of an intersection belong to the vertices of the
convex hull of these points. Of all half-planes those are taken that are nearest to the origin in each of many sectors of
directions; their hull is that of a polygon P. Every other half-plane is held against the vertex of P that is farthest in its
direction. Those that cut it off are added, until none does, or nearly none: a crowd of equal values in one column is a smooth
curve of points, all of them vertices.

In the end theta P lies in the intersection, and the intersection in P, where theta is the least share of the way to a vertex
at which a half-plane that was left out cuts it off. So the mass outside is between those of the two polygons, which differ
little.
"""

import numpy as np
from numpy.typing import NDArray

from disclosure.gaussian_measure.polygons import mass_outside_polygons
from disclosure.numerics.normal import FAR
from disclosure.numerics.types import BoolArray, FloatArray, IntArray

__all__ = ["mass_outside", "outer_points"]

# Sectors of directions. With a polygon of as many edges the two masses differ by about 1e-6 of themselves.
_SECTORS = 1 << 12
# Rounds in which the half-planes that cut most are added, at most. Without a crowd two are enough.
_ROUNDS = 4
# Share of the way to a vertex. What cuts off less is rounding.
_TOUCH = 1e-13
# Points that are held against the polygon at once, so that memory stays bounded beside the points themselves.
_BLOCK = 1 << 16


def mass_outside(normals: FloatArray, lower: FloatArray, upper: FloatArray) -> tuple[float, float]:
    """Standard normal mass outside the intersection of strips.

    Parameters
    ----------
    normals : ndarray, shape (p, 2)
        Unit vectors, or zeros for strips that hold everything.
    lower, upper : ndarray, shape (p,)
        The strips are lower <= <z, normal> <= upper, with lower < 0 < upper.

    Returns
    -------
    mass, error : float
        The mass outside a polygon around the intersection, and by how much more there may be outside the intersection.
    """
    present = normals.any(axis=1)
    square = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]) / FAR
    points = np.concatenate([*(normals[present] / ends[present, None] for ends in (upper, lower)), square])
    chosen, reached = _hull(points)
    least = mass_outside_polygons(*(array[None] for array in _polygon(points[chosen])))[0]
    if reached.max() <= 1 + _TOUCH:
        return float(least), 0.0
    lines, bounds, vertices = _polygon(points[chosen] * reached.max())
    return float(least), float(mass_outside_polygons(lines[None], bounds[None], vertices[None])[0] - least)


def outer_points(points: FloatArray) -> BoolArray:
    """Which points may be vertices of the convex hull of all; those that are left out are well inside.

    Parameters
    ----------
    points : ndarray, shape (k, 2)
        The origin lies inside their hull.
    """
    return np.asarray(_hull(points)[1] > 1 - _TOUCH)


def _hull(points: FloatArray) -> tuple[IntArray, FloatArray]:
    """Places of some points in the order of their hull around the origin, and how far each of all points reaches to its edge.

    A point inside reaches less than 1, a vertex 1 and a point outside more.
    """
    from scipy.spatial import ConvexHull  # slow to import, and few strips need none

    angles = np.arctan2(points[:, 1], points[:, 0])
    sectors = np.empty(len(points), dtype=np.int16)
    for start in range(0, len(points), _BLOCK):
        part = slice(start, start + _BLOCK)
        sectors[part] = ((angles[part] / (2 * np.pi) + 0.5) * _SECTORS).clip(max=_SECTORS - 1)
    reached = np.hypot(points[:, 0], points[:, 1])
    chosen, beyond = np.arange(0), np.arange(len(points))
    for _ in range(_ROUNDS):
        chosen = np.union1d(chosen, beyond[_largest_of_each(reached[beyond], sectors[beyond])])
        chosen = chosen[ConvexHull(points[chosen]).vertices]
        chosen = chosen[np.argsort(angles[chosen], kind="stable")]
        _, _, vertices = _polygon(points[chosen])
        for start in range(0, len(beyond), _BLOCK):
            block = beyond[start : start + _BLOCK]
            # The vertex of the polygon that is farthest in the direction of each point.
            ends = vertices[np.searchsorted(angles[chosen], angles[block], side="right") - 1]
            reached[block] = points[block, 0] * ends[:, 0] + points[block, 1] * ends[:, 1]
        if reached.max() <= 1 + _TOUCH:
            break
        # More half-planes make the polygon smaller: who is inside stays inside.
        beyond = np.flatnonzero(reached > 1)
    return chosen, reached


def _largest_of_each(values: FloatArray, groups: NDArray[np.int16]) -> IntArray:
    """Places of the largest value of each group."""
    largest = np.full(_SECTORS, -np.inf)
    np.maximum.at(largest, groups, values)
    places = np.flatnonzero(values >= largest[groups])
    return places[np.unique(groups[places], return_index=True)[1]]


def _polygon(points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Outward normals and distances of the edges that belong to points in the order of their hull, and where the edges end."""
    distances = 1 / np.hypot(points[:, 0], points[:, 1])
    following = np.roll(points, -1, axis=0)
    # The end of an edge has the product 1 with its own point and with the next.
    cross = points[:, 0] * following[:, 1] - points[:, 1] * following[:, 0]
    ends = np.column_stack([following[:, 1] - points[:, 1], points[:, 0] - following[:, 0]]) / cross[:, None]
    return points * distances[:, None], distances, ends
