"""The geometric mechanism: Laplace noise on the whole numbers, with probabilities proportional to exp(-|k| / scale).

It suits answers that are whole numbers, such as counts (Ghosh, Roughgarden and Sundararajan 2012). The entries of a vector get
independent noise.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from disclosure.mechanisms import additive, laplace
from disclosure.numerics import checks
from disclosure.numerics.types import FloatArray

__all__ = ["calibrate", "good_noise", "interval_mass", "log_density_ratio", "release"]


def calibrate(epsilon: float, sensitivity: float = 1.0) -> float:
    """Smallest scale with which geometric noise keeps epsilon-differential privacy, sensitivity / epsilon.

    Parameters
    ----------
    epsilon : float
        In (0, inf).
    sensitivity : float, optional
        l1 sensitivity of the query, in (0, inf).

    Returns
    -------
    float
        From the private side, as `disclosure.mechanisms.laplace.calibrate`.
    """
    return laplace.calibrate(epsilon, sensitivity)


def log_density_ratio(released: ArrayLike, value: ArrayLike, other: ArrayLike, scale: ArrayLike) -> FloatArray:
    """Log of the probability of a release given one answer over its probability given another one, as of Laplace noise.

    Parameters
    ----------
    released, value, other : array_like
        Whole numbers, broadcast against each other.
    scale : array_like
        In (0, inf).

    Returns
    -------
    ndarray
    """
    return laplace.log_density_ratio(released, value, other, scale)


def release(
    value: ArrayLike, scale: ArrayLike, generator: np.random.Generator, size: tuple[int, ...] = ()
) -> FloatArray:
    """Add geometric noise to every entry of a query's answer.

    Parameters
    ----------
    value : array_like
        The answer, whole numbers.
    scale : float
        In [0, inf), in the units of the answer.
    generator : numpy.random.Generator
    size : tuple of int, optional
        Shape of independent releases.

    Returns
    -------
    ndarray, shape ``size`` + shape of ``value``
        Whole numbers, as floats.
    """
    draws = additive.checked_generator(generator)
    scale = checks.number("scale", scale, "[0, inf)")

    def noise(shape: tuple[int, ...]) -> FloatArray:
        if scale == 0:
            return np.zeros(shape)
        # The difference of two geometric variables with the ratio e^(-1 / scale).
        first, second = draws.geometric(-np.expm1(-1 / scale), size=(2, *shape)).astype(float)
        return np.asarray(first - second)

    return additive.released(noise, additive.checked_whole("value", value), 1.0, size, "scale")


def interval_mass(lower: ArrayLike, upper: ArrayLike, scale: float) -> FloatArray:
    """P(lower <= noise <= upper), with full relative accuracy in tails.

    Parameters
    ----------
    lower, upper : array_like
        Whole numbers, -inf or inf, broadcast against each other. The mass is 0 where the upper is below the lower.
    scale : float
        In (0, inf).

    Returns
    -------
    ndarray

    Examples
    --------
    >>> float(interval_mass(1, np.inf, 1 / np.log(2)))
    0.3333...
    """
    lower, upper = np.asarray(lower, dtype=float), np.asarray(upper, dtype=float)
    # A whole number k above 0 has the mass of the exponential distribution between k and k + 1, times a constant.
    right = laplace.exponential_mass(np.maximum(lower, 0.0), np.maximum(upper + 1, 0.0), scale)
    left = laplace.exponential_mass(np.maximum(-upper, 1.0), np.maximum(-lower + 1, 1.0), scale)
    return np.asarray((left + right) / (1 + np.exp(-1 / scale)))


def good_noise(scale: float, epsilon: float, distance: float) -> tuple[Fraction, Fraction] | None:
    """First and last noise, not rounded to whole numbers, at which the log density ratio of two answers is within +-epsilon.

    The log density ratio of an answer to one that is larger by ``distance`` is (d - 2 k) / scale at the noise k, held within
    +-d / scale. The floats are taken as exact.

    Parameters
    ----------
    scale, epsilon : float
        In (0, inf).
    distance : float
        A whole number of at least 1.

    Returns
    -------
    tuple of Fraction or None
        None if no noise is bad.

    Examples
    --------
    >>> good_noise(2.0, 0.5, 1.0), good_noise(2.0, 0.5, 3.0)
    (None, (Fraction(1, 1), Fraction(2, 1)))
    """
    reach, exact = Fraction(scale) * Fraction(epsilon), Fraction(distance)
    return None if exact <= reach else ((exact - reach) / 2, (exact + reach) / 2)
