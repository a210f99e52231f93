"""Two dimensions: masses under the standard normal distribution of the plane, by deterministic rules.

The good regions |L_j| <= epsilon of `regions` are strips, and their intersection is a convex polygon. Seen from the origin,
what lies behind one of its edges has a mass in closed form by Owen's T function, and so has everything outside the polygon.

The masses of the two sets of `level_sets` are means over the directions of lines, of functions that are smooth and
periodic: a rule with equidistant angles converges faster than any power of their number.
"""

import numpy as np
from scipy.special import owens_t

from disclosure.gaussian_measure import equal_terms, level_sets
from disclosure.numerics.errors import ConvergenceError

__all__ = ["mass_outside_levels", "mass_outside_strips"]

# A square with this half side has nothing outside it in floating point.
_FAR = 40.0
# A half-plane that cuts off less than this from a polygon is taken not to cut it.
_TOUCH = 1e-13
# One that stays so far away from all vertices will not come to cut one off, however these are rounded.
_CLEAR = 1e-9
_MOST_ROUNDS = 500
_SQUARE = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
# Numbers of one block of work, so that memory stays bounded.
_BLOCK = 1 << 16
_FIRST_LINES, _MOST_LINES = 16, 1 << 13
_TOLERANCE, _ROUNDING = 1e-9, 1e-11
# From so many terms on a mixture is condensed, which costs some digits.
_MANY, _CONDENSING = 5_000, 1e-9
# By how much the steps of a doubling rule may shrink less than they have before.
_CAUTION = 10.0


