"""Probabilities of the standard normal distribution with full relative accuracy, in the tails and in narrow intervals."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from disclosure.numerics import checks
from disclosure.numerics.ordered_sums import weighted_rows
from disclosure.numerics.types import FloatArray

__all__ = ["FAR", "density", "interval_mass", "interval_mass_around", "mass_between"]

# Standard deviations. Beyond this distance from 0 there is no mass in floating point.
FAR = 40.0

# Standard deviations. An interval is narrow if its length, times its distance from 0 if that is above 1, is below this. There a
# Gauss rule with so many nodes integrates the density to the last digit.
_NARROW, _ORDER = 0.5, 8
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(_ORDER)


def density(points: ArrayLike) -> FloatArray:
    """Density of the standard normal distribution."""
    return np.asarray(np.exp(-(np.asarray(points, dtype=float) ** 2) / 2) / np.sqrt(2 * np.pi))


def interval_mass(lower: ArrayLike, upper: ArrayLike) -> FloatArray:
    """Probability that a standard normal variable lies between two points.

    Parameters
    ----------
    lower, upper : array_like
        End points, broadcast against each other; infinities are allowed.

    Returns
    -------
    ndarray
        P(lower < Z < upper), and 0 where ``upper <= lower``.

    Examples
    --------
    >>> float(interval_mass(-np.inf, 0.0))
    0.5
    >>> float(interval_mass(1.0, -1.0))
    0.0
    """
    lower, upper = checks.within("lower", lower, "[-inf, inf]"), checks.within("upper", upper, "[-inf, inf]")
    checks.broadcast(lower=lower, upper=upper)
    lower, upper = np.broadcast_arrays(lower, upper)
    mass, some = np.zeros(lower.shape), lower < upper
    mass[some] = mass_between(lower[some], upper[some])
    return mass


def mass_between(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """`interval_mass` of arrays of one shape with ``lower < upper``, which is not checked: for many short arrays."""
    # Mirrored into the left half, where ndtr keeps its relative accuracy, the difference is one of small numbers.
    with np.errstate(invalid="ignore", over="ignore"):
        mirrored = lower + upper > 0
        left, right = np.where(mirrored, -upper, lower), np.where(mirrored, -lower, upper)
        narrow = (right - left) * np.maximum(1.0, -left) < _NARROW
    mass = np.asarray(ndtr(right) - ndtr(left))
    if narrow.any():
        # There the difference of the tails cancels.
        middle, half = (left[narrow] + right[narrow]) / 2, (right[narrow] - left[narrow]) / 2
        points = middle[..., None] + half[..., None] * _NODES
        mass[narrow] = half * weighted_rows(np.exp(-(points**2) / 2), _WEIGHTS) / np.sqrt(2 * np.pi)
    return mass


def interval_mass_around(middle: float, half: float) -> float:
    """Probability that a standard normal variable is nearer than ``half`` to ``middle``, however much smaller half is.

    Parameters
    ----------
    middle : float
    half : float
        At least 0.

    Returns
    -------
    float

    Examples
    --------
    >>> interval_mass_around(1.0, 1e-20)
    4.839...e-21
    """
    if half * max(1.0, abs(middle)) >= _NARROW / 2:
        return float(interval_mass(middle - half, middle + half))
    points = middle + half * _NODES
    return float(half * (np.exp(-(points**2) / 2) @ _WEIGHTS) / np.sqrt(2 * np.pi))
