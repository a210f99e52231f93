"""Languages of privacy for normal noise, and the way from each to the others.

Everything that normal noise of standard deviation sigma promises about two datasets depends on mu = Delta / sigma, the largest
distance of their answers in standard deviations: to tell the datasets apart is to tell a normal variable with mean 0 from one
with mean mu. So every definition of privacy is a function of mu, and a translation goes through mu.

Two datasets are neighbours by replacing one record, unless a name says otherwise. A guarantee stands for the normal noise that
just keeps it; another mechanism with the same guarantee in one language promises something else in the others. Answers have a
relative error below 1e-12, or what the last place of an argument makes of it where that is more (an epsilon near 0, a delta
near 1).
"""

import functools
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf, ndtr, ndtri, ndtri_exp

from disclosure.mechanisms.excess import EXCESSES, INPUT_ROUNDING, Pair, log_profile
from disclosure.numerics import checks
from disclosure.numerics.rounding import UNIT, to_private_side
from disclosure.numerics.types import FloatArray

__all__ = [
    "advantage",
    "approximate_epsilon",
    "compose",
    "false_negative_rate",
    "mu_from_add_remove",
    "mu_from_renyi",
    "mu_from_zcdp",
    "privacy_profile",
    "probabilistic_epsilon",
    "renyi_epsilon",
    "true_positive_rate",
    "zcdp_rho",
]

# Evaluations in which bisection alone narrows any bracket of floats to neighbouring ones, with those of Brent's method.
_MOST_STEPS = 4000


def privacy_profile(epsilon: ArrayLike, mu: ArrayLike) -> FloatArray:
    """Smallest delta of approximate privacy at an epsilon (Balle and Wang 2018, Theorem 8).

    With a = mu/2 - epsilon/mu it is Phi(a) - e^epsilon Phi(a - mu). The smallest delta of probabilistic privacy is
    `disclosure.mechanisms.gaussian.bad_region_mass`.

    Parameters
    ----------
    epsilon : array_like
        In [0, inf).
    mu : array_like
        In (0, inf), broadcast against ``epsilon``.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> float(privacy_profile(1.0, 1.0))
    0.12693...
    """
    epsilon, mu = checks.within("epsilon", epsilon, "[0, inf)"), _mu(mu)
    checks.broadcast(epsilon=epsilon, mu=mu)
    return _each(lambda epsilon, mu: math.exp(log_profile(_pair(epsilon, mu))), epsilon, mu)


def approximate_epsilon(delta: ArrayLike, mu: ArrayLike) -> FloatArray:
    """Smallest epsilon of approximate privacy at a delta, at which the privacy profile falls to it.

    Parameters
    ----------
    delta : array_like
        In (0, 1).
    mu : array_like
        In (0, inf), broadcast against ``delta``.

    Returns
    -------
    ndarray
        From the private side: in exact arithmetic the profile at this float is at most delta. 0 where the advantage, which is
        the profile at 0, does not exceed delta.

    Examples
    --------
    >>> float(approximate_epsilon(0.01, 0.15**0.5 * 2**0.5))
    1.03820...
    """
    return _smallest_epsilon("approximate", delta, mu)


def probabilistic_epsilon(delta: ArrayLike, mu: ArrayLike) -> FloatArray:
    """Smallest epsilon of probabilistic privacy at a delta, at which the mass of a bad region falls to it (paper A, (15)).

    Parameters
    ----------
    delta : array_like
        In (0, 1).
    mu : array_like
        In (0, inf), broadcast against ``delta``.

    Returns
    -------
    ndarray
        Positive, from the private side: in exact arithmetic the mass at this float is at most delta.

    Examples
    --------
    >>> float(probabilistic_epsilon(0.01, 0.15**0.5 * 2**0.5))
    1.46056...
    """
    return _smallest_epsilon("probabilistic", delta, mu)


def zcdp_rho(mu: ArrayLike) -> FloatArray:
    """Parameter rho of zero-concentrated privacy, mu^2 / 2 (Bun and Steinke 2016, Proposition 1.6); mu in (0, inf)."""
    return _mu(mu) ** 2 / 2


def mu_from_zcdp(rho: ArrayLike) -> FloatArray:
    """The mu of normal noise whose zero-concentrated privacy has the parameter rho, in (0, inf)."""
    return np.sqrt(2 * checks.within("rho", rho, "(0, inf)"))


def renyi_epsilon(alpha: ArrayLike, mu: ArrayLike) -> FloatArray:
    """Renyi privacy of order alpha, alpha mu^2 / 2 (Mironov 2017, Proposition 7); alpha in (1, inf), mu in (0, inf)."""
    return checks.within("alpha", alpha, "(1, inf)") * zcdp_rho(mu)


