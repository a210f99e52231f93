"""Quantiles of what a noisy number does to somebody's belief, for any adversary on a line and four kinds of noise.

With g of `mixtures`, the posterior odds of the event are the prior odds over g, and its posterior-to-prior ratio is
R = 1 / (p + (1 - p) g) with p its prior probability. Both fall in g, so that a quantile of either follows from one of log g:

    P(R > r) = P(log g < lambda),    P(R < r) = P(log g > lambda),    r = 1 / (p + (1 - p) e^lambda).

The law of log g may have atoms: beyond all answers log g is constant under Laplace noise, and noise on the whole numbers has
atoms only. So a quantile is what its definition says, the largest level that log g is below with at most the stated
probability; the probability itself may jump past the stated one there. `quantiles` is the fast way for Gaussian noise and one
world against others.
"""

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

from disclosure.beliefs.mixtures import failure_probability
from disclosure.beliefs.worlds import MixtureLike
from disclosure.numerics import checks

__all__ = ["LevelQuantiles", "MixtureQuantiles", "level_quantiles", "mixture_ratio_quantiles"]

# A level of log g beyond which e^level is 0 or infinite in floating point, and R with it at its limit.
_LAST_LEVEL = 800.0
# Absolute and relative error of a level: e^level, and R with it, has no more digits.
_PRECISION = 1e-15
# Evaluations, at most. Brent's method takes some 20 where the law of log g is smooth, and bisects at an atom, which takes 60.
_MOST_STEPS = 2000


class LevelQuantiles(NamedTuple):
    """Levels between which log g stays, but for a stated probability on either side."""

    low: float
    """The largest level with P(log g < level) at most the probability; -inf or inf beyond +-800."""
    high: float
    """The smallest level with P(log g > level) at most the probability; -inf or inf beyond +-800."""


class MixtureQuantiles(NamedTuple):
    """Factors between which the posterior-to-prior ratio stays, but for a stated probability on either side."""

    lower: float
    """The largest r with P(R < r) at most the probability."""
    upper: float
    """The smallest r with P(R > r) at most the probability."""


def mixture_ratio_quantiles(
    inside: MixtureLike,
    outside: MixtureLike,
    truth: MixtureLike,
    *,
    noise: str = "gaussian",
    scale: float,
    probability: float,
    prior: float,
) -> MixtureQuantiles:
    """Quantiles of the posterior-to-prior ratio of an event, exact up to rounding.

    Parameters
    ----------
    inside, outside, truth : Mixture or tuple
    noise : {"gaussian", "laplace", "geometric", "discrete_gaussian"}, optional
    scale : float
        These four as for `disclosure.beliefs.mixtures.failure_probability`.
    probability : float
        Of exceeding each quantile, in (0, 1).
    prior : float
        The adversary's prior probability of the event, in (0, 1]; at 1 the ratio is 1.

    Returns
    -------
    MixtureQuantiles
        With a relative error of about 1e-15, or what `failure_probability`'s error makes of the level.

    Raises
    ------
    DomainError
        Outside these ranges.

    Examples
    --------
    >>> one, others = ([0.0], [1.0]), ([-0.5, 0.25], [0.5, 0.5])
    >>> lower, upper = mixture_ratio_quantiles(one, others, one, scale=1.0, probability=0.001, prior=1 / 3)
    >>> round(lower, 4), round(upper, 4)
    (0.5371, 1.0809)

    Laplace noise of scale b never changes the odds by more than e^(1/b), and every second release does change them by that:

    >>> one, other = ([0.0], [1.0]), ([1.0], [1.0])
    >>> mixture_ratio_quantiles(one, other, one, noise="laplace", scale=2.0, probability=0.001, prior=0.5).upper
    1.2449...
    """
    prior = checks.number("prior", prior, "(0, 1]")
    levels = level_quantiles(inside, outside, truth, noise=noise, scale=scale, probability=probability)
    return MixtureQuantiles(_ratio(levels.high, prior), _ratio(levels.low, prior))


def level_quantiles(
    inside: MixtureLike,
    outside: MixtureLike,
    truth: MixtureLike,
    *,
    noise: str = "gaussian",
    scale: float,
    probability: float,
) -> LevelQuantiles:
    """Quantiles of log g: the posterior odds are the prior odds times a factor between e^-high and e^-low.

    Takes the arguments of `mixture_ratio_quantiles`, without a prior.

    Returns
    -------
    LevelQuantiles
        With an absolute and relative error of about 1e-15, from the side on which the probability is at most the stated one.

    Examples
    --------
    >>> one, other = ([0.0], [1.0]), ([1.0], [1.0])
    >>> low, high = level_quantiles(one, other, one, scale=1.0, probability=0.001)
    >>> round(low, 4), round(high, 4)
    (-3.5902, 2.5902)
    """
    probability = checks.number("probability", probability, "(0, 1)")
    mass = functools.partial(failure_probability, inside, outside, truth, noise=noise, scale=scale)
    low = _largest(lambda level: mass(low=level, high=math.inf).value, probability)
    high = _largest(lambda level: mass(low=-math.inf, high=-level).value, probability)
    return LevelQuantiles(low, -high)


def _largest(mass: Callable[[float], float], probability: float) -> float:
    """The largest level at which a mass that rises in the level is at most the probability; inf or -inf beyond +-800."""
    from scipy.optimize import brentq  # slow to import

    def excess(level: float) -> float:
        """Negative where the mass is below the probability; near 0 about half the logarithm of their ratio."""
        found = mass(level)
        return (found - probability) / (found + probability)

    within, beyond = _bracket(excess)
    if math.isinf(within) or math.isinf(beyond):
        return within if math.isinf(within) else beyond
    level = brentq(excess, within, beyond, xtol=_PRECISION, rtol=_PRECISION, maxiter=_MOST_STEPS)
    step = _PRECISION * max(1.0, abs(level))
    while excess(level) > 0:
        level, step = level - step, 2 * step
    return float(level)


def _bracket(excess: Callable[[float], float]) -> tuple[float, float]:
    """Two levels, with an excess of at most 0 at the first and above 0 at the second; either is infinite if none is found."""
    sign = 1.0 if excess(0.0) <= 0 else -1.0
    near, far = 0.0, sign
    while (excess(far) <= 0) == (sign > 0):
        if abs(far) >= _LAST_LEVEL:
            return (near, math.inf) if sign > 0 else (-math.inf, near)
        near, far = far, sign * min(2 * abs(far), _LAST_LEVEL)
    return (near, far) if sign > 0 else (far, near)


def _ratio(level: float, prior: float) -> float:
    """The posterior-to-prior ratio at a level of log g."""
    if prior == 1 or level == 0:
        return 1.0
    if level < 0:
        return 1 / (prior + (1 - prior) * math.exp(level))
    # Without the overflow of e^level.
    shrunk = math.exp(-level)
    return shrunk / (prior * shrunk + (1 - prior))
