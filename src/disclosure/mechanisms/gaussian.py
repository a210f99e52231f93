"""The Gaussian mechanism: releases, the mass of one bad region, and the noise that a guarantee asks for."""

import math

import numpy as np
from scipy.special import erfcx, log_ndtr, ndtr

from disclosure.numerics import checks, errors
from disclosure.numerics.normal import interval_mass_around

__all__ = ["bad_region_mass", "calibrate", "log_density_ratio", "release"]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)
_UNIT = np.finfo(float).eps
# By how many units, times 1 + x^2, rounding may move a computed mass at x standard deviations: the square of x in its
# exponent is rounded in three operations and in the library's tails, and differences of Mills ratios cancel by 1 + x^2.
_FORWARD = 6
# Rounding of sigma / Delta, Delta / 2 sigma, epsilon sigma / Delta and their sum is the same as noise changed by so many units.
_BACKWARD = 8
# Farther out than this is less mass than the smallest float.
_FAR = 39.0


def release(value, sigma, generator, size=()):
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
    value = checks.within("value", value, "(-inf, inf)")
    sigma = checks.within("sigma", sigma, "[0, inf)")
    checks.broadcast(value=value, sigma=sigma)
    return value + sigma * generator.standard_normal(tuple(size) + np.broadcast_shapes(value.shape, sigma.shape))


def log_density_ratio(released, value, other, sigma):
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
    released = checks.within("released", released, "(-inf, inf)")
    value = checks.within("value", value, "(-inf, inf)")
    other = checks.within("other", other, "(-inf, inf)")
    sigma = checks.within("sigma", sigma, "(0, inf)")
    checks.broadcast(released=released, value=value, other=other, sigma=sigma)
    # The difference of the two squares as a product, which does not cancel.
    return (value - other) / sigma * ((released - value) / sigma + (value - other) / (2 * sigma))


def bad_region_mass(sigma, epsilon, distance):
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
    sigma = checks.within("sigma", sigma, "[0, inf)")
    epsilon = checks.within("epsilon", epsilon, "[0, inf)")
    distance = checks.within("distance", distance, "[0, inf)")
    checks.broadcast(sigma=sigma, epsilon=epsilon, distance=distance)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        noise = sigma / distance
        mass = ndtr(-epsilon * noise + 0.5 / noise) + ndtr(-epsilon * noise - 0.5 / noise)
    return np.where(distance == 0, 0.0, np.where(sigma == 0, 1.0, mass))


