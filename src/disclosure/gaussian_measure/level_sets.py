"""The two sets of noise in which the mixture g of `terms` is too large or too small, in several dimensions.

log g is convex, and not above 0 where the noise is 0. So a ray from the origin enters the high set {log g > high} once and
stays inside. The low set {log g < low} is convex: a ray from a point inside leaves it once. `crossings` finds where, for
both rays of a line at a time, and the mass along a ray is an integral over the radius. What is left is a mean over
directions, which `plane` and `space` take.
"""

from collections.abc import Iterator

import numpy as np
from scipy.special import gamma

from disclosure.gaussian_measure import crossings, rays
from disclosure.gaussian_measure.interior import Inside
from disclosure.gaussian_measure.terms import Terms, log_mixture
from disclosure.numerics.normal import FAR
from disclosure.numerics.ordered_sums import contracted, scalar_products
from disclosure.numerics.types import FloatArray

__all__ = ["high_masses", "high_sharpness", "high_tangents", "low_masses", "low_sharpness"]

# Products of terms and lines in one block of work: its temporaries fit into a processor's cache, and memory stays bounded.
_BLOCK = 1 << 15
# Standard deviations around a point within which all but 1e-9 of the mass is.
_WIDTH = 6.5


def high_masses(terms: Terms, level: float, directions: FloatArray) -> FloatArray:
    """Mass of the high set, if all directions were like those of a line through the origin.

    Parameters
    ----------
    terms : Terms
    level : float
        At least 0.
    directions : ndarray, shape (n, q) or (k, n, q)
        Unit vectors.

    Returns
    -------
    ndarray, shape (k, n)
        The mean over both rays of the line.
    """
    directions = _of_each(directions, len(terms.gaps))
    masses = np.empty((len(directions), directions.shape[1]))
    for rows, lines in _blocks(terms, masses.shape[1]):
        left, right = _ends(terms.of(rows), level, directions[rows, lines])
        # The origin is never in the high set.
        ends = np.maximum(-left, 0.0), np.maximum(right, 0.0)
        tails = [rays.chi_tail(end, directions.shape[-1]) for end in ends]
        masses[rows, lines] = (tails[0] + tails[1]) / 2
    return masses


