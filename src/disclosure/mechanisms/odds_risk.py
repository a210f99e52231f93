"""How often normal noise lets an adversary's odds rise by more than a factor, and the noise that keeps this rare.

Paper B bounds the posterior odds ratio R10 by a factor B of the prior one, P10. It needs pure privacy, which normal noise does
not have. Under its assumptions (7)-(9) R10 / P10 is the density of the release given that the person's value lies in S, over
its density given that it does not. Normal noise lets this ratio exceed B with a probability. The probability depends on
mu = Delta / sigma, with the sensitivity Delta to replacing one record, and on what is known of the adversary and of the noise:

informed    the adversary knows everybody else, and asks whether the value is one or another, whose answers differ by Delta.
            The probability is exact.
any         the adversary knows anything. The probability is the smallest bound that follows from the privacy profile of
            normal noise, see `failure_any`.
zcdp        the adversary knows anything, and the noise is any that has zero-concentrated privacy with the parameter rho.
            The probability is a bound.

The first never exceeds the second, and the second never the third.

For noise of another kind `failure_profile` has the bound that follows from any privacy profile, `failure_renyi` from Renyi
privacy, and `failure_approximate` from approximate privacy alone.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri, ndtri_exp

from disclosure.mechanisms.privacy import mu_from_zcdp
from disclosure.numerics import checks
from disclosure.numerics.roots import root_between
from disclosure.numerics.tails import log_shifted_tail_ratio
from disclosure.numerics.types import FloatArray

__all__ = [
    "failure_any",
    "failure_approximate",
    "failure_informed",
    "failure_profile",
    "failure_renyi",
    "failure_zcdp",
    "increase_any",
    "increase_informed",
    "sigma_any",
    "sigma_informed",
    "sigma_zcdp",
]

# Points at which a bound from a privacy profile is evaluated in each round, and rounds. A round narrows the stretch around the
# best point to 1/50 of itself; after four it is 10^-7 of log B, and the bound at its minimum has twice as many digits.
_POINTS, _ROUNDS = 100, 4


def failure_informed(bound: ArrayLike, mu: ArrayLike) -> FloatArray:
    """Probability that R10 exceeds ``bound`` times P10 for an adversary who knows everybody else.

    Parameters
    ----------
    bound : array_like
        The factor B, in [1, inf).
    mu : array_like
        In (0, inf), broadcast against ``bound``.

    Returns
    -------
    ndarray
        Phi(mu/2 - log(B)/mu): log(R10/P10) is normal with mean mu^2/2 and variance mu^2 when the value lies in S.

    Examples
    --------
    >>> float(failure_informed(2.0, 1 / 4.6146))
    0.00099...
    """
    mu = _mu(mu)
    return np.asarray(ndtr(mu / 2 - _log_bound(bound, "[1, inf)") / mu))


def failure_any(bound: ArrayLike, mu: ArrayLike) -> FloatArray:
    """The smallest bound, for every adversary, on the probability that R10 exceeds ``bound`` times P10.

    Parameters
    ----------
    bound : array_like
        The factor B, in [1, inf).
    mu : array_like
        In (0, inf), broadcast against ``bound``.

    Returns
    -------
    ndarray
        Phi(a), where a solves Phi(a) = B Phi(a - mu); 1 at B = 1.

    Notes
    -----
    Let E be the releases at which R10 exceeds B P10, t its probability given S, and s its probability given the
    complement. Then t >= B s. To tell S from its complement by E is a test between mixtures of neighbours, and
    none is better than that between two neighbours: t <= Phi(Phi^-1(s) + mu). Hence Phi^-1(t) - Phi^-1(t/B) <= mu, the
    left side of which rises in t. It is attained when nothing is seen of the release but whether it lies
    beyond a certain point.

    The same is inf over c < log B of delta(c) / (1 - e^c / B) with the privacy profile delta: the derivative
    is 0 where Phi(a) = B Phi(a - mu) with a = mu/2 - c/mu, and there the value is Phi(a).

    Examples
    --------
    >>> float(failure_any(2.0, 1 / 4.9927))
    0.00099...
    """
    log_bound, mu = np.broadcast_arrays(_log_bound(bound, "[1, inf)"), _mu(mu))
    limited = log_bound > 0
    failure = np.ones(mu.shape)
    b, mu = log_bound[limited], mu[limited]
    # Twice log B is more than the informed adversary's a = mu/2 - log(B)/mu needs; Phi(a - mu) = Phi(a) / B is below 1 / B.
    low, high = mu / 2 - 2 * b / mu, mu + ndtri_exp(-b) + 1
    failure[limited] = ndtr(root_between(lambda a, b, mu: log_shifted_tail_ratio(a, mu) + b, low, high, b, mu))
    return failure


def failure_zcdp(bound: ArrayLike, rho: ArrayLike) -> FloatArray:
    """A bound, for every adversary and every mechanism with rho-zCDP, on the probability that R10 exceeds B P10.

    Parameters
    ----------
    bound : array_like
        The factor B, in [1, inf).
    rho : array_like
        Of zero-concentrated privacy for replacing one record, in (0, inf).

    Returns
    -------
    ndarray
        e^(-(log B - rho)^2 / (4 rho)) where log B > rho, and 1 elsewhere: Markov's inequality for the Renyi divergence,
        at its best order.

    Examples
    --------
    >>> float(failure_zcdp(2.0, 0.5 / 5.4938**2))
    0.00099...
    """
    rho = checks.within("rho", rho, "(0, inf)")
    excess = np.maximum(_log_bound(bound, "[1, inf)") - rho, 0.0)
    return np.exp(-(excess / rho) * excess / 4)


def failure_profile(bound: float, profile: Callable[[FloatArray], ArrayLike]) -> float:
    """A bound, for every adversary and every mechanism with a privacy profile, on the probability that R10 exceeds B P10.

    Parameters
    ----------
    bound : float
        The factor B, in [1, inf).
    profile : callable
        From values epsilon >= 0, an array, to the delta of approximate privacy at each, for replacing one record.

    Returns
    -------
    float
        The least of delta(c) / (1 - e^c / B) over 0 <= c < log B, and 1. Every c gives a bound, so that one which is not quite
        the best is a bound as well; the best is the smallest that holds for all mechanisms with the profile (docs/method.md).

    Examples
    --------
    >>> from disclosure.mechanisms.privacy import privacy_profile
    >>> failure_profile(2.0, lambda epsilon: privacy_profile(epsilon, 1 / 4.9927))
    0.00099...
    """
    log_bound = float(_log_bound(bound, "[1, inf)"))
    if log_bound == 0:
        return 1.0
    least, low, high = 1.0, 0.0, log_bound
    for _ in range(_ROUNDS):
        # The points come close to log B, where the quotient is infinite, and to the best one found so far.
        points = low + (high - low) * np.linspace(0, 1, _POINTS, endpoint=False)
        values = checks.within("profile", profile(points), "[0, 1]") / -np.expm1(points - log_bound)
        best = int(np.argmin(values))
        least = min(least, float(values[best]))
        low, high = points[max(0, best - 1)], points[best + 1] if best + 1 < _POINTS else high
    return least


def failure_renyi(bound: ArrayLike, alpha: ArrayLike, epsilon: ArrayLike) -> FloatArray:
    """A bound, for every adversary and every mechanism with Renyi privacy, on the probability that R10 exceeds B P10.

    Parameters
    ----------
    bound : array_like
        The factor B, in [1, inf).
    alpha, epsilon : array_like
        Order, in (1, inf), and parameter, in [0, inf), for replacing one record; all three are broadcast.

    Returns
    -------
    ndarray
        e^((alpha - 1) (epsilon - log B)), or 1: Markov's inequality, since the divergence of mixtures is not above the largest
        of what is mixed.

    Examples
    --------
    >>> float(failure_renyi(2.0, 20.0, 0.2))
    8.5...e-05
    """
    alpha = checks.within("alpha", alpha, "(1, inf)")
    epsilon = checks.within("epsilon", epsilon, "[0, inf)")
    excess = np.minimum(epsilon - _log_bound(bound, "[1, inf)"), 0.0)
    return np.exp((alpha - 1) * excess)


def failure_approximate(bound: ArrayLike, epsilon: ArrayLike, delta: ArrayLike) -> FloatArray:
    """A bound, for every adversary and every mechanism with approximate privacy, on the probability that R10 exceeds B P10.

    Parameters
    ----------
    bound : array_like
        The factor B, in [1, inf).
    epsilon, delta : array_like
        Of approximate privacy for replacing one record, in [0, inf) and [0, 1]; all three are broadcast.

    Returns
    -------
    ndarray
        delta / (1 - e^epsilon / B) where B exceeds e^epsilon, and 1 elsewhere or if that is less: `failure_profile` of what is
        known of the profile.

    Examples
    --------
    >>> float(failure_approximate(2.0, 0.1, 1e-5))
    2.235...e-05
    """
    epsilon, delta = checks.within("epsilon", epsilon, "[0, inf)"), checks.within("delta", delta, "[0, 1]")
    room, delta = np.broadcast_arrays(_log_bound(bound, "[1, inf)") - epsilon, delta)
    with np.errstate(divide="ignore", invalid="ignore"):
        failure = np.where(room > 0, delta / -np.expm1(-np.maximum(room, 0.0)), 1.0)
    return np.minimum(failure, 1.0)


def increase_informed(failure: ArrayLike, mu: ArrayLike) -> FloatArray:
    """The factor that R10 / P10 exceeds with probability ``failure`` for an informed adversary: `failure_informed` solved for
    B.

    Parameters
    ----------
    failure : array_like
        In (0, 1).
    mu : array_like
        In (0, inf), broadcast against ``failure``.

    Returns
    -------
    ndarray
        e^(mu^2/2 - mu Phi^-1(failure)), infinite where a float cannot hold it. A failure above Phi(mu/2) gives less than 1.
    """
    mu, failure = _mu(mu), _failure(failure)
    with np.errstate(over="ignore"):
        return np.exp(mu * (mu / 2 - ndtri(failure)))


def increase_any(failure: ArrayLike, mu: ArrayLike) -> FloatArray:
    """The factor that R10 / P10 exceeds with probability at most ``failure``, for every adversary: `failure_any` solved for B.

    Parameters
    ----------
    failure : array_like
        In (0, 1).
    mu : array_like
        In (0, inf), broadcast against ``failure``.

    Returns
    -------
    ndarray
        failure / Phi(Phi^-1(failure) - mu), infinite where a float cannot hold it.

    Examples
    --------
    >>> float(increase_any(1e-3, 1 / 4.9927))
    1.9999...
    """
    mu, failure = _mu(mu), _failure(failure)
    with np.errstate(over="ignore"):
        return np.exp(-log_shifted_tail_ratio(ndtri(failure), mu))


def sigma_informed(bound: ArrayLike, failure: ArrayLike, sensitivity: ArrayLike = 1.0) -> FloatArray:
    """Smallest noise with which R10 exceeds B P10 with probability ``failure`` for an adversary who knows everybody else.

    Parameters
    ----------
    bound : array_like
        The factor B, in (1, inf).
    failure : array_like
        In (0, 1).
    sensitivity : array_like, optional
        To replacing one record, in (0, inf).

    Returns
    -------
    ndarray
        Standard deviation, in the units of ``sensitivity``: mu = z + (z^2 + 2 log B)^(1/2) with z = Phi^-1(failure).

    Examples
    --------
    >>> float(sigma_informed(2.0, 1e-3))
    4.61458...
    """
    return _sensitivity(sensitivity) / _mu_informed(_log_bound(bound, "(1, inf)"), _failure(failure))


def sigma_any(bound: ArrayLike, failure: ArrayLike, sensitivity: ArrayLike = 1.0) -> FloatArray:
    """Smallest noise with which R10 exceeds B P10 with probability at most ``failure`` for every adversary.

    Parameters
    ----------
    bound, failure, sensitivity : array_like
        As for `sigma_informed`.

    Returns
    -------
    ndarray
        Standard deviation, in the units of ``sensitivity``: mu = Phi^-1(failure) - Phi^-1(failure / B).

    Examples
    --------
    >>> float(sigma_any(2.0, 1e-3))
    4.99265...
    """
    log_bound, failure = np.broadcast_arrays(_log_bound(bound, "(1, inf)"), _failure(failure))
    # Found as a root, since the difference of two close quantiles would cancel. The mu of the other two adversaries enclose it.
    mu = root_between(
        lambda mu, a, b: log_shifted_tail_ratio(a, mu) + b,
        _mu_zcdp(log_bound, failure) / 2,
        _mu_informed(log_bound, failure) * 2,
        ndtri(failure),
        log_bound,
    )
    return _sensitivity(sensitivity) / mu


def sigma_zcdp(bound: ArrayLike, failure: ArrayLike, sensitivity: ArrayLike = 1.0) -> FloatArray:
    """Noise with which R10 exceeds B P10 with probability at most ``failure``, by zero-concentrated privacy alone.

    Parameters
    ----------
    bound, failure, sensitivity : array_like
        As for `sigma_informed`.

    Returns
    -------
    ndarray
        Standard deviation, in the units of ``sensitivity``: rho^(1/2) = (l + log B)^(1/2) - l^(1/2), l = -log failure.

    Examples
    --------
    >>> float(sigma_zcdp(2.0, 1e-3))
    5.49368...
    """
    return _sensitivity(sensitivity) / _mu_zcdp(_log_bound(bound, "(1, inf)"), _failure(failure))


def _mu_informed(log_bound: FloatArray, failure: FloatArray) -> FloatArray:
    z = ndtri(failure)
    # Two forms of the positive root of mu^2 - 2 z mu - 2 log B; each cancels for one sign of z.
    spread = np.sqrt(z**2 + 2 * log_bound)
    return np.where(z > 0, z + spread, 2 * log_bound / (spread + np.abs(z)))


def _mu_zcdp(log_bound: FloatArray, failure: FloatArray) -> FloatArray:
    rarity = -np.log(failure)
    return mu_from_zcdp((log_bound / (np.sqrt(rarity + log_bound) + np.sqrt(rarity))) ** 2)


def _log_bound(bound: ArrayLike, interval: str) -> FloatArray:
    return np.log(checks.within("bound", bound, interval, "no release is sure to lower the odds ratio"))


def _mu(mu: ArrayLike) -> FloatArray:
    return checks.within("mu", mu, "(0, inf)")


def _failure(failure: ArrayLike) -> FloatArray:
    return checks.within("failure", failure, "(0, 1)")


def _sensitivity(sensitivity: ArrayLike) -> FloatArray:
    return checks.within("sensitivity", sensitivity, "(0, inf)")