def calibrate(epsilon, delta, sensitivity=1.0, definition="probabilistic"):
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
    definition : {"probabilistic", "approximate", "classical"}, optional
        Probabilistic privacy by paper A, equation (30); approximate privacy by Balle and Wang (2018), Theorem 8; or the
        sufficient condition (6) of Dwork and Roth (2014) for approximate privacy.

    Returns
    -------
    float
        Standard deviation of the noise, in the units of ``sensitivity``, from the private side: in exact arithmetic the mass at
        this float is at most ``delta``, and less than it by a relative 1e-12 or so.

    Raises
    ------
    DomainError
        Outside these ranges, and where the noise exceeds the largest float or is below the smallest one of full precision.

    Examples
    --------
    >>> calibrate(1.0, 10**-1.1)
    1.81889766...
    >>> calibrate(1.0, 10**-1.1, definition="approximate")
    1.16843735...
    """
    excesses = {"probabilistic": _probabilistic_excess, "approximate": _approximate_excess}
    if definition not in (*excesses, "classical"):
        raise errors.DomainError(f"definition = {definition!r} is none of probabilistic, approximate, classical")
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
        sigma = sensitivity * bound * (1 + 4 * _UNIT)  # the inequality (6) is strict
    else:
        sigma = _private_side(excesses[definition], epsilon, delta, sensitivity)
    checks.number("sigma", sigma, "(0, inf)", "epsilon or delta is too small for floating point")
    return checks.number(
        "sigma",
        sigma,
        f"[{np.finfo(float).tiny}, inf)",
        "sensitivity is too small for floating point; take a smaller unit",
    )


def _private_side(excess, epsilon, delta, sensitivity):
    """Noise at which ``excess`` is at most 0, and all that rounding could have mistaken for it.

    The mass is a decreasing function of the noise alone, or of c = Delta / 2 sigma and h = epsilon sigma / Delta with opposite
    directions, so that relative errors of c and h are covered by as large a one of the noise. (For approximate privacy,
    with mu = 2c, mu d/dmu = mu phi(a) is not below epsilon e^epsilon Phi(b) = epsilon phi(a) m(-b), as m(x) <= 1 / x.)
    """
    sigma, step = sensitivity * _root(excess, epsilon, delta), _UNIT
    while math.isfinite(sigma) and excess(sigma / sensitivity, epsilon, delta) > 0:
        sigma, step = sigma * (1 + step), 2 * step
    return sigma * (1 + _BACKWARD * _UNIT)


def _root(excess, epsilon, delta):
    """Noise, in units of the sensitivity, at which the decreasing function ``excess`` is 0; inf where none is finite."""
    from scipy.optimize import brentq  # slow to import, and most jobs only release

    low = high = 1.0
    while excess(high, epsilon, delta) > 0:
        high *= 4
        if high > 1e300:
            return math.inf
    while excess(low, epsilon, delta) <= 0:
        low /= 4
    return math.exp(
        brentq(lambda log: excess(math.exp(log), epsilon, delta), math.log(low), math.log(high), xtol=1e-15)
    )


def _rounding(distance):
    """Relative error that rounding may leave in a mass so many standard deviations away."""
    return _FORWARD * _UNIT * (1 + distance * distance)


def _probabilistic_excess(noise, epsilon, delta):
    """Logarithm of the mass (15) over delta, up to 1/2; above, of 1 - delta over the mass of the good region.

    At most: the error of rounding is added.
    """
    centre, half = 0.5 / noise, epsilon * noise
    if delta <= 0.5:
        mass = float(np.logaddexp(log_ndtr(centre - half), log_ndtr(-centre - half)))
        return mass - math.log(delta) + _rounding(min(abs(centre - half), _FAR))
    good = interval_mass_around(centre, half)
    if good == 0:
        return math.inf
    return math.log1p(-delta) - math.log(good) + _rounding(min(centre, _FAR))


def _approximate_excess(noise, epsilon, delta):
    """The same for the smallest delta of approximate privacy, Phi(a) - e^epsilon Phi(b) of Balle and Wang (2018).

    e^epsilon Phi(b) = phi(a) m(-b) with Mills' ratio m, so that nothing large is taken times something small.
    """
    centre, half = 0.5 / noise, epsilon * noise
    a, b = centre - half, -centre - half
    if abs(a) > _FAR:
        # So far away that delta is 1 or 0 in floating point; to which side is all that is asked.
        return math.copysign(min(a * a, 1e300), a)
    log_density = -a * a / 2 - math.log(2 * math.pi) / 2
    if delta > 0.5:
        complement = float(np.logaddexp(log_ndtr(-a), log_density + math.log(_mills(-b))))
        return math.log1p(-delta) - complement + _rounding(a)
    if a <= 0:
        mass = log_density + math.log(_mills_difference(-a, 1 / noise))
    elif noise < 1:
        mass = math.log(ndtr(a) - math.exp(log_density) * _mills(-b))
    else:
        # Both terms are near 1/2. Their difference is the mass between b and a, and what e^epsilon adds.
        mass = math.log(interval_mass_around(-half, centre) - math.expm1(epsilon) * ndtr(b))
    return mass - math.log(delta) + _rounding(a)


def _mills_difference(start, width):
    """Mills ratio at ``start`` less the one at ``start + width``, for start >= 0.

    In these terms Phi(a) - e^epsilon Phi(b) is phi(a) times a difference that a narrow width would cancel; there it is
    the integral of the derivative, x m(x) - 1.
    """
    if width > 1:
        return _mills(start) - _mills(start + width)
    points = start + width * (_NODES + 1) / 2
    return width / 2 * float(_WEIGHTS @ (1 - points * _mills(points)))


def _mills(x):
    return math.sqrt(math.pi / 2) * erfcx(x / math.sqrt(2))
