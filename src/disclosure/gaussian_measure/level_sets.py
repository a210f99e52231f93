"""The two sets of noise in which the mixture g of `ratio` is too large or too small, in several dimensions.

log g is convex, and not above 0 where the noise is 0. So a ray from the origin enters the high set {log g > high} once and
stays inside. The low set {log g < low} is convex: a ray from a point inside leaves it once. `radial.sublevel` finds where, for
both rays of a line at a time, and the mass along a ray is an integral over the radius. What is left is a mean over
directions, which `planar` and `directions` take.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import gamma

from disclosure.gaussian_measure import rays
from disclosure.numerics.errors import ConvergenceError

__all__ = [
    "FAR",
    "Inside",
    "Terms",
    "high_masses",
    "high_sharpness",
    "high_tangents",
    "inside",
    "low_masses",
    "low_sharpness",
]

# Beyond this distance there is no mass in floating point.
FAR = 40.0
# Numbers of one block of work: its temporaries fit into a processor's cache, and memory stays bounded.
_BLOCK = 1 << 15
_PENALTIES = 10.0 ** -np.arange(0, 17, 2)
_MOST_STEPS = 60
# How near a minimum is near enough, for a bound and for a point well inside.
_MINIMUM, _NEAR_CENTRE = 1e-13, 1e-2
# A set in which log g is nowhere below the level by more than this is as good as empty.
_TINY = 1e-12
_SMALL_LEVEL = 0.05
# Radius of the normal distribution in which all but 1e-9 of the mass is.
_WIDTH = 6.5


class Terms(NamedTuple):
    """The mixtures g of k datasets. A term that is absent has the gap 0 and the offset inf."""

    gaps: np.ndarray  # standardised, (k, p, q)
    offsets: np.ndarray  # |c|^2 / 2, (k, p)
    weights: np.ndarray  # (k, p), or (1, p) if all have the same
    reach: float = np.inf  # largest |z| at which the mixtures hold; weights may be negative if it is finite

    def of(self, rows):
        """The mixtures of some of the datasets."""
        weights = self.weights if len(self.weights) == 1 else self.weights[rows]
        return Terms(self.gaps[rows], self.offsets[rows], weights, self.reach)


class Inside(NamedTuple):
    """Points inside low sets, and matrices that map the unit ball to about where a set's mass is, seen from the point."""

    points: np.ndarray  # (k, q)
    shapes: np.ndarray  # (k, q, q)

    def of(self, rows):
        """Those of some of the datasets."""
        return Inside(self.points[rows], self.shapes[rows])


def high_masses(terms, level, directions):
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
    masses = np.empty(directions.shape[:2])
    for rows, lines in _blocks(terms, masses.shape[1]):
        left, right = _ends(terms.of(rows), level, directions[rows, lines])
        # The origin is never in the high set.
        ends = np.maximum(-left, 0.0), np.maximum(right, 0.0)
        masses[rows, lines] = sum(rays.chi_tail(end, directions.shape[-1]) for end in ends) / 2
    return masses


def high_tangents(terms, level, directions):
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
        gradients = _log_mixture(terms, points)[1]
        gradients /= np.linalg.norm(gradients, axis=1, keepdims=True)
        normals.append(gradients)
        bounds.append((gradients * points).sum(axis=1))
    return np.concatenate(normals), np.concatenate(bounds)


def low_masses(terms, level, inside, directions):
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
    masses = np.empty(directions.shape[:2])
    for rows, lines in _blocks(terms, masses.shape[1]):
        part = np.einsum("kij,knj->kni", inside.shapes[rows], directions[rows, lines])
        left, right = _ends(terms.of(rows), level, part, inside.points[rows])
        two = (-part, -left), (part, right)
        points = inside.points[rows, None]
        masses[rows, lines] = sum(rays.ray_mass(points, ray, np.maximum(end, 0.0)) for ray, end in two) / 2
    return constant * np.linalg.det(inside.shapes)[:, None] * masses


def high_sharpness(terms, level):
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
    return np.hypot(nearest, _WIDTH) * np.maximum(_width(terms.gaps), 1.0)


