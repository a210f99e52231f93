"""The two sets of noise in which the mixture g of `terms` is too large or too small, in several dimensions.

log g is convex, and at most 0 at the origin, where the noise is 0. So a ray from the origin enters the high set {log g > high}
at most once and then stays inside. The low set {log g < low} is convex: a ray from a point inside leaves it at most once.
`crossings` finds these places, for both rays of a line at a time. `rays` has the mass of the set along each ray. The mass of
the set is the mean of that over all directions, which `plane` and `space` take.
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

# Terms times lines of one block of work: its temporaries fit into a processor's cache, and memory stays bounded.
_BLOCK = 1 << 15
# Standard deviations: a plane normal distribution has all but 1e-9 of its mass within this distance of its centre. What lies
# farther out does not count for how sharply a set's boundary turns.
_WIDTH = 6.5


def high_masses(terms: Terms, level: float, directions: FloatArray) -> FloatArray:
    """Masses of the high sets {log g > level} along lines through the origin; their mean over uniform lines is the set's mass.

    Parameters
    ----------
    terms : Terms
        Of k datasets.
    level : float
        At least 0.
    directions : ndarray, shape (n, q) or (k, n, q)
        Unit vectors of the n lines, the same for all datasets or each dataset's own.

    Returns
    -------
    ndarray, shape (k, n)
        For each line the mean over its two rays of the chi distribution's tail from where the ray enters the set.
    """
    directions = _of_each(directions, len(terms.gaps))
    masses = np.empty((len(directions), directions.shape[1]))
    for rows, lines in _blocks(terms, masses.shape[1]):
        left, right = _ends(terms.of(rows), level, directions[rows, lines])
        # Distances along both rays to where they enter the set. The origin is not in the set: a negative one is rounding.
        ends = np.maximum(-left, 0.0), np.maximum(right, 0.0)
        tails = [rays.chi_tail(end, directions.shape[-1]) for end in ends]
        masses[rows, lines] = (tails[0] + tails[1]) / 2
    return masses


def high_tangents(terms: Terms, level: float, directions: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Tangent planes of the high set {log g > level} of one dataset, at the points in which rays from the origin enter it.

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
    normals : ndarray, shape (m, q)
        For each of the m rays that enter the set, the tangent's unit vector, pointing into the set.
    bounds : ndarray, shape (m,)
        Distances of the tangents from the origin, in standard deviations.
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
    """Masses of the low sets {log g < level} along lines through points inside; their mean over uniform directions is the mass.

    Parameters
    ----------
    terms : Terms
        Of k datasets.
    level : float
        At most 0.
    inside : Inside
        A point in each low set, and the matrix A of its shape.
    directions : ndarray, shape (n, q) or (k, n, q)
        Unit vectors e; the lines through the point have the directions A e.

    Returns
    -------
    ndarray, shape (k, n)
        For each line the mean over its two rays of the integral in docs/method.md, "Several dimensions".
    """
    dimension = terms.gaps.shape[-1]
    directions = _of_each(directions, len(terms.gaps))
    # The surface of the unit sphere, times the factor of the normal density before its exponential.
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
    """Inverse of the smallest angle within which the mass of the high set along a line from the origin may change much.

    The boundary may turn, or the set begin, within that angle. A rule over angles must not be coarser.

    Parameters
    ----------
    terms : Terms
        Of k datasets.
    level : float
        At least 0.

    Returns
    -------
    ndarray, shape (k,)
        In 1 / radians.
    """
    length = np.sqrt(2 * np.where(np.isfinite(terms.offsets), terms.offsets, 0.0))
    # Distances from the origin of the lines on which one term, without its weight, is e^level. The set has no point nearer.
    faces = np.divide(level, length, out=np.full(length.shape, np.inf), where=length > 0) + length / 2
    nearest = np.minimum(faces.min(axis=1), FAR)
    # Farther out than the hypotenuse the density is smaller by 1e-9 than where the set may begin.
    return np.asarray(np.hypot(nearest, _WIDTH) * np.maximum(_extent(terms.gaps), 1.0))


def low_sharpness(terms: Terms, inside: Inside) -> FloatArray:
    """Inverse of the smallest angle within which the mass of a low set along a line through its point inside may change much.

    Angles are those of the vectors e before the shape's matrix maps them: in these units the set's size is about 1.

    Parameters
    ----------
    terms : Terms
        Of k datasets.
    inside : Inside
        Of the same datasets.

    Returns
    -------
    ndarray, shape (k,)
        In 1 / radians.
    """
    shaped = contracted("kpi,kij->kpj", terms.gaps, inside.shapes)
    # The slope of the normal density's logarithm at the point, in the units of the shape.
    pull = np.linalg.norm(contracted("ki,kij->kj", inside.points, inside.shapes), axis=1)
    return np.asarray(_WIDTH * np.maximum(_extent(shaped) + pull, 1.0))


def _extent(gaps: FloatArray) -> FloatArray:
    """Diagonal of the box around each dataset's gaps and 0, shape (k,): an upper bound of the distance between two of them."""
    return np.asarray(np.linalg.norm(gaps.max(axis=1, initial=0.0) - gaps.min(axis=1, initial=0.0), axis=1))


def _of_each(directions: FloatArray, rows: int) -> FloatArray:
    """Directions of shape (n, q) or (k, n, q) as (k, n, q), with k = ``rows`` datasets."""
    return np.broadcast_to(directions, (rows, *directions.shape[-2:]))


def _blocks(terms: Terms, lines: int) -> Iterator[tuple[slice, slice]]:
    """Slices of datasets, and of lines, which together make one block of work each."""
    rows, neighbours, _ = terms.gaps.shape
    few_lines = min(lines, max(2, _BLOCK // neighbours))
    few_rows = max(1, _BLOCK // (neighbours * few_lines))
    for row in range(0, rows, few_rows):
        for line in range(0, lines, few_lines):
            yield slice(row, row + few_rows), slice(line, line + few_lines)


def _ends(
    terms: Terms, level: float, directions: FloatArray, points: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Ends of {log g < level} along lines through a point of each dataset, or through the origin.

    Parameters
    ----------
    terms : Terms
        Of k datasets.
    level : float
    directions : ndarray, shape (k, n, q)
    points : ndarray, shape (k, q), optional
        The origin by default.

    Returns
    -------
    left, right : ndarray, shape (k, n)
        Signed distances from the point, in units of the direction's length; inf and -inf if the line misses the set.
    """
    rows, lines, dimension = directions.shape
    points = np.zeros((rows, dimension)) if points is None else points
    slopes = scalar_products(terms.gaps.swapaxes(0, 1)[:, :, None], directions[None]).reshape(-1, rows * lines)
    offsets = np.repeat((terms.offsets + scalar_products(terms.gaps, points[:, None])).T, lines, axis=1)
    weights = terms.weights.T if len(terms.weights) == 1 else np.repeat(terms.weights.T, lines, axis=1)
    # A convex function lies above its tangent. So log g has reached the level where its tangent at the point reaches it.
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
    """Where lines through points in a ball around the origin enter and leave the ball, each of shape (k n,)."""
    along, square = (points[:, None] * directions).sum(axis=-1), (directions**2).sum(axis=-1)
    root = np.sqrt(along**2 + square * np.maximum(radius**2 - (points**2).sum(axis=-1), 0.0)[:, None])
    return ((-along - root) / square).reshape(-1), ((root - along) / square).reshape(-1)
