"""Points well inside low sets {log g < level}, from which their mass is integrated, and the shapes of the sets around them.

A first point inside is one of the minimisers of log g + m |z|^2 / 2, for penalties m that fall. Then the point is moved to
about the minimum of the barrier function |z|^2 / 2 - log(level - log g(z)), near which most of the mass of the set is. The
second derivatives of the barrier there define an ellipsoid of about the set's shape (docs/method.md, "Several dimensions").
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from disclosure.gaussian_measure.terms import Terms, log_mixture
from disclosure.numerics.errors import ConvergenceError
from disclosure.numerics.normal import FAR
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["Inside", "inside"]

# The penalties m, from 1 to 1e-16. For the least of them the minimiser lies beyond all mass, unless log g does not vary by more
# than rounding.
_PENALTIES = 10.0 ** -np.arange(0, 17, 2)
# Steps of Newton's method, at most, for one penalty or for the barrier.
_MOST_STEPS = 60
# How far above its minimum a function's value may be when Newton's method stops: nearly all digits for a penalty, whose minimum
# gives a lower bound of log g; little for the barrier, whose point need only be well inside.
_MINIMUM, _NEAR_CENTRE = 1e-13, 1e-2
# Difference of logarithms. A set in which log g is nowhere below the level by more than this counts as empty.
_TINY = 1e-12

# From points of shape (k, q) to a function's values (k,), gradients (k, q) and second derivatives (k, q, q) at them.
_Function = Callable[[FloatArray], tuple[FloatArray, FloatArray, FloatArray]]


class Inside(NamedTuple):
    """Points inside the low sets of k datasets, and their shapes.

    Attributes
    ----------
    points : ndarray, shape (k, q)
        In standard deviations of the noise.
    shapes : ndarray, shape (k, q, q)
        For each set the matrix A such that the point plus A times the unit ball is about where the set's mass is.
    """

    points: FloatArray
    shapes: FloatArray

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
        The datasets whose low set is not empty within the distance `normal.FAR` of the origin, beyond which there is no mass.
    Inside
        For those.

    Raises
    ------
    disclosure.numerics.errors.ConvergenceError
        If no point inside was found, nor that there is none.
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
    """Numbers of the datasets with a low set, and a point inside each.

    The minimiser of log g + m |z|^2 / 2 also minimises log g over the ball around the origin on whose surface it lies. As m
    falls it moves outwards, until it lies in the low set, or shows that there is no low set within the radius `FAR`.
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
        # A lower bound of log g within the radius `FAR`. The penalised function has second derivatives of at least the penalty,
        # so its minimum is at most |gradient|^2 / (2 penalty) below its value.
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
    """Newton's method for k convex functions, each from its own point, down to about ``tolerance`` above the minimum.

    Returns
    -------
    points, values, gradients, hessians : ndarray
        Where it stops, and the functions with their derivatives there; shapes (k, q), (k,), (k, q) and (k, q, q).
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