def mu_from_renyi(alpha: ArrayLike, epsilon: ArrayLike) -> FloatArray:
    """The mu of normal noise with a given Renyi epsilon, in (0, inf), of order alpha, in (1, inf)."""
    epsilon = checks.within("Renyi epsilon", epsilon, "(0, inf)")
    return mu_from_zcdp(epsilon / checks.within("alpha", alpha, "(1, inf)"))


def mu_from_add_remove(mu: ArrayLike) -> FloatArray:
    """The mu of replacing a record, from that of adding or removing one: doubled, and rho with it times 4.

    To replace a record is to remove one and add another, so the answers move by at most twice as much. Some statistics move by
    less (a count by 1 in either way); their mu is the sensitivity to replacing over sigma, and this function is not needed.
    """
    return 2 * _mu(mu)


def compose(mus: ArrayLike, axis: int = -1) -> FloatArray:
    """The mu of releases with independent noise taken together, the root of the sum of squares.

    Parameters
    ----------
    mus : array_like
        In [0, inf), one for each release along ``axis``; k equal ones are one with mu times the root of k.
    axis : int, optional

    Returns
    -------
    ndarray

    Examples
    --------
    >>> float(compose([3.0, 4.0]))
    5.0
    """
    mus = checks.within("mu", mus, "[0, inf)")
    return np.asarray(np.hypot.reduce(mus, axis=axis))


def advantage(mu: ArrayLike) -> FloatArray:
    """Largest true positive rate less false positive rate of any test between two neighbours, 2 Phi(mu/2) - 1.

    It is their total variation distance, and the privacy profile at 0.
    """
    return np.asarray(erf(_mu(mu) / np.sqrt(8)))


def true_positive_rate(false_positive_rate: ArrayLike, mu: ArrayLike) -> FloatArray:
    """Largest true positive rate of any test between two neighbours, at a false positive rate.

    Parameters
    ----------
    false_positive_rate : array_like
        In [0, 1].
    mu : array_like
        In (0, inf).

    Returns
    -------
    ndarray
        Phi(Phi^-1(false_positive_rate) + mu), by the lemma of Neyman and Pearson.

    Examples
    --------
    >>> float(true_positive_rate(0.01, 1.0))
    0.0923...
    """
    rate = checks.within("false_positive_rate", false_positive_rate, "[0, 1]")
    return np.asarray(ndtr(ndtri(rate) + _mu(mu)))


def false_negative_rate(false_positive_rate: ArrayLike, mu: ArrayLike) -> FloatArray:
    """The trade-off function of normal noise, the smallest false negative rate of any test (Dong, Roth and Su 2022).

    It is 1 less `true_positive_rate`, without cancellation; arguments as there.
    """
    rate = checks.within("false_positive_rate", false_positive_rate, "[0, 1]")
    return np.asarray(ndtr(-ndtri(rate) - _mu(mu)))


def _mu(mu: ArrayLike) -> FloatArray:
    return checks.within("mu", mu, "(0, inf)")


def _pair(epsilon: float, mu: float) -> Pair:
    return Pair(mu / 2, epsilon / mu, epsilon)


def _each(function: Callable[[float, float], float], *arguments: FloatArray) -> FloatArray:
    """A function of two numbers, applied entry by entry."""
    return np.asarray(np.vectorize(function, otypes=[float])(*arguments))


def _smallest_epsilon(definition: str, delta: ArrayLike, mu: ArrayLike) -> FloatArray:
    delta, mu = checks.within("delta", delta, "(0, 1)"), _mu(mu)
    checks.broadcast(delta=delta, mu=mu)
    return _each(functools.partial(_root, EXCESSES[definition]), delta, mu)


def _root(excess: Callable[[Pair, float], float], delta: float, mu: float) -> float:
    """The epsilon above which ``excess`` is not above 0, at which it falls to 0 or, at 0, is not above it already."""
    from scipy.optimize import brentq  # slow to import, and most jobs only release

    if excess(_pair(0.0, mu), delta) <= 0:
        return 0.0
    # Both masses are at most 2 Phi(mu/2 - half), which is half of delta at this end. With a large mu the rounding of mu/2
    # decides.
    high = mu / 2 * (1 + 4 * UNIT) - float(ndtri_exp(math.log(delta) - math.log(4)))
    # Held between -1 and 1: an excess may be infinite, and Brent's method interpolates.
    half = brentq(
        lambda half: math.tanh(excess(Pair(mu / 2, half, half * mu), delta)),
        0.0,
        high,
        xtol=np.finfo(float).tiny,
        rtol=4 * UNIT,
        maxiter=_MOST_STEPS,
    )
    epsilon = to_private_side(lambda epsilon: excess(_pair(float(epsilon), mu), delta), mu * half)
    return float(epsilon) * (1 + INPUT_ROUNDING)
