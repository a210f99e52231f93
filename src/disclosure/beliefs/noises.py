"""Probabilities that noise of each kind lies in an interval, with full relative accuracy, in the tails and in narrow intervals.

Sums are of positive numbers, and nothing is subtracted from what is near 1. The intervals of continuous noise are open;
those of the noise on the whole numbers hold both ends.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from disclosure.numerics.normal import interval_mass

__all__ = ["INTEGER_NOISES", "NOISES", "discrete_gaussian_mass", "gaussian_mass", "geometric_mass", "laplace_mass"]

Array = NDArray[np.float64]

# Terms below e^-50 times the largest are left out of a sum: all together they are less than 1e-18 of it.
_FAINT = 50.0
# From this scale on the sum over the whole numbers is an integral with two corrections; the next is below 1e-12 of it.
_SMOOTH = 1000.0


def gaussian_mass(lower: Array, upper: Array, scale: float) -> Array:
    """P(lower < noise < upper) of normal noise with standard deviation ``scale``."""
    return interval_mass(lower / scale, upper / scale)


def laplace_mass(lower: Array, upper: Array, scale: float) -> Array:
    """P(lower < noise < upper) of noise with the density exp(-|t| / scale) / (2 scale)."""
    right = _exponential(np.maximum(lower, 0.0), np.maximum(upper, 0.0), scale)
    left = _exponential(np.maximum(-upper, 0.0), np.maximum(-lower, 0.0), scale)
    return (left + right) / 2


def _exponential(lower, upper, scale):
    """Integral of exp(-t / scale) / scale between two points, at least 0; 0 where they are not in order."""
    with np.errstate(invalid="ignore"):
        width = np.where(upper > lower, upper - lower, 0.0)
    return np.exp(-np.minimum(lower, np.finfo(float).max) / scale) * -np.expm1(-width / scale)


def geometric_mass(first: Array, last: Array, scale: float) -> Array:
    """P(first <= noise <= last) of noise on the whole numbers with probabilities proportional to exp(-|k| / scale)."""
    # A whole number k above 0 has the mass of the exponential distribution between k and k + 1, times a constant.
    right = _exponential(np.maximum(first, 0.0), np.maximum(last + 1, 0.0), scale)
    left = _exponential(np.maximum(-last, 1.0), np.maximum(-first + 1, 1.0), scale)
    return (left + right) / (1 + np.exp(-1 / scale))


def discrete_gaussian_mass(first: Array, last: Array, scale: float) -> Array:
    """P(first <= noise <= last) of noise on the whole numbers with probabilities proportional to exp(-k^2 / (2 scale^2))."""
    first, last = np.broadcast_arrays(np.asarray(first, dtype=float), np.asarray(last, dtype=float))
    if scale >= _SMOOTH:
        return _smooth_sum(first, last, scale)
    reach = np.ceil(scale * np.sqrt(2 * _FAINT)) + 1
    total = _sum_from_nearest(-reach, reach, scale)
    return np.array(
        [_sum_from_nearest(low, high, scale) / total for low, high in zip(first.flat, last.flat, strict=True)]
    ).reshape(first.shape)


def _sum_from_nearest(first, last, scale):
    """Sum of exp(-k^2 / (2 scale^2)) over the whole numbers of an interval that are not negligible beside the largest term."""
    nearest = min(max(first, 0.0), last)
    # At this distance beyond the nearest, terms have fallen by e^-50.
    reach = np.ceil(scale * 2 * _FAINT / (np.sqrt((nearest / scale) ** 2 + 2 * _FAINT) + abs(nearest) / scale)) + 1
    first, last = max(first, nearest - reach), min(last, nearest + reach)
    if not first <= last or not np.isfinite(nearest):
        return 0.0
    return float(np.exp(-((np.arange(first, last + 1) / scale) ** 2) / 2).sum())


def _smooth_sum(first, last, scale):
    """The same over the sum of all, by the midpoint rule's formula of Euler and Maclaurin."""
    lower, upper = (first - 0.5) / scale, (last + 0.5) / scale
    return interval_mass(lower, upper) + np.where(
        upper > lower, _correction(lower, scale) - _correction(upper, scale), 0.0
    )


def _correction(position, scale):
    finite = np.where(np.isfinite(position), position, 0.0)
    density = np.where(np.isfinite(position), np.exp(-(finite**2) / 2) / np.sqrt(2 * np.pi), 0.0)
    first, third = -finite * density, (3 * finite - finite**3) * density
    return first / (24 * scale**2) - 7 * third / (5760 * scale**4)


NOISES: dict[str, Callable[[Array, Array, float], Array]] = {
    "gaussian": gaussian_mass,
    "laplace": laplace_mass,
    "geometric": geometric_mass,
    "discrete_gaussian": discrete_gaussian_mass,
}
INTEGER_NOISES = ("geometric", "discrete_gaussian")
