"""By how much normal noise misses (epsilon, delta): a logarithm that is at most 0 where the guarantee holds.

`gaussian.calibrate` searches for the noise at which an excess is 0, and `privacy` for the epsilon. Both definitions of privacy
are about two neighbouring datasets whose answers are mu standard deviations of the noise apart. With z the noise in standard
deviations, the log density ratio of the two stays within +-epsilon for the z that are nearer than epsilon / mu to -mu / 2: the
good region. An excess adds to the exact logarithm what rounding may have taken from it, so that an excess of 0 or less is a
proof.

The functions take single numbers and use `math`: a search evaluates a hundred times, and these are ten times as fast as
NumPy's.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import log_ndtr, ndtr

from disclosure.numerics.normal import interval_mass_around
from disclosure.numerics.rounding import UNIT
from disclosure.numerics.tails import mills

__all__ = ["EXCESSES", "INPUT_ROUNDING", "Pair", "log_profile"]

INPUT_ROUNDING = 8 * UNIT
"""Relative change of sigma, or of epsilon, that covers the rounding of the numbers in a `Pair` and of their sum."""

# Units of 2^-52. Rounding may move the logarithm of a mass at x standard deviations by this times 1 + x^2: three operations and
# the library's tails round x^2 in the exponent, and differences of Mills' ratios cancel by a factor 1 + x^2.
_MASS_ROUNDING = 6
# Standard deviations. Less mass than the smallest float lies beyond, so a profile is 0 or 1 there. Another value, such as
# `numerics.normal.FAR`, would change last digits of sigma.
_MASSLESS = 39.0
# Largest excess: a search needs finite numbers.
_HUGE = 1e300
# Nodes of Gauss's rule, which integrates the derivative of Mills' ratio over an interval no longer than 1 to the last digit.
_ORDER = 24
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(_ORDER)


class Pair(NamedTuple):
    """Two neighbouring datasets seen through normal noise; lengths are in standard deviations of the noise."""

    centre: float
    """Distance of the noise 0 from the middle of the good region, mu / 2."""
    half: float
    """Half of the length of the good region, epsilon / mu."""
    epsilon: float
    """The bound on the log density ratio, 2 centre half."""


def log_profile(pair: Pair) -> float:
    """Logarithm of the smallest delta of approximate privacy, Phi(a) - e^epsilon Phi(b) (Balle and Wang 2018, Theorem 8).

    Here a = centre - half and b = -centre - half. e^epsilon Phi(b) = phi(a) m(-b) with Mills' ratio m, so that nothing large is
    taken times something small.
    """
    a, b = pair.centre - pair.half, -pair.centre - pair.half
    if abs(a) > _MASSLESS:
        return 0.0 if a > 0 else -math.inf
    if a <= 0:
        return _log_density(a) + math.log(_mills_difference(-a, 2 * pair.centre))
    if pair.centre > 0.5:
        return math.log(ndtr(a) - math.exp(_log_density(a)) * mills(-b))
    # Both terms are near 1/2. Their difference is the mass between b and a, and what e^epsilon adds.
    return math.log(interval_mass_around(-pair.half, pair.centre) - math.expm1(pair.epsilon) * ndtr(b))


def _probabilistic(pair: Pair, delta: float) -> float:
    """Log of the mass outside the good region, paper A's (15), over delta; above 1/2, of 1 - delta over the mass inside it."""
    if delta <= 0.5:
        near, far = pair.centre - pair.half, -pair.centre - pair.half
        mass = float(np.logaddexp(log_ndtr(near), log_ndtr(far)))
        return mass - math.log(delta) + _rounding(min(abs(near), _MASSLESS))
    good = interval_mass_around(pair.centre, pair.half)
    if good == 0:
        return math.inf
    return math.log1p(-delta) - math.log(good) + _rounding(min(pair.centre, _MASSLESS))


def _approximate(pair: Pair, delta: float) -> float:
    """Log of the privacy profile over delta; above 1/2, of 1 - delta over 1 less the profile."""
    a, b = pair.centre - pair.half, -pair.centre - pair.half
    if abs(a) > _MASSLESS:
        # So far away that the profile is 1 or 0 in floating point; which of the two is all that is asked.
        return math.copysign(min(a * a, _HUGE), a)
    if delta > 0.5:
        complement = float(np.logaddexp(log_ndtr(-a), _log_density(a) + math.log(mills(-b))))
        return math.log1p(-delta) - complement + _rounding(a)
    return log_profile(pair) - math.log(delta) + _rounding(a)


EXCESSES: dict[str, Callable[[Pair, float], float]] = {"probabilistic": _probabilistic, "approximate": _approximate}
"""The excess of a pair over a delta in (0, 1), by the definition of privacy."""


def _rounding(distance: float) -> float:
    """How far rounding may move the logarithm of a mass so many standard deviations away."""
    return _MASS_ROUNDING * UNIT * (1 + distance * distance)


def _log_density(x: float) -> float:
    return -x * x / 2 - math.log(2 * math.pi) / 2


def _mills_difference(start: float, width: float) -> float:
    """Mills' ratio at ``start``, which is at least 0, less the one at ``start + width``.

    Over a narrow width two close values would cancel. There it is the integral of minus the derivative, 1 - x m(x).

    `tails.mills_drop` is the same difference as a share of the first ratio, with 16 nodes and up to a width of ``start`` + 1.
    The two agree to a relative 1e-12, but mostly not in the last digit, and the last digits of sigma under approximate privacy
    come from this one. Both stand so that sigmas keep their digits.
    """
    if width > 1:
        return float(mills(start) - mills(start + width))
    points = start + width * (_NODES + 1) / 2
    return width / 2 * float(_WEIGHTS @ (1 - points * mills(points)))
