"""Limits on the posterior-to-prior ratio that need two numbers of the gaps only, in closed form and for any dimension.

Let p be the target's prior probability of inclusion, w the prior over its neighbours, c_j the standardised gaps, and g the
mixture of `inclusion`. The mean of log g is limited by Jensen's inequality,

    log g(z) >= -sum_j w_j L_j(z) = -<z, c> - s^2 / 2,    c = sum_j w_j c_j,    s^2 = sum_j w_j |c_j|^2 >= |c|^2.

The *reach* s is the root mean square of the distances to the neighbours, in units of the noise. The right side is normal, so

    P(R > r) = P(log g < -e) <= Phi((s^2 / 2 - e) / |c|) <= Phi(s / 2 - e / s),    e = log(r (1 - p) / (1 - r p)),

where the last step needs s^2 <= 2 e. It is an equality if all neighbours are equal: nobody with a reach of at most s is more
exposed than a target whose neighbours all stand at one place, at the distance s. The limit rises in s. So it falls in the
noise, and a limit on the reach over datasets, people or tables is a limit on the risk. It is never above the mass of the union
of the regions {L_j > e}, whose farthest neighbour alone has that much.

How far belief may fall follows from the other tail. By Ehrhard's inequality log g, a convex function of normal noise, is
distributed as a convex function Q of one standard normal number Z. Let Phi(-z) = a, so that Q(z) is the quantile that log g
exceeds with probability a. For k in [0, z] let E_k be the mean with Z moved by k. As Q is above its tangent of slope m at z,

    E_k e^Q(Z) >= e^(Q(z) - m (z - k) + m^2 / 2) >= e^(Q(z) - (z - k)^2 / 2).

The left side is a mean of the values of g in which large ones count more. It is subadditive, and that of one term exp(-L_j) is
e^(k |c_j|). Hence, except with probability a,

    g <= e^((z - k)^2 / 2) sum_j w_j e^(k |c_j|)

for each k, the *tilt*. With the best one it is an equality if all neighbours are at one place, at a distance of at most z.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from disclosure.numerics import checks
from disclosure.numerics.rounding import to_private_side
from disclosure.numerics.types import FloatArray

__all__ = [
    "exceeding_limit",
    "fall_limit",
    "fall_limit_within",
    "posterior_limit",
    "reach_for",
    "rise_limit",
    "tilt",
    "tilted_mean",
]

# Above a half the worst mean gap is no longer the longest one, and there is no limit in closed form.
_PROBABILITY = "(0, 0.5]"
# Steps to the best tilt at most, of which every other one halves its bracket; and its absolute error. Any tilt gives a limit.
# Around the best one the limit is flat: the error of its logarithm is about the square of that of the tilt.
_STEPS, _TILT_ERROR = 60, 1e-7


def rise_limit(reach: ArrayLike, probability: float, prior: ArrayLike) -> FloatArray:
    """A factor that the ratio exceeds with ``probability`` at most.

    Parameters
    ----------
    reach : array_like
        Root mean square of the lengths of the gaps, weighted by the prior over the neighbours, in [0, inf).
    probability : float
        In (0, 1/2].
    prior : array_like
        The target's prior probability, in [0, 1], 0 in an infinite population. A smaller one gives a larger limit.

    Returns
    -------
    ndarray
        1 / (p + (1 - p) e^-(s^2 / 2 + s z)) with Phi(-z) = ``probability``, attained if all neighbours are equal.

    Examples
    --------
    >>> float(rise_limit(0.3, 1e-3, 1 / 21))
    2.45...
    """
    exponent = _reach_exponent(reach, probability)
    prior = checks.within("prior", prior, "[0, 1]")
    with np.errstate(divide="ignore"):
        return np.asarray(1 / (prior + (1 - prior) * np.exp(-exponent)))


def posterior_limit(reach: ArrayLike, probability: float, prior: ArrayLike) -> FloatArray:
    """A posterior probability that is exceeded with ``probability`` at most; a larger prior gives a larger limit.

    Takes the arguments of `rise_limit`, with a prior above 0, and is ``prior`` times it.
    """
    prior = checks.within("prior", prior, "(0, 1]")
    return np.asarray(prior * rise_limit(reach, probability, prior))


def _reach_exponent(reach: ArrayLike, probability: float) -> FloatArray:
    """e of the module's text at which the limit on P(R > r) is the probability."""
    probability = checks.number("probability", probability, _PROBABILITY)
    reach = checks.within("reach", reach, "[0, inf)")
    with np.errstate(over="ignore"):
        return np.asarray(reach * (reach / 2 - ndtri(probability)))