def mass_outside_strips(normals, lower, upper):
    """Mass outside the intersection of strips.

    Where the origin lies inside, the masses behind the edges add up without cancellation, so that the relative error stays
    about 1e-12 however far away the edges are.

    Parameters
    ----------
    normals : ndarray, shape (k, p, 2)
        Unit vectors, or zeros for strips that hold everything.
    lower, upper : ndarray, shape (k, p)
        The strips are lower <= <z, normal> <= upper.

    Returns
    -------
    ndarray, shape (k,)
    """
    result = np.empty(len(normals))
    step = max(1, _BLOCK // (8 * max(1, normals.shape[1])))
    for start in range(0, len(normals), step):
        rows = slice(start, start + step)
        result[rows] = _mass_outside(*_polygons(normals[rows], lower[rows], upper[rows]))
    return result


def _mass_outside(lines, bounds, vertices):
    """Mass outside polygons: of each the outward normals of its edges, their bounds, and the vertices that end them."""
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
    # Added up one by one, so that the places without an edge make no difference.
    seen, behind = (np.cumsum(side * part, axis=1)[:, -1] for part in (seen - seen_before, behind - behind_before))
    # The edges of a polygon around the origin are seen in all directions; otherwise at most half of all mass is inside.
    return np.where(bounds.min(axis=1) > 0.5, np.where(edges.any(axis=1), behind, 1.0), 1 - (seen - behind))


def _behind(lines, distance, points):
    """Share of all directions between the foot of a line and a point on it, and the mass behind the line there."""
    along = points[..., 1] * lines[..., 0] - points[..., 0] * lines[..., 1]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope = np.where(along == 0, 0.0, along / distance)
    return np.arctan2(along, distance) / (2 * np.pi), owens_t(distance, slope)


def _polygons(normals, lower, upper):
    """Edges of the intersection of each row of strips and a large square, as `_mass_outside` takes them.

    Where it cuts off most of a vertex a half-plane is added, until none cuts one off: each round costs the number of strips
    times that of the vertices, which is small. Bounds are inf where there is no edge.
    """
    rows = len(normals)
    lines, bounds = np.tile(_SQUARE, (rows, 1, 1)), np.full((rows, 4), _FAR)
    for _ in range(_MOST_ROUNDS):
        edges, vertices = _edges(lines, bounds)
        bounds = np.where(edges, bounds, np.inf)
        # What is left moves to the front.
        order = np.argsort(~edges, axis=1, kind="stable")[:, : max(1, edges.sum(axis=1).max())]
        bounds = np.take_along_axis(bounds, order, axis=1)
        lines, vertices = (np.take_along_axis(array, order[..., None], axis=1) for array in (lines, vertices))
        more_lines, more_bounds, near = _deepest_cuts(normals, lower, upper, vertices, np.isfinite(bounds))
        if not np.isfinite(more_bounds).any():
            return lines, bounds, vertices
        # The polygons only shrink, so what has not come near one never will.
        if rows == 1 and 2 * np.count_nonzero(near) < near.size:
            normals, lower, upper = normals[:, near], lower[:, near], upper[:, near]
        lines, bounds = np.concatenate([lines, more_lines], axis=1), np.concatenate([bounds, more_bounds], axis=1)
    raise ConvergenceError(f"the intersection of {normals.shape[1]} strips has not been found in {_MOST_ROUNDS} rounds")


def _edges(lines, bounds):
    """Which lines bound the intersection of their half-planes, and the vertices at which their edges end."""
    rows, count = bounds.shape
    # Rows last: minima over a few lines are then taken over long runs of memory.
    x, y = lines[..., 0].T.copy(), lines[..., 1].T.copy()
    present = np.isfinite(bounds).T
    bounds = np.where(present, bounds.T, 0.0)
    first, last = np.full((count, rows), -np.inf), np.full((count, rows), np.inf)
    numbers = np.arange(count)
    step = max(1, _BLOCK // (rows * count))
    for start in range(0, count, step):
        others = slice(start, start + step)
        sine = x[:, None] * y[others] - y[:, None] * x[others]
        room = bounds[others] - bounds[:, None] * (x[:, None] * x[others] + y[:, None] * y[others])
        counts = present[others] & (numbers[:, None] != numbers[others])[..., None]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            end = room / sine
        # A parallel half-plane holds the line or does not; a line says nothing about itself.
        parallel = sine == 0
        end[parallel] = np.where(room[parallel] < 0, -np.inf, np.inf)
        last = np.minimum(last, np.where(counts & (sine >= 0), end, np.inf).min(axis=1))
        first = np.maximum(first, np.where(counts & (sine < 0), end, -np.inf).max(axis=1))
    edges = present & (first < last)
    along = np.where(edges, last, 0.0)
    return edges.T, np.stack([bounds * x - along * y, bounds * y + along * x], axis=-1).swapaxes(0, 1)


def _deepest_cuts(normals, lower, upper, vertices, edges):
    """For each vertex the half-plane that cuts off most of it; its bound is inf if none does, or another vertex has it.

    Also which strips come near the vertices of a polygon, if there is one only.
    """
    near = np.zeros(normals.shape[1], dtype=bool)
    deepest, chosen = np.full(edges.shape, _TOUCH), np.full(edges.shape, -1)
    strips = normals.shape[1]
    step = max(1, _BLOCK // edges.size)
    for start in range(0, strips, step):
        part = slice(start, start + step)
        # Without a matrix product, whose rounding would depend on the other rows.
        places = sum(vertices[..., axis, None] * normals[:, None, part, axis] for axis in (0, 1))
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


def mass_outside_levels(terms, low, high):
    """Mass where log g is below ``low`` or above ``high``.

    Parameters
    ----------
    terms : level_sets.Terms
        Of k datasets, in two dimensions.
    low, high : float
        low <= 0 <= high < inf.

    Returns
    -------
    mass, error : ndarray, shape (k,)
        The error is below 1e-8 of the mass unless a set has more and sharper corners than 16,384 directions resolve.
    """
    mass, error = np.empty(len(terms.gaps)), np.empty(len(terms.gaps))
    many = terms.gaps.shape[1] >= _MANY and low < 0 < high
    step = 1 if many else max(1, _BLOCK // terms.gaps.shape[1])
    for start in range(0, len(mass), step):
        rows = slice(start, start + step)
        part = terms.of(rows)
        mass[rows], error[rows] = _mass_outside_levels(part, equal_terms.condensed(part) if many else part, low, high)
    return mass, error + (_CONDENSING if many else _ROUNDING) * mass


def _mass_outside_levels(terms, few, low, high):
    """Masses and errors from mixtures, and from the same mixtures with few terms."""

    def high_masses(rows, directions):
        return level_sets.high_masses(few.of(rows), high, directions)

    mass, error = _periodic_means(high_masses, level_sets.high_sharpness(terms, high), np.zeros(len(terms.gaps)))
    rows, inside = level_sets.inside(terms, low)
    few = few.of(rows)

    def low_masses(part, directions):
        return level_sets.low_masses(few.of(part), low, inside.of(part), directions)

    low_mass, low_error = _periodic_means(low_masses, level_sets.low_sharpness(terms.of(rows), inside), mass[rows])
    mass[rows] += low_mass
    error[rows] += low_error
    return mass, error


def _periodic_means(function, sharpness, others):
    """Means over all directions of as many functions, and estimates of their errors.

    The number of angles doubles until the error is small beside the sum of the mean and ``others``. ``function`` maps some
    of the row numbers, and unit vectors, to values for the rows and the vectors; opposite vectors have the same value. The
    number begins at a function's ``sharpness``, the inverse of the smallest angle in which it may change much: a coarser rule
    may not see what it misses.
    """
    mean, error = np.empty(len(sharpness)), np.empty(len(sharpness))
    first = 2.0 ** np.ceil(np.log2(np.clip(sharpness, _FIRST_LINES, _MOST_LINES / 4)))
    for lines in np.unique(first).astype(int):
        rows = np.flatnonzero(first == lines)
        mean[rows], error[rows] = _doubled(function, rows, lines, others)
    return mean, error


def _doubled(function, rows, lines, others):
    """The means of some rows, all from the same number of lines on."""
    mean = _mean_over_angles(function, rows, lines, 0.0)
    change, error = np.full(rows.size, np.inf), mean.copy()
    going = np.arange(rows.size)
    while going.size and lines < _MOST_LINES:
        finer = (mean[going] + _mean_over_angles(function, rows[going], lines, 0.5)) / 2
        lines *= 2
        step = np.abs(finer - mean[going])
        # The steps shrink by growing factors. So what is left is below the last step times its factor.
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = np.where(np.isinf(change[going]), 1.0, np.minimum(_CAUTION * step / change[going], 1.0))
        mean[going], change[going], error[going] = finer, step, np.where(step > 0, step * factor, 0.0)
        going = going[error[going] > _TOLERANCE * (finer + others[rows[going]])]
    return mean, error


def _mean_over_angles(function, rows, lines, shift):
    angles = np.pi * (np.arange(lines) + shift) / lines
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    step = max(1, _BLOCK // lines)
    parts = [function(rows[start : start + step], directions).mean(axis=1) for start in range(0, len(rows), step)]
    return np.concatenate([np.empty(0), *parts])