def low_sharpness(terms, inside):
    """The same for the low set, seen from the point inside and in the shape's units, in which its size is about 1."""
    shaped = np.einsum("kpi,kij->kpj", terms.gaps, inside.shapes)
    pull = np.linalg.norm(np.einsum("ki,kij->kj", inside.points, inside.shapes), axis=1)
    return _WIDTH * np.maximum(_width(shaped) + pull, 1.0)


def _width(gaps):
    """How far apart the gaps of each dataset and 0 are, at most about."""
    return np.linalg.norm(gaps.max(axis=1, initial=0.0) - gaps.min(axis=1, initial=0.0), axis=1)


def _of_each(directions, rows):
    return np.broadcast_to(directions, (rows, *directions.shape[-2:]))


def _products(gaps, vectors):
    """Scalar products of the gaps of each dataset with its vector."""
    return sum(gaps[..., axis] * vectors[:, None, axis] for axis in range(gaps.shape[-1]))


def _blocks(terms, lines):
    """Slices of datasets and of lines that make up blocks of work."""
    rows, neighbours, _ = terms.gaps.shape
    few_lines = min(lines, max(2, _BLOCK // neighbours))
    few_rows = max(1, _BLOCK // (neighbours * few_lines))
    for row in range(0, rows, few_rows):
        for line in range(0, lines, few_lines):
            yield slice(row, row + few_rows), slice(line, line + few_lines)


def _ends(terms, level, directions, points=None):
    """Where lines through a point, or the origin, meet the sublevel sets of log g, in units of the directions' length."""
    rows, lines, dimension = directions.shape
    points = np.zeros((rows, dimension)) if points is None else points
    slopes = sum(
        terms.gaps[..., axis].T[:, :, None] * directions[None, :, :, axis] for axis in range(dimension)
    ).reshape(-1, rows * lines)
    offsets = np.repeat((terms.offsets + _products(terms.gaps, points)).T, lines, axis=1)
    weights = terms.weights.T if len(terms.weights) == 1 else np.repeat(terms.weights.T, lines, axis=1)
    # A convex function lies above its tangents: it has reached the level where the one at the point does.
    value, gradient, _ = _log_mixture(terms, points)
    rise = sum(gradient[:, None, axis] * directions[..., axis] for axis in range(dimension)).reshape(-1)
    with np.errstate(divide="ignore", over="ignore"):
        reached = np.repeat(np.maximum(level - value, 0.0), lines) / rise
    outside = np.where(rise < 0, reached, -np.inf), np.where(rise > 0, reached, np.inf)
    if terms.reach < np.inf:
        exits = _exits(points, directions, terms.reach)
        outside = np.maximum(outside[0], exits[0]), np.minimum(outside[1], exits[1])
        ends = rays.sublevel_between(slopes, offsets, weights, level, outside)
    else:
        ends = rays.sublevel(slopes, offsets, weights, level, closed=level >= 0, outside=outside)
    return [end.reshape(rows, lines) for end in ends]


def _exits(points, directions, radius):
    """Where lines through points in a ball around the origin enter and leave it."""
    along, square = (points[:, None] * directions).sum(axis=-1), (directions**2).sum(axis=-1)
    root = np.sqrt(along**2 + square * np.maximum(radius**2 - (points**2).sum(axis=-1), 0.0)[:, None])
    return ((-along - root) / square).reshape(-1), ((root - along) / square).reshape(-1)


def inside(terms, level):
    """Points inside the low sets {log g < level}, near most of their mass.

    Parameters
    ----------
    terms : Terms
    level : float
        At most 0.

    Returns
    -------
    rows : ndarray of int
        The datasets whose low set is not empty, as far as there is mass in floating point.
    Inside
        For those.
    """
    rows, points = _feasible(terms, level)
    terms = terms.of(rows)

    def barrier(points):
        value, gradient, hessian = _log_mixture(terms, points)
        slack = level - value
        with np.errstate(divide="ignore", invalid="ignore"):
            gradient = gradient / slack[:, None]
            hessian = hessian / slack[:, None, None] + gradient[:, :, None] * gradient[:, None, :]
            value = np.where(slack > 0, (points**2).sum(axis=1) / 2 - np.log(slack), np.inf)
        return value, points + gradient, np.eye(points.shape[1]) + hessian

    points, _, _, hessian = _descend(barrier, points, _NEAR_CENTRE)
    # The inverse of the transposed Cholesky factor maps the unit ball to the ellipsoid of the second derivatives.
    return rows, Inside(points, np.linalg.inv(np.linalg.cholesky(hessian)).swapaxes(1, 2))


def _feasible(terms, level):
    """Datasets with a low set, and a point inside each.

    The minimiser of log g + m |z|^2 / 2 minimises log g over the ball whose radius is its distance from the origin. It moves
    outwards as m falls, and either comes into the low set, or shows that there is none within the ball of all mass.
    """
    rows = np.arange(len(terms.gaps) if level > -np.inf else 0)
    points = np.zeros((rows.size, terms.gaps.shape[-1]))
    found_rows, found_points = [rows[:0]], [points[:0]]
    for penalty in _PENALTIES:
        if not rows.size:
            break
        part = terms.of(rows)

        def penalised(points, part=part, penalty=penalty):
            value, gradient, hessian = _log_mixture(part, points)
            value = value + penalty * (points**2).sum(axis=1) / 2
            return value, gradient + penalty * points, hessian + penalty * np.eye(points.shape[1])

        points, value, gradient, _ = _descend(penalised, points, _MINIMUM)
        # A lower bound of log g within the ball, by the second derivatives that the penalty guarantees.
        lowest = value - (gradient**2).sum(axis=1) / (2 * penalty) - penalty * FAR**2 / 2
        found = value - penalty * (points**2).sum(axis=1) / 2 < level
        found_rows.append(rows[found])
        found_points.append(points[found])
        going = ~found & (lowest < level)
        rows, points, lowest = rows[going], points[going], lowest[going]
    if rows.size and (lowest < level - _TINY).any():
        raise ConvergenceError(f"no point with log g below {level} was found, nor that there is none")
    rows, points = np.concatenate(found_rows), np.concatenate(found_points)
    order = np.argsort(rows)
    return rows[order], points[order]


def _log_mixture(terms, points):
    """log g, its gradients and its second derivatives."""
    exponents = -(_products(terms.gaps, points) + terms.offsets)
    largest = exponents.max(axis=1, keepdims=True)
    shares = terms.weights * np.exp(exponents - largest)
    total = shares.sum(axis=1, keepdims=True)
    shares /= total
    value = (largest + np.log(total))[:, 0]
    small = np.abs(value) < _SMALL_LEVEL
    if small.any():
        weights = terms.weights if len(terms.weights) == 1 else terms.weights[small]
        value[small] = np.log1p((weights * np.expm1(exponents[small])).sum(axis=1))
    weighted = shares[..., None] * terms.gaps
    mean = weighted.sum(axis=1)
    hessian = weighted.swapaxes(1, 2) @ (terms.gaps - mean[:, None])
    return value, -mean, (hessian + hessian.swapaxes(1, 2)) / 2


def _descend(function, points, tolerance):
    """Newton's method for convex functions, each from its own point, down to about ``tolerance`` above the minimum.

    Returns
    -------
    points, values, gradients, second derivatives
    """
    length = np.ones(len(points))
    state = [points, *function(points)]
    for _ in range(_MOST_STEPS):
        points, value, gradient, hessian = state
        steps = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        going = (gradient * steps).sum(axis=1) > tolerance
        if not going.any():
            break
        trial = points - length[:, None] * steps
        trial = [trial, *function(trial)]
        better = going & (trial[1] < value)
        length = np.where(better, np.minimum(4 * length, 1.0), length / 4)
        state = [
            np.where(better.reshape(-1, *(1,) * (old.ndim - 1)), new, old)
            for new, old in zip(trial, state, strict=True)
        ]
    return state