def exceeding_limit(reach: ArrayLike, ratio: float, prior: ArrayLike) -> FloatArray:
    """A limit on the probability that the ratio exceeds a stated one, P(R > r).

    Parameters
    ----------
    reach : array_like
        As in `rise_limit`.
    ratio : float
        r, in (1, inf).
    prior : array_like
        In [0, 1]; 0 is for every prior.

    Returns
    -------
    ndarray
        Phi(s / 2 - e / s); 1 where that is above a half, and no limit. It is 0 where r p >= 1, since no posterior exceeds 1.

    Examples
    --------
    >>> float(exceeding_limit(0.3, 2.0, 1 / 21))
    0.00986...
    """
    reach = checks.within("reach", reach, "[0, inf)")
    exponent = _exponent(ratio, prior)
    with np.errstate(divide="ignore", invalid="ignore"):
        standard = reach / 2 - exponent / reach
    return np.asarray(np.where(reach == 0, 0.0, np.where(standard <= 0, ndtr(standard), 1.0)))


def reach_for(ratio: float, failure: float, prior: ArrayLike) -> FloatArray:
    """The reach up to which a stated ratio is exceeded with a stated probability at most.

    Parameters
    ----------
    ratio : float
        In (1, inf).
    failure : float
        In (0, 1/2].
    prior : array_like
        The target's prior probability, in [0, 1]; 0 is for every prior. Infinite where r p >= 1.

    Returns
    -------
    ndarray
        s with `exceeding_limit` = ``failure``; rounded down, so that the computed limit does not exceed it.

    Examples
    --------
    >>> reach = reach_for(2.0, 1e-3, 1 / 21)
    >>> float(reach), float(exceeding_limit(reach, 2.0, 1 / 21)) <= 1e-3
    (0.2321..., True)
    """
    failure = checks.number("failure", failure, _PROBABILITY)
    exponent = _exponent(ratio, prior)
    z = -ndtri(failure)
    with np.errstate(invalid="ignore"):
        reach = np.where(np.isinf(exponent), np.inf, 2 * exponent / (z + np.sqrt(z**2 + 2 * exponent)))
        return to_private_side(lambda reach: ndtr(reach / 2 - exponent / reach) - failure, reach, downwards=True)


def _exponent(ratio: float, prior: ArrayLike) -> FloatArray:
    """e at which R = r: log(r (1 - p) / (1 - r p)), infinite where no posterior comes so far."""
    ratio = checks.number("ratio", ratio, "(1, inf)")
    prior = checks.within("prior", prior, "[0, 1]")
    reached = ratio * prior < 1
    room = np.where(reached, 1 - ratio * prior, 1.0)
    return np.asarray(np.where(reached, np.log1p((ratio - 1) / room), np.inf))


