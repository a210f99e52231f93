"""Points well inside low sets, from which their mass is seen in all directions, and the shapes of the sets around them.

A point inside is found along the minimisers of log g + m |z|^2 / 2 for falling m. Then it is moved to about the minimum of
|z|^2 / 2 - log(level - log g(z)), a barrier function, near which most of the mass of the set is. The second derivatives there
are those of the ellipsoid that is about the set's shape (docs/method.md, "Failure probability in the plane").
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from disclosure.gaussian_measure.terms import Terms, log_mixture
from disclosure.numerics.errors import ConvergenceError
from disclosure.numerics.normal import FAR
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["Inside", "inside"]

# The factors m: the minimiser for the least of them lies beyond all mass unless log g is flat to the last digit.
_PENALTIES = 10.0 ** -np.arange(0, 17, 2)
# Steps of Newton's method for one factor, or the barrier. It stops earlier wherever the minimum is near enough: in the
# function's value, for a lower bound of log g that is good to all digits, and for a point that need only be well inside.
_MOST_STEPS = 60
_MINIMUM, _NEAR_CENTRE = 1e-13, 1e-2
# A set in which log g is nowhere below the level by more than this is as good as empty.
_TINY = 1e-12

# From points of shape (k, q) to a function's values (k,), gradients (k, q) and second derivatives (k, q, q) at them.
_Function = Callable[[FloatArray], tuple[FloatArray, FloatArray, FloatArray]]


class Inside(NamedTuple):
    """Points inside low sets, and matrices that map the unit ball to about where a set's mass is, seen from the point."""

    points: FloatArray  # (k, q)
    shapes: FloatArray  # (k, q, q)

    def of(self, rows: IntArray | slice) -> "Inside":
        """Those of some of the datasets."""
        return Inside(self.points[rows], self.shapes[rows])


def inside(terms: Terms, level: float) -> tuple[IntArray, Inside]:
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

    def barrier(points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        value, gradient, hessian = log_mixture(terms, points)
        slack = level - value
        with np.errstate(divide="ignore", invalid="ignore"):
            gradient = gradient / slack[:, None]
            hessian = hessian / slack[:, None, None] + gradient[:, :, None] * gradient[:, None, :]
            value = np.where(slack > 0, (points**2).sum(axis=1) / 2 - np.log(slack), np.inf)
        return value, points + gradient, np.eye(points.shape[1]) + hessian

    points, _, _, hessian = _descend(barrier, points, _NEAR_CENTRE)
    # The inverse of the transposed Cholesky factor maps the unit ball to the ellipsoid of the second derivatives.
    return rows, Inside(points, np.linalg.inv(np.linalg.cholesky(hessian)).swapaxes(1, 2))


def _feasible(terms: Terms, level: float) -> tuple[IntArray, FloatArray]:
    """Datasets with a low set, and a point inside each.

    The minimiser of log g + m |z|^2 / 2 minimises log g over the ball whose radius is its distance from the origin. It moves
    outwards as m falls, and either comes into the low set, or shows that there is none within the ball of all mass.
    """
    rows = np.arange(len(terms.gaps) if level > -np.inf else 0)
    points, lowest = np.zeros((rows.size, terms.gaps.shape[-1])), np.full(rows.size, -np.inf)
    found_rows, found_points = [rows[:0]], [points[:0]]
    for penalty in _PENALTIES:
        if not rows.size:
            break
        part = terms.of(rows)

        def penalised(
            points: FloatArray, part: Terms = part, penalty: float = penalty
        ) -> tuple[FloatArray, FloatArray, FloatArray]:
            value, gradient, hessian = log_mixture(part, points)
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


def _descend(
    function: _Function, points: FloatArray, tolerance: float
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Newton's method for convex functions, each from its own point, down to about ``tolerance`` above the minimum.

    Returns
    -------
    points, values, gradients, second derivatives
    """
    length = np.ones(len(points))
    value, gradient, hessian = function(points)
    for _ in range(_MOST_STEPS):
        steps = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        going = (gradient * steps).sum(axis=1) > tolerance
        if not going.any():
            break
        trial = points - length[:, None] * steps
        trial_value, trial_gradient, trial_hessian = function(trial)
        better = going & (trial_value < value)
        length = np.where(better, np.minimum(4 * length, 1.0), length / 4)
        points, value = np.where(better[:, None], trial, points), np.where(better, trial_value, value)
        gradient = np.where(better[:, None], trial_gradient, gradient)
        hessian = np.where(better[:, None, None], trial_hessian, hessian)
    return points, value, gradient, hessian
