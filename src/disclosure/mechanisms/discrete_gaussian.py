"""The discrete Gaussian mechanism: noise on the whole numbers, with probabilities proportional to exp(-k^2 / (2 sigma^2)).

It suits answers that are whole numbers, such as counts (Canonne, Kamath and Steinke 2020). The entries of a vector get
independent noise. The log density ratio of two answers is that of normal noise, at whole numbers only.
"""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from disclosure.mechanisms import additive, gaussian
from disclosure.numerics import checks, errors
from disclosure.numerics.normal import interval_mass as normal_mass
from disclosure.numerics.types import FloatArray

__all__ = ["calibrate", "good_noise", "interval_mass", "log_density_ratio", "release"]

# Natural logarithm. Terms smaller than the largest of a sum by more than e^50 are left out: together they are below 1e-18 of
# it.
_FAINT = 50.0
# Scale from which on a sum over whole numbers is computed as an integral with two corrections; the third would be below a
# relative 1e-12.
_SMOOTH = 1000.0
# Relative. A calibrated sigma may be rounded up by this, as to 12 digits, and keeps its promise; it also covers the rounding of
# a mass.
_ROUNDED_UP = 1e-11
# Steps of sigma^2 that are looked at, at most; more would be a sigma of some millions at an epsilon of 1.
_MOST_STEPS = 1 << 50


