"""Intersections of strips in the plane: convex polygons, and the mass of the normal distribution outside them.

The mass behind an edge is that of all points beyond the edge that the origin sees through it, in closed form by Owen's T
function (docs/method.md, "Several dimensions"). If the origin lies inside the polygon, the masses behind the edges are positive
and their sum is the mass outside, with a relative error of about 1e-12 however far away the edges are.
"""

import numpy as np
from scipy.special import owens_t

from disclosure.numerics.errors import ConvergenceError
from disclosure.numerics.normal import FAR
from disclosure.numerics.ordered_sums import one_by_one, scalar_products
from disclosure.numerics.types import BoolArray, FloatArray

__all__ = ["mass_outside", "mass_outside_polygons"]

# Outward normals of the square, with half the side `FAR`, that every polygon starts as: there is no mass outside of it in
# floating point.
_SQUARE = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
# Standard deviations. A half-plane that reaches less than this beyond a vertex counts as not cutting the vertex off. It is ten
# times the rounding of a vertex.
_TOUCH = 1e-13
# Standard deviations. A half-plane that stays so far from all vertices will never cut one off, since polygons only shrink and
# vertices are rounded by less.
_CLEAR = 1e-9
# Rounds in which a half-plane is added at each vertex, at most. The number of edges nearly doubles in each round until all
# edges are found.
_MOST_ROUNDS = 500
# Floats of one block of work, so that memory stays bounded.
_BLOCK = 1 << 16
# Distance of the nearest edge's line, in standard deviations, from which on the masses behind edges are summed. Below it one
# minus the mass inside is as accurate, and right also where the origin is outside.
_NEAR = 0.5


