"""The Gaussian mechanism: releases, the mass of one bad region, and the noise that a guarantee asks for."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from disclosure.mechanisms import additive
from disclosure.mechanisms.excess import EXCESSES, INPUT_ROUNDING, Pair
from disclosure.numerics import checks, errors
from disclosure.numerics.rounding import UNIT, to_private_side
from disclosure.numerics.types import FloatArray

__all__ = ["bad_region_mass", "calibrate", "log_density_ratio", "release"]

_DEFINITIONS = (*EXCESSES, "classical")
_CHOOSE = (
    "the two that are calibrated exactly: 'probabilistic' (paper A: the log density ratio of neighbours stays within +-epsilon "
    "except with probability delta) and 'approximate' (what most other libraries mean: P(S) <= e^epsilon P'(S) + delta for "
    "every set S of releases, which takes less noise)"
)
# Relative. Inequality (6) of the classical definition is strict, so sigma is enlarged by more than its four operations round.
_STRICTLY = 4 * UNIT
# Factor by which the bracket of a root is widened in a step.
_WIDEN = 4
# Largest noise that is looked for, in units of the sensitivity.
_MOST_NOISE = 1e300
# Absolute error of the logarithm of the noise, about 5 units of 2^-52. The move to the private side makes up for it.
_PRECISION = 1e-15


def release(
    value: ArrayLike, sigma: ArrayLike, generator: np.random.Generator, size: tuple[int, ...] = ()
) -> FloatArray:
    """Add normal noise of standard deviation ``sigma`` to every entry of a query's answer (paper A, equation (5)).

    Parameters
    ----------
    value : array_like, shape (..., q)
        The answer f(x).
    sigma : float
        In [0, inf), in the units of the answer.
    generator : numpy.random.Generator
    size : tuple of int, optional
        Shape of independent releases.

    Returns
    -------
    ndarray, shape ``size`` + shape of ``value``
    """
    draws = additive.checked_generator(generator)
    return additive.released(draws.standard_normal, value, sigma, size, "sigma")


def log_density_ratio(released: ArrayLike, value: ArrayLike, other: ArrayLike, sigma: ArrayLike) -> FloatArray:
    """Log of the density of a release given one answer over its density given another one, entry by entry.

    The entries of a vector get independent noise, so that theirs add up.

    Parameters
    ----------
    released, value, other : array_like
        In (-inf, inf), broadcast against each other.
    sigma : array_like
        In (0, inf).

    Returns
    -------
    ndarray

    Examples
    --------
    >>> log_density_ratio([0.0, 0.5, 3.0], 1.0, 0.0, 2.0).tolist()
    [-0.125, 0.0, 0.625]
    """
    released, value, other, sigma = additive.checked_answers(released, value, other, sigma, "sigma")
    # The difference of the two squares as a product, which does not cancel.
    return (value - other) / sigma * ((released - value) / sigma + (value - other) / (2 * sigma))


def bad_region_mass(sigma: ArrayLike, epsilon: ArrayLike, distance: ArrayLike) -> FloatArray:
    """Mass of the bad region of one pair of neighbouring datasets (paper A, equation (15)).

    Parameters
    ----------
    sigma : array_like
        Standard deviation of the noise, in [0, inf); 0 stands for the noiseless limit.
    epsilon : array_like
        In [0, inf).
    distance : array_like
        Euclidean distance of the two answers, in [0, inf), in the units of ``sigma``. At distance 0 the region is empty.

    Returns
    -------
    ndarray
        The mass under the release of either dataset, broadcast over the arguments.

    Examples
    --------
    >>> float(bad_region_mass(1.818897663380472, 1.0, 1.0))
    0.0794328...
    """
    sigma, epsilon, distance = additive.checked_region(sigma, epsilon, distance, "sigma")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        noise = sigma / distance
        mass = ndtr(-epsilon * noise + 0.5 / noise) + ndtr(-epsilon * noise - 0.5 / noise)
    return np.where(distance == 0, 0.0, np.where(sigma == 0, 1.0, mass))


def calibrate(epsilon: float, delta: float, sensitivity: float = 1.0, *, definition: str | None = None) -> float:
    """Smallest noise with which the Gaussian mechanism keeps (epsilon, delta)-differential privacy.

    Parameters
    ----------
    epsilon : float
        In (0, inf); also 0 for approximate privacy, and below 1 for the classical definition, beyond which equation (6) does
        not hold.
    delta : float
        In (0, 1]. At 1 nothing is promised and the answer is 0, the noiseless release.
    sensitivity : float, optional
        l2 sensitivity of the query, in (0, inf).
    definition : {"probabilistic", "approximate", "classical"}
        Has to be given, for it makes a factor of 1.6 at (1, 0.08). Probabilistic privacy, paper A's: the log density ratio
        of neighbours stays within +-epsilon except with probability delta; by paper A, equation (30). Approximate
        privacy, in most other libraries: P(S) <= e^epsilon P'(S) + delta for every set S of releases; by Balle and Wang (2018),
        Theorem 8. Or the sufficient condition (6) of Dwork and Roth (2014) for approximate privacy.

    Returns
    -------
    float
        Standard deviation of the noise, in the units of ``sensitivity``, from the private side: in exact arithmetic the mass at
        this float is at most ``delta``, and less than it by a relative 1e-12 or so.

    Raises
    ------
    DomainError
        Outside these ranges, and where the noise exceeds the largest float or is below the smallest one of full precision.
    TypeError
        Without ``definition``.

    Examples
    --------
    >>> calibrate(1.0, 10**-1.1, definition="probabilistic")
    1.81889766...
    >>> calibrate(1.0, 10**-1.1, definition="approximate")
    1.16843735...
    """
    if definition is None:
        raise TypeError(f"calibrate needs definition, by keyword; {_CHOOSE}")
    if definition not in _DEFINITIONS:
        raise errors.DomainError(f"definition = {definition!r} is none of {', '.join(_DEFINITIONS)}; {_CHOOSE}")
    interval = "[0, inf)" if definition == "approximate" else "(0, inf)"
    epsilon = checks.number(
        "epsilon", epsilon, interval, end_hint="no noise level can be calibrated to epsilon = 0, but for 'approximate'"
    )
    delta = checks.number("delta", delta, "(0, 1]")
    sensitivity = checks.number("sensitivity", sensitivity, "(0, inf)")
    if definition == "classical":
        checks.within("epsilon", epsilon, "(0, 1)", "equation (6) holds for epsilon < 1 only; use 'approximate'")
    if delta == 1:
        return 0.0
    if definition == "classical":
        bound = math.sqrt(2 * (math.log(1.25) - math.log(delta))) / epsilon
        return _representable(sensitivity * bound * (1 + _STRICTLY))

    def excess(noise: float) -> float:
        return EXCESSES[definition](Pair(0.5 / noise, epsilon * noise, epsilon), delta)

    sigma = _representable(sensitivity * _root(excess))
    # The mass is a decreasing function of the noise alone, or of the pair's centre and half with opposite directions, so that
    # relative errors of these are covered by as large a one of the noise. (For approximate privacy, with mu = Delta / sigma,
    # mu d/dmu = mu phi(a) is not below epsilon e^epsilon Phi(b) = epsilon phi(a) m(-b), as m(x) <= 1 / x.)
    moved = to_private_side(lambda moved: excess(float(moved) / sensitivity), sigma)
    return _representable(float(moved) * (1 + INPUT_ROUNDING))


def _representable(sigma: float) -> float:
    """Sigma, if floats hold it with all their digits."""
    hint = (
        "epsilon or delta is too small for floating point, or sensitivity too large"
        if sigma > 1
        else "sensitivity is too small for floating point; take a smaller unit"
    )
    return checks.number("sigma", sigma, f"[{np.finfo(float).tiny}, inf)", hint)


def _root(excess: Callable[[float], float]) -> float:
    """Noise, in units of the sensitivity, at which the decreasing function ``excess`` is 0; inf where none is finite.

    The bracket is widened by hand: SciPy's `bracket_root` works on arrays, and takes ten times as long as all of this.
    """
    from scipy.optimize import brentq  # slow to import, and most jobs only release

    low = high = 1.0
    while excess(high) > 0:
        high *= _WIDEN
        if high > _MOST_NOISE:
            return math.inf
    while excess(low) <= 0:
        low /= _WIDEN
    return math.exp(brentq(lambda log: excess(math.exp(log)), math.log(low), math.log(high), xtol=_PRECISION))