def release(
    value: ArrayLike, sigma: ArrayLike, generator: np.random.Generator, size: tuple[int, ...] = ()
) -> FloatArray:
    """Add discrete Gaussian noise to every entry of a query's answer.

    Parameters
    ----------
    value : array_like
        The answer, whole numbers.
    sigma : float
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
    sigma = checks.number("sigma", sigma, "[0, inf)")

    def noise(shape: tuple[int, ...]) -> FloatArray:
        drawn = np.zeros(math.prod(shape))
        missing = np.arange(drawn.size if sigma else 0)
        # By rejection from geometric noise of a scale t (Canonne, Kamath and Steinke 2020, Algorithm 3).
        t = math.floor(sigma) + 1
        while missing.size:
            first, second = draws.geometric(-math.expm1(-1 / t), size=(2, missing.size)).astype(float)
            kept = -np.log(draws.random(missing.size)) >= (np.abs(first - second) - sigma**2 / t) ** 2 / (2 * sigma**2)
            drawn[missing[kept]] = (first - second)[kept]
            missing = missing[~kept]
        return drawn.reshape(shape)

    return additive.released(noise, additive.checked_whole("value", value), 1.0, size, "sigma")


def log_density_ratio(released: ArrayLike, value: ArrayLike, other: ArrayLike, sigma: ArrayLike) -> FloatArray:
    """Log of the probability of a release given one answer over its probability given another one, as of Gaussian noise.

    Parameters
    ----------
    released, value, other : array_like
        Whole numbers, broadcast against each other.
    sigma : array_like
        In (0, inf).

    Returns
    -------
    ndarray
    """
    return gaussian.log_density_ratio(released, value, other, sigma)


def interval_mass(lower: ArrayLike, upper: ArrayLike, sigma: float) -> FloatArray:
    """P(lower <= noise <= upper), with full relative accuracy in tails.

    Parameters
    ----------
    lower, upper : array_like
        Whole numbers, -inf or inf, broadcast against each other. The mass is 0 where the upper is below the lower.
    sigma : float
        In (0, inf).

    Returns
    -------
    ndarray

    Examples
    --------
    >>> float(interval_mass(1, np.inf, 1.0))
    0.3005...
    """
    first, last = np.broadcast_arrays(np.asarray(lower, dtype=float), np.asarray(upper, dtype=float))
    if sigma >= _SMOOTH:
        return _smooth_sum(first, last, sigma)
    reach = np.ceil(sigma * np.sqrt(2 * _FAINT)) + 1
    total = _sum_from_nearest(-reach, reach, sigma)
    return np.array(
        [_sum_from_nearest(low, high, sigma) / total for low, high in zip(first.flat, last.flat, strict=True)]
    ).reshape(first.shape)


def good_noise(sigma: float, epsilon: float, distance: float) -> tuple[Fraction, Fraction]:
    """First and last noise, not rounded to whole numbers, at which the log density ratio of two answers is within +-epsilon.

    The log density ratio of an answer to one that is larger by ``distance`` is d (d - 2 k) / (2 sigma^2) at the noise k. The
    floats are taken as exact.

    Parameters
    ----------
    sigma, epsilon : float
        In (0, inf).
    distance : float
        A whole number of at least 1.

    Returns
    -------
    tuple of Fraction

    Examples
    --------
    >>> good_noise(1.0, 0.5, 1.0)
    (Fraction(0, 1), Fraction(1, 1))
    """
    exact = Fraction(distance)
    reach = Fraction(sigma) ** 2 * Fraction(epsilon) / exact
    return exact / 2 - reach, exact / 2 + reach


def calibrate(epsilon: float, delta: float) -> float:
    """Smallest sigma at which the log density ratio of answers one apart exceeds +-epsilon with probability delta at most.

    The log density ratio is (1 - 2 k) / (2 sigma^2) at the noise k. At sigma^2 = j / (2 epsilon), j = 1, 3, 5, ..., two more
    whole numbers are good, and the mass of the bad ones falls at once. From there to the next such sigma it rises. So the
    smallest sigma is one of these, and a larger sigma may promise less.

    Parameters
    ----------
    epsilon : float
        In (0, inf).
    delta : float
        In (0, 1]. At 1 nothing is promised and the answer is 0, the noiseless release.

    Returns
    -------
    float
        From the private side, and with room for rounding it up to 12 digits.

    Raises
    ------
    DomainError
        Outside these ranges, and where sigma would be beyond a million or so.

    Examples
    --------
    >>> calibrate(1.0, 10**-1.1)
    1.5811...
    """
    epsilon, delta = checks.number("epsilon", epsilon, "(0, inf)"), checks.number("delta", delta, "(0, 1]")
    if delta == 1:
        return 0.0
    # The number of steps is doubled and then halved, as the mass falls from step to step.
    first, last = -1, 0
    while not _keeps(last, epsilon, delta):
        first, last = last, 2 * last + 1
        if last > _MOST_STEPS:
            raise errors.DomainError(
                f"epsilon = {epsilon} and delta = {delta} need a sigma that is too large for whole numbers; use gaussian noise"
            )
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (first, middle) if _keeps(middle, epsilon, delta) else (middle, last)
    return _sigma(last, epsilon)


def _sigma(step: int, epsilon: float) -> float:
    """Smallest float with 2 sigma^2 epsilon >= 2 step + 1."""
    sigma = math.sqrt((2 * step + 1) / (2 * epsilon))
    while 2 * Fraction(sigma) ** 2 * Fraction(epsilon) < 2 * step + 1:
        sigma = math.nextafter(sigma, math.inf)
    return sigma


def _keeps(step: int, epsilon: float, delta: float) -> bool:
    """Whether the mass of the noise beyond -step, ..., step + 1 is at most delta, for a sigma that may be rounded up."""
    sigma = _sigma(step, epsilon) * (1 + _ROUNDED_UP)
    masses = interval_mass([-math.inf, step + 2], [-step - 1, math.inf], sigma)
    return float(masses.sum()) * (1 + _ROUNDED_UP) <= delta


def _sum_from_nearest(first: float, last: float, sigma: float) -> float:
    """Sum of exp(-k^2 / (2 sigma^2)) over the whole numbers of an interval, without terms below e^-50 of the largest."""
    nearest = min(max(first, 0.0), last)
    # At this distance from the number nearest to 0, whose term is the largest, terms have fallen by e^-50.
    reach = np.ceil(sigma * 2 * _FAINT / (np.sqrt((nearest / sigma) ** 2 + 2 * _FAINT) + abs(nearest) / sigma)) + 1
    first, last = max(first, nearest - reach), min(last, nearest + reach)
    if not first <= last or not np.isfinite(nearest):
        return 0.0
    return float(np.exp(-((np.arange(first, last + 1) / sigma) ** 2) / 2).sum())


def _smooth_sum(first: FloatArray, last: FloatArray, sigma: float) -> FloatArray:
    """The sum over an interval divided by the sum over all whole numbers, by Euler and Maclaurin's formula for midpoints."""
    lower, upper = (first - 0.5) / sigma, (last + 0.5) / sigma
    return normal_mass(lower, upper) + np.where(
        upper > lower, _correction(lower, sigma) - _correction(upper, sigma), 0.0
    )


def _correction(position: FloatArray, sigma: float) -> FloatArray:
    """The first two corrections at one end, in units of sigma, from the first and third derivative of the density."""
    finite = np.where(np.isfinite(position), position, 0.0)
    density = np.where(np.isfinite(position), np.exp(-(finite**2) / 2) / np.sqrt(2 * np.pi), 0.0)
    first, third = -finite * density, (3 * finite - finite**3) * density
    return np.asarray(first / (24 * sigma**2) - 7 * third / (5760 * sigma**4))
