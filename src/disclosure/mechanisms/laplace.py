"""The Laplace mechanism: releases, densities, tails, and the mass of one bad region (paper B, section 2).

Everything is stated for one entry of an answer. The entries of a vector get independent noise, so that the log
densities and log density ratios of its entries add up.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from disclosure.mechanisms import additive
from disclosure.numerics import checks
from disclosure.numerics.rounding import UNIT, quotient_up
from disclosure.numerics.types import FloatArray

__all__ = [
    "bad_region_mass",
    "calibrate",
    "calibrate_probabilistic",
    "exponential_mass",
    "interval_mass",
    "log_density",
    "log_density_ratio",
    "lower_tail",
    "release",
    "upper_tail",
]

# Relative. The scale of probabilistic privacy is the quotient of some ten roundings, by which it is enlarged.
_ROUNDED = 16 * UNIT


def calibrate(epsilon: float, sensitivity: float = 1.0) -> float:
    """Smallest scale with which the Laplace mechanism keeps epsilon-differential privacy, sensitivity / epsilon.

    Parameters
    ----------
    epsilon : float
        In (0, inf).
    sensitivity : float, optional
        l1 sensitivity of the query over the neighbour relation that is meant, in (0, inf).

    Returns
    -------
    float
        The scale, in the units of ``sensitivity``, from the private side: rounding never leaves the log density ratio
        of two neighbours above ``epsilon``.

    Raises
    ------
    DomainError
        Outside these ranges, and where the scale exceeds the largest float.

    Examples
    --------
    >>> calibrate(0.5)
    2.0
    """
    epsilon = checks.number("epsilon", epsilon, "(0, inf)", end_hint="no noise level can be calibrated to epsilon = 0")
    sensitivity = checks.number("sensitivity", sensitivity, "(0, inf)")
    checks.number("scale", sensitivity / epsilon, "(0, inf)", "epsilon is too small or too large for floating point")
    return quotient_up(sensitivity, epsilon)


def calibrate_probabilistic(epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
    """Smallest scale at which the log density ratio of two neighbours exceeds +-epsilon with probability delta at most.

    Where it exceeds epsilon at all, it does so for more than half of all releases (`bad_region_mass`). So the scale is that of
    `calibrate` up to delta = (1 + e^-epsilon) / 2. Beyond, delta = 1 - e^(-r / 2) sinh(epsilon / 2) with r = sensitivity /
    scale.

    Parameters
    ----------
    epsilon : float
        In (0, inf).
    delta : float
        In (0, 1]. At 1 nothing is promised and the answer is 0, the noiseless release.
    sensitivity : float, optional
        l1 sensitivity of the query, in (0, inf).

    Returns
    -------
    float
        The scale, in the units of ``sensitivity``, from the private side.

    Raises
    ------
    DomainError
        Outside these ranges, and where the scale exceeds the largest float.

    Examples
    --------
    >>> calibrate_probabilistic(0.5, 0.01), calibrate_probabilistic(0.5, 0.9)
    (2.0, 0.5395...)
    """
    delta, scale = checks.number("delta", delta, "(0, 1]"), calibrate(epsilon, sensitivity)
    if delta == 1:
        return 0.0
    excess = -math.expm1(-epsilon) / (2 * (1 - delta)) * (1 - _ROUNDED)
    return scale if excess <= 1 else sensitivity / (epsilon + 2 * math.log(excess)) * (1 + _ROUNDED)


def release(
    value: ArrayLike, scale: ArrayLike, generator: np.random.Generator, size: tuple[int, ...] = ()
) -> FloatArray:
    """Add Laplace noise to every entry of a query's answer.

    Parameters
    ----------
    value : array_like
        The answer.
    scale : float
        In [0, inf), in the units of the answer.
    generator : numpy.random.Generator
    size : tuple of int, optional
        Shape of independent releases.

    Returns
    -------
    ndarray, shape ``size`` + shape of ``value``
    """
    draws = additive.checked_generator(generator)
    return additive.released(lambda shape: draws.laplace(size=shape), value, scale, size, "scale")


def log_density(released: ArrayLike, value: ArrayLike, scale: ArrayLike) -> FloatArray:
    """Log density of a release, given the answer.

    Parameters
    ----------
    released, value : array_like
        In (-inf, inf), broadcast against each other.
    scale : array_like
        In (0, inf).

    Returns
    -------
    ndarray

    Examples
    --------
    >>> float(log_density(0.0, 0.0, 0.25))
    0.69314...
    """
    released = checks.within("released", released, "(-inf, inf)")
    value = checks.within("value", value, "(-inf, inf)")
    scale = checks.within("scale", scale, "(0, inf)")
    checks.broadcast(released=released, value=value, scale=scale)
    return -np.abs(released - value) / scale - np.log(2 * scale)


def log_density_ratio(released: ArrayLike, value: ArrayLike, other: ArrayLike, scale: ArrayLike) -> FloatArray:
    """Log of the density of a release given one answer over its density given another one.

    Parameters
    ----------
    released, value, other : array_like
        In (-inf, inf), broadcast against each other.
    scale : array_like
        In (0, inf).

    Returns
    -------
    ndarray
        Never outside +-|value - other| / scale, however far the release lies from both.

    Examples
    --------
    >>> log_density_ratio([-1e300, 0.5, 1e300], 1.0, 0.0, 2.0).tolist()
    [-0.5, 0.0, 0.5]
    """
    released, value, other, scale = additive.checked_answers(released, value, other, scale, "scale")
    # |t - other| - |t - value| cancels far away. It has the same value at the nearest point between the two answers.
    low, high = np.minimum(value, other), np.maximum(value, other)
    held = np.clip(released, low, high)
    return np.sign(value - other) * ((held - low) - (high - held)) / scale


def lower_tail(released: ArrayLike, value: ArrayLike, scale: ArrayLike) -> FloatArray:
    """Probability that a release lies below a point: the distribution function.

    Parameters
    ----------
    released : array_like
        The point, in [-inf, inf].
    value : array_like
        The answer, in (-inf, inf).
    scale : array_like
        In (0, inf).

    Returns
    -------
    ndarray

    Examples
    --------
    >>> float(lower_tail(0.0, 0.0, 1.0))
    0.5
    """
    return _lower_tail(_standardised(released, value, scale))


def upper_tail(released: ArrayLike, value: ArrayLike, scale: ArrayLike) -> FloatArray:
    """Probability that a release lies above a point, accurate however small it is; arguments as in `lower_tail`."""
    return _lower_tail(-_standardised(released, value, scale))


def _standardised(released: ArrayLike, value: ArrayLike, scale: ArrayLike) -> FloatArray:
    released = checks.within("released", released, "[-inf, inf]")
    value = checks.within("value", value, "(-inf, inf)")
    scale = checks.within("scale", scale, "(0, inf)")
    checks.broadcast(released=released, value=value, scale=scale)
    return (released - value) / scale


def _lower_tail(standardised: FloatArray) -> FloatArray:
    tail = np.exp(-np.abs(standardised)) / 2
    return np.where(standardised < 0, tail, 1 - tail)


def bad_region_mass(scale: ArrayLike, epsilon: ArrayLike, distance: ArrayLike) -> FloatArray:
    """Mass of the bad region of one pair of neighbouring datasets, where the log density ratio exceeds +-epsilon.

    With r = distance / scale it is 1 - (e^-(r - epsilon)/2 - e^-(r + epsilon)/2) / 2 for r > epsilon, which is above a half,
    and 0 otherwise. Calibrated noise leaves no bad region at all. With a little less noise more than half of all releases are
    bad: the ratio has one of its two extreme values for every release that does not lie between the two answers.

    Parameters
    ----------
    scale : array_like
        Scale of the noise, in [0, inf); 0 stands for the noiseless limit.
    epsilon : array_like
        In [0, inf).
    distance : array_like
        Distance of the two answers, in [0, inf), in the units of ``scale``. At distance 0 the region is empty.

    Returns
    -------
    ndarray
        The mass under the release of either dataset, broadcast over the arguments.

    Examples
    --------
    >>> float(bad_region_mass(calibrate(0.1), 0.1, 1.0))
    0.0
    >>> float(bad_region_mass(0.99 * calibrate(0.1), 0.1, 1.0))
    0.95...
    """
    scale, epsilon, distance = additive.checked_region(scale, epsilon, distance, "scale")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        excess = distance / scale - epsilon
        good = -np.exp(-np.maximum(excess, 0.0) / 2) * np.expm1(-epsilon) / 2
    # A quotient of 0 / 0 is NaN, and not above 0 either.
    return np.where(excess > 0, 1 - good, 0.0)


def interval_mass(lower: ArrayLike, upper: ArrayLike, scale: float) -> FloatArray:
    """P(lower < noise < upper), with full relative accuracy in tails and in narrow intervals.

    Parameters
    ----------
    lower, upper : array_like
        In [-inf, inf], broadcast against each other. The mass is 0 where the upper is not above the lower.
    scale : float
        In (0, inf).

    Returns
    -------
    ndarray
    """
    lower, upper = np.asarray(lower, dtype=float), np.asarray(upper, dtype=float)
    right = exponential_mass(np.maximum(lower, 0.0), np.maximum(upper, 0.0), scale)
    left = exponential_mass(np.maximum(-upper, 0.0), np.maximum(-lower, 0.0), scale)
    return np.asarray((left + right) / 2)


def exponential_mass(lower: FloatArray, upper: FloatArray, scale: float) -> FloatArray:
    """Integral of exp(-t / scale) / scale between two points of [0, inf]; 0 where the lower is not below the upper."""
    with np.errstate(invalid="ignore", over="ignore"):
        width = np.where(upper > lower, upper - lower, 0.0)
        return np.asarray(np.exp(-np.minimum(lower, np.finfo(float).max) / scale) * -np.expm1(-width / scale))