def high_tangents(terms: Terms, level: float, directions: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Tangents of the high set of one dataset, at the points in which rays from the origin enter it.

    Parameters
    ----------
    terms : Terms
        Of one dataset.
    level : float
        At least 0.
    directions : ndarray, shape (n, q)
        Unit vectors of the rays.

    Returns
    -------
    normals : ndarray, shape (number of rays that enter the set, q)
        Unit vectors that point into the set.
    bounds : ndarray, shape (same number,)
        Distances of the tangents from the origin.
    """
    normals, bounds = [], []
    for _, lines in _blocks(terms, len(directions)):
        part = directions[lines]
        distance = _ends(terms, level, part[None])[1][0]
        entering = np.isfinite(distance) & (distance > 0)
        points = distance[entering, None] * part[entering]
        gradients = log_mixture(terms, points)[1]
        gradients /= np.linalg.norm(gradients, axis=1, keepdims=True)
        normals.append(gradients)
        bounds.append((gradients * points).sum(axis=1))
    return np.concatenate(normals), np.concatenate(bounds)


def low_masses(terms: Terms, level: float, inside: Inside, directions: FloatArray) -> FloatArray:
    """Mass of the low set, if all directions were like those of a line through the point inside.

    Parameters
    ----------
    terms : Terms
    level : float
        At most 0.
    inside : Inside
    directions : ndarray, shape (n, q) or (k, n, q)
        Unit vectors. Those of the lines are what the shapes of ``inside`` make of them.

    Returns
    -------
    ndarray, shape (k, n)
        The mean over both rays of the line.
    """
    dimension = terms.gaps.shape[-1]
    directions = _of_each(directions, len(terms.gaps))
    # The surface of the unit sphere, and the density of the normal distribution but for its exponential.
    constant = 2 * np.pi ** (dimension / 2) / gamma(dimension / 2) / (2 * np.pi) ** (dimension / 2)
    masses = np.empty((len(directions), directions.shape[1]))
    for rows, lines in _blocks(terms, masses.shape[1]):
        part = contracted("kij,knj->kni", inside.shapes[rows], directions[rows, lines])
        left, right = _ends(terms.of(rows), level, part, inside.points[rows])
        points = inside.points[rows, None]
        two = [rays.ray_mass(points, ray, np.maximum(end, 0.0)) for ray, end in ((-part, -left), (part, right))]
        masses[rows, lines] = (two[0] + two[1]) / 2
    return np.asarray(constant * np.linalg.det(inside.shapes)[:, None] * masses)


def high_sharpness(terms: Terms, level: float) -> FloatArray:
    """Inverse of the smallest angle, at the origin, in which the boundary of the high set may turn or its mass appear.

    Parameters
    ----------
    terms : Terms
    level : float
        At least 0.

    Returns
    -------
    ndarray, shape (k,)
    """
    distance = np.sqrt(2 * np.where(np.isfinite(terms.offsets), terms.offsets, 0.0))
    faces = np.divide(level, distance, out=np.full(distance.shape, np.inf), where=distance > 0) + distance / 2
    nearest = np.minimum(faces.min(axis=1), FAR)
    # Farther out than this the mass is smaller by a factor of 1e-9 than where the set may begin.
    return np.asarray(np.hypot(nearest, _WIDTH) * np.maximum(_width(terms.gaps), 1.0))


def low_sharpness(terms: Terms, inside: Inside) -> FloatArray:
    """The same for the low sets, seen from the points inside and in the units of the shapes, in which their sizes are about 1.

    Parameters
    ----------
    terms : Terms
    inside : Inside

    Returns
    -------
    ndarray, shape (k,)
    """
    shaped = contracted("kpi,kij->kpj", terms.gaps, inside.shapes)
    pull = np.linalg.norm(contracted("ki,kij->kj", inside.points, inside.shapes), axis=1)
    return np.asarray(_WIDTH * np.maximum(_width(shaped) + pull, 1.0))


def _width(gaps: FloatArray) -> FloatArray:
    """How far apart the gaps of each dataset and 0 are, at most about."""
    return np.asarray(np.linalg.norm(gaps.max(axis=1, initial=0.0) - gaps.min(axis=1, initial=0.0), axis=1))


def _of_each(directions: FloatArray, rows: int) -> FloatArray:
    """Directions that are the same for all datasets, or not, as an array for each of them."""
    return np.broadcast_to(directions, (rows, *directions.shape[-2:]))


def _blocks(terms: Terms, lines: int) -> Iterator[tuple[slice, slice]]:
    """Slices of datasets and of lines that make up blocks of work."""
    rows, neighbours, _ = terms.gaps.shape
    few_lines = min(lines, max(2, _BLOCK // neighbours))
    few_rows = max(1, _BLOCK // (neighbours * few_lines))
    for row in range(0, rows, few_rows):
        for line in range(0, lines, few_lines):
            yield slice(row, row + few_rows), slice(line, line + few_lines)


def _ends(
    terms: Terms, level: float, directions: FloatArray, points: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Where lines through a point, or the origin, enter and leave the sublevel sets of log g, in lengths of the directions."""
    rows, lines, dimension = directions.shape
    points = np.zeros((rows, dimension)) if points is None else points
    slopes = scalar_products(terms.gaps.swapaxes(0, 1)[:, :, None], directions[None]).reshape(-1, rows * lines)
    offsets = np.repeat((terms.offsets + scalar_products(terms.gaps, points[:, None])).T, lines, axis=1)
    weights = terms.weights.T if len(terms.weights) == 1 else np.repeat(terms.weights.T, lines, axis=1)
    # A convex function lies above its tangents: it has reached the level where the one at the point does.
    value, gradient, _ = log_mixture(terms, points)
    rise = scalar_products(gradient[:, None], directions).reshape(-1)
    with np.errstate(divide="ignore", over="ignore"):
        reached = np.repeat(np.maximum(level - value, 0.0), lines) / rise
    outside = np.where(rise < 0, reached, -np.inf), np.where(rise > 0, reached, np.inf)
    if terms.reach < np.inf:
        exits = _exits(points, directions, terms.reach)
        outside = np.maximum(outside[0], exits[0]), np.minimum(outside[1], exits[1])
        left, right = crossings.sublevel_between(slopes, offsets, weights, level, outside)
    else:
        left, right = crossings.sublevel(slopes, offsets, weights, level, closed=level >= 0, outside=outside)
    return left.reshape(rows, lines), right.reshape(rows, lines)


def _exits(points: FloatArray, directions: FloatArray, radius: float) -> tuple[FloatArray, FloatArray]:
    """Where lines through points in a ball around the origin enter and leave it."""
    along, square = (points[:, None] * directions).sum(axis=-1), (directions**2).sum(axis=-1)
    root = np.sqrt(along**2 + square * np.maximum(radius**2 - (points**2).sum(axis=-1), 0.0)[:, None])
    return ((-along - root) / square).reshape(-1), ((root - along) / square).reshape(-1)