def tilt(lengths: ArrayLike, shares: ArrayLike, probability: float) -> FloatArray:
    """The tilt k with which `fall_limit` is best for some neighbours.

    Parameters
    ----------
    lengths : array_like, shape (..., p)
        |c_j|, in [0, inf).
    shares : array_like, shape (..., p)
        Prior over the neighbours, up to a factor.
    probability : float
        a, in (0, 1/2].

    Returns
    -------
    ndarray, shape (...)
        k in [0, z], Phi(-z) = a, with z - k the mean of the lengths, weighted by the shares times e^(k |c_j|); 0 where that
        mean is above z for every k.
    """
    lengths = checks.within("lengths", lengths, "[0, inf)")
    z = _quantile(probability)
    low, chosen, high = np.zeros(lengths.shape[:-1]), np.full(lengths.shape[:-1], z), np.full(lengths.shape[:-1], z)
    for number in range(_STEPS):
        weights = shares * np.exp(chosen[..., None] * (lengths - lengths.max(axis=-1, keepdims=True)))
        weights = weights / weights.sum(axis=-1, keepdims=True)
        mean = (weights * lengths).sum(axis=-1)
        excess, slope = chosen - z + mean, 1 + (weights * (lengths - mean[..., None]) ** 2).sum(axis=-1)
        low, high = np.where(excess < 0, chosen, low), np.where(excess < 0, high, chosen)
        step = chosen - excess / slope
        newton = (low <= step) & (step <= high) & (number % 2 == 0)
        if (np.minimum(np.abs(excess) / slope, high - low) < _TILT_ERROR).all():
            break
        chosen = np.where(newton, step, (low + high) / 2)
    return np.asarray(np.where(high <= 2 * _TILT_ERROR, 0.0, chosen))


def tilted_mean(lengths: ArrayLike, shares: ArrayLike, tilts: ArrayLike) -> FloatArray:
    """Logarithm of the mean of e^(k |c_j|), shape (...); parameters as those of `tilt`, and k, of shape (...)."""
    lengths, tilts = checks.within("lengths", lengths, "[0, inf)"), np.asarray(tilts)
    largest = lengths.max(axis=-1)
    terms = np.exp(tilts[..., None] * (lengths - largest[..., None]))
    return np.asarray(tilts * largest + np.log((shares * terms).sum(axis=-1) / np.sum(shares, axis=-1)))


def fall_limit(log_mean: ArrayLike, tilts: ArrayLike, probability: float, prior: ArrayLike) -> FloatArray:
    """A factor that the ratio falls below with a stated probability at most.

    Parameters
    ----------
    log_mean : array_like
        `tilted_mean` over the neighbours, or a limit on it.
    tilts : array_like
        k, in [0, z] with Phi(-z) = ``probability``.
    probability : float
        a, in (0, 1/2].
    prior : array_like
        The target's prior probability, in [0, 1].

    Returns
    -------
    ndarray
        1 / (p + (1 - p) e^((z - k)^2 / 2) m), m the mean.

    Examples
    --------
    >>> k = tilt([0.3], [1.0], 1e-3)
    >>> float(fall_limit(tilted_mean([0.3], [1.0], k), k, 1e-3, 1 / 21))
    0.425...
    """
    prior = checks.within("prior", prior, "[0, 1]")
    z = _quantile(probability)
    with np.errstate(over="ignore"):
        g = np.exp((z - np.asarray(tilts)) ** 2 / 2 + np.asarray(log_mean))
    return np.asarray(1 / (prior + (1 - prior) * g))


def fall_limit_within(reach: ArrayLike, probability: float, prior: ArrayLike) -> FloatArray:
    """`fall_limit` of neighbours none of whom is farther away than the reach, of whom nothing else is known.

    Parameters
    ----------
    reach : array_like
        The largest |c_j|, or a limit on it, in [0, inf).
    probability, prior
        As those of `fall_limit`.

    Examples
    --------
    >>> float(fall_limit_within(0.3, 1e-3, 1 / 21))
    0.425...
    """
    lengths = np.asarray(reach)[..., None]
    shares = np.ones_like(lengths, dtype=float)
    best = tilt(lengths, shares, probability)
    return fall_limit(tilted_mean(lengths, shares, best), best, probability, prior)


def _quantile(probability: float) -> float:
    """z with Phi(-z) = a."""
    return -float(ndtri(checks.number("probability", probability, _PROBABILITY)))