def mass_outside(normals: FloatArray, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Standard normal mass outside the intersections of strips.

    Parameters
    ----------
    normals : ndarray, shape (k, p, 2)
        Unit vectors, or zeros for strips that hold everything.
    lower, upper : ndarray, shape (k, p)
        The strips are lower <= <z, normal> <= upper, in standard deviations.

    Returns
    -------
    ndarray, shape (k,)
    """
    return mass_outside_polygons(*_polygons(normals, lower, upper))


def mass_outside_polygons(lines: FloatArray, bounds: FloatArray, vertices: FloatArray) -> FloatArray:
    """Mass outside k polygons, shape (k,).

    Parameters
    ----------
    lines : ndarray, shape (k, e, 2)
        Outward unit normals of the lines on which the edges lie.
    bounds : ndarray, shape (k, e)
        Signed distances of these lines from the origin, below 0 if the origin lies beyond; inf where there is no edge.
    vertices : ndarray, shape (k, e, 2)
        Where each edge ends, in counterclockwise order.
    """
    edges = np.isfinite(bounds)
    order = np.argsort(np.where(edges, np.arctan2(lines[..., 1], lines[..., 0]), np.inf), axis=1)
    bounds, edges = np.take_along_axis(bounds, order, axis=1), np.take_along_axis(edges, order, axis=1)
    lines, vertices = (np.take_along_axis(array, order[..., None], axis=1) for array in (lines, vertices))
    # Every edge begins where the one before it ends, so the masses behind them leave no gap and do not overlap.
    begins = np.roll(vertices, 1, axis=1)
    begins[:, 0] = vertices[np.arange(len(vertices)), np.maximum(edges.sum(axis=1) - 1, 0)]
    distance = np.where(edges, np.abs(bounds), 1.0)
    (seen_before, behind_before), (seen, behind) = (_behind(lines, distance, points) for points in (begins, vertices))
    side = np.where(edges, np.where(bounds < 0, -1.0, 1.0), 0.0)
    seen, behind = one_by_one(side * (seen - seen_before)), one_by_one(side * (behind - behind_before))
    # ``seen`` is the share of directions in which the origin sees edges, with signs: 1 if it lies inside, 0 if outside, and
    # ``seen - behind`` is the mass inside. A polygon without an edge is empty.
    return np.where(bounds.min(axis=1) > _NEAR, np.where(edges.any(axis=1), behind, 1.0), 1 - (seen - behind))


def _behind(lines: FloatArray, distance: FloatArray, points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For points on lines: the share of all directions between the line's foot and the point, and the mass behind that segment.

    Both have the sign of the point's coordinate along the line. The foot is the line's point nearest to the origin.
    """
    along = points[..., 1] * lines[..., 0] - points[..., 0] * lines[..., 1]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope = np.where(along == 0, 0.0, along / distance)
    return np.arctan2(along, distance) / (2 * np.pi), owens_t(distance, slope)


def _polygons(normals: FloatArray, lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Edges of the intersection of each row's strips with the large square, as `mass_outside_polygons` takes them.

    In each round, at each vertex, the half-plane that cuts off most is added, until none cuts a vertex off. A round costs the
    number of strips times the number of vertices, which is small.
    """
    rows = len(normals)
    lines, bounds = np.tile(_SQUARE, (rows, 1, 1)), np.full((rows, len(_SQUARE)), FAR)
    for _ in range(_MOST_ROUNDS):
        edges, vertices = _edges(lines, bounds)
        bounds = np.where(edges, bounds, np.inf)
        # Edges that are left move to the front, and columns without any are dropped.
        order = np.argsort(~edges, axis=1, kind="stable")[:, : max(1, edges.sum(axis=1).max())]
        bounds = np.take_along_axis(bounds, order, axis=1)
        lines, vertices = (np.take_along_axis(array, order[..., None], axis=1) for array in (lines, vertices))
        more_lines, more_bounds, near = _deepest_cuts(normals, lower, upper, vertices, np.isfinite(bounds))
        if not np.isfinite(more_bounds).any():
            return lines, bounds, vertices
        # A polygon only shrinks, so strips whose ends are far from all of its vertices need not be looked at again.
        if rows == 1 and 2 * np.count_nonzero(near) < near.size:
            normals, lower, upper = normals[:, near], lower[:, near], upper[:, near]
        lines, bounds = np.concatenate([lines, more_lines], axis=1), np.concatenate([bounds, more_bounds], axis=1)
    raise ConvergenceError(f"the intersection of {normals.shape[1]} strips has not been found in {_MOST_ROUNDS} rounds")


def _edges(lines: FloatArray, bounds: FloatArray) -> tuple[BoolArray, FloatArray]:
    """Which lines bound the intersection of their half-planes, and the vertices at which their edges end.

    Places on a line are counted from its foot, the point nearest to the origin, in the direction of its normal turned to the
    left. Every other half-plane holds the line from some place on, or up to some place. The edge goes from the last place of
    the first kind to the first place of the second; a line on which these are the other way round has no edge.

    Parameters
    ----------
    lines : ndarray, shape (k, e, 2)
        Outward unit normals.
    bounds : ndarray, shape (k, e)
        Signed distances of the lines from the origin; inf where there is no line.

    Returns
    -------
    edges : ndarray of bool, shape (k, e)
    vertices : ndarray, shape (k, e, 2)
        Of use where there is an edge.
    """
    rows, count = bounds.shape
    # Rows last: minima over a few lines are then taken over long runs of memory.
    x, y = lines[..., 0].T.copy(), lines[..., 1].T.copy()
    present = np.isfinite(bounds).T
    bounds = np.where(present, bounds.T, 0.0)
    begin, end = np.full((count, rows), -np.inf), np.full((count, rows), np.inf)
    numbers = np.arange(count)
    step = max(1, _BLOCK // (rows * count))
    for start in range(0, count, step):
        others = slice(start, start + step)
        place, up_to = _cuts(x, y, bounds, others)
        counts = present[others] & (numbers[:, None] != numbers[others])[..., None]
        end = np.minimum(end, np.where(counts & up_to, place, np.inf).min(axis=1))
        begin = np.maximum(begin, np.where(counts & ~up_to, place, -np.inf).max(axis=1))
    edges = present & (begin < end)
    place = np.where(edges, end, 0.0)
    return edges.T, np.stack([bounds * x - place * y, bounds * y + place * x], axis=-1).swapaxes(0, 1)


def _cuts(x: FloatArray, y: FloatArray, bounds: FloatArray, others: slice) -> tuple[FloatArray, BoolArray]:
    """Where other half-planes cut each line, and whether they hold it up to there, and not from there on.

    A place s on line i is the point b_i n_i + s t_i with the normal n_i, its distance b_i, and t_i = n_i turned to the left. It
    lies in half-plane j if s <t_i, n_j> <= b_j - b_i <n_i, n_j>. The scalar products are the sine and the cosine of the angle
    from n_i to n_j.

    Parameters
    ----------
    x, y, bounds : ndarray, shape (e, k)
        Coordinates of the normals, and distances of the lines, one column for each polygon.
    others : slice
        The half-planes j.

    Returns
    -------
    place : ndarray, shape (e, number of others, k)
    up_to : ndarray of bool, of the same shape
    """
    sine = x[:, None] * y[others] - y[:, None] * x[others]
    room = bounds[others] - bounds[:, None] * (x[:, None] * x[others] + y[:, None] * y[others])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        place = room / sine
    # A half-plane with a parallel boundary holds the whole line, up to inf, or none of it, up to -inf.
    parallel = sine == 0
    place[parallel] = np.where(room[parallel] < 0, -np.inf, np.inf)
    return place, sine >= 0


def _deepest_cuts(
    normals: FloatArray, lower: FloatArray, upper: FloatArray, vertices: FloatArray, edges: BoolArray
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """For each vertex the half-plane outside a strip that reaches farthest beyond it.

    Parameters
    ----------
    normals, lower, upper
        Strips, as in `mass_outside`.
    vertices : ndarray, shape (k, e, 2)
    edges : ndarray of bool, shape (k, e)
        Which of the vertices are there.

    Returns
    -------
    lines : ndarray, shape (k, e, 2)
        Outward normals of the edges that the half-planes make.
    bounds : ndarray, shape (k, e)
        Their distances; inf if no half-plane cuts the vertex off, or an earlier vertex has the same one.
    near : ndarray of bool, shape (p,)
        Which strips have an end near a vertex. It is found only if there is one polygon.
    """
    near = np.zeros(normals.shape[1], dtype=bool)
    deepest, chosen = np.full(edges.shape, _TOUCH), np.full(edges.shape, -1)
    strips = normals.shape[1]
    step = max(1, _BLOCK // edges.size)
    for start in range(0, strips, step):
        part = slice(start, start + step)
        places = scalar_products(vertices[:, :, None], normals[:, None, part])
        for side, depths in enumerate((places - upper[:, None, part], lower[:, None, part] - places)):
            if len(normals) == 1:
                near[part] |= depths.max(axis=1)[0] > -_CLEAR
            place = depths.argmax(axis=2)
            depth = np.take_along_axis(depths, place[..., None], axis=2)[..., 0]
            deeper = edges & (depth > deepest)
            deepest[deeper], chosen[deeper] = depth[deeper], (start + place + side * strips)[deeper]
    earlier = np.tri(edges.shape[1], k=-1, dtype=bool)
    repeated = ((chosen[:, :, None] == chosen[:, None, :]) & earlier).any(axis=2)
    new = (chosen >= 0) & ~repeated
    strip, below = chosen % strips, chosen >= strips
    sign = np.where(below, -1.0, 1.0)
    lines = sign[..., None] * np.take_along_axis(normals, strip[..., None], axis=1)
    bounds = np.where(below, -np.take_along_axis(lower, strip, axis=1), np.take_along_axis(upper, strip, axis=1))
    return lines, np.where(new, bounds, np.inf), near
