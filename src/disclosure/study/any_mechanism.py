"""Failure probabilities and quantiles of the ratio for any mechanism that can draw releases and tell their densities.

The adversary has the world x in mind, and with weights w_j the worlds x_j without the target. Releases t of a mechanism with
the densities f give g(t) = sum_j w_j f(t | x_j) / f(t | x), and the posterior-to-prior ratio R = 1 / (p + (1 - p) g), as in
`disclosure.beliefs`. What is asked for are probabilities under x.

*Importance weights.* A share of the releases is drawn from x, the rest from other worlds, by default the x_j: q = share f(. |
x) + (1 - share) sum_i v_i f(. | y_i). A release counts with the weight f(t | x) / q(t), which is 1 / share at most, and 1 on
average. Failures that are rare under x are seen often if they are not rare under some y_i.

*Intervals.* If all releases come from x, their numbers are binomial, and intervals are Clopper and Pearson's: they cover with
the stated probability at least. Weighted sums have the gamma intervals of Fay and Feuer (1997), which for equal weights are
those of a Poisson number. The largest weight that a release may have is taken to be the largest one among the failing
releases. So the interval covers as stated if the draws have reached all of the region of failure; if a part of it is rare
under q, and weighs more than what was seen, it does not.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, gammaincinv, logsumexp

from disclosure.mechanisms import additive
from disclosure.numerics import checks, errors
from disclosure.numerics.types import FloatArray

__all__ = [
    "AnyMechanism",
    "Draws",
    "Interval",
    "draw",
    "failure_probability",
    "level_quantiles",
    "ratio_quantiles",
]

# Releases that are drawn and evaluated together.
_BLOCK = 1 << 14
# Least effective number of releases, (sum w)^2 / (sum w^2). With fewer neither estimates nor their intervals mean much.
_LEAST_EFFECTIVE = 100
# Standard errors that the mean weight may be off 1 by; a normal variable is off by more once in 5e8 times.
_MOST_OFF = 6.0
# Relative difference up to which two values of log g are one, apart by rounding.
_TIE = 1e-11

World = TypeVar("World", contravariant=True)


class AnyMechanism(Protocol[World]):
    """A mechanism that can draw releases of a dataset, and tell their densities up to a common factor."""

    def draw(self, world: World, generator: np.random.Generator, size: int, /) -> Any:
        """Independent releases of a dataset, an array whose first axis has the length ``size``."""

    def log_density(self, released: Any, world: World, /) -> FloatArray:
        """Log density of releases given a dataset, shape (size,), -inf where it is 0.

        A term that depends on the release only may be left out: what counts are differences between datasets.
        """


class Draws(NamedTuple):
    """Releases, as far as they matter: in no order, independent of each other."""

    log_g: FloatArray
    """Log g at each release, increasing, shape (k,); infinite where a density is 0."""
    weights: FloatArray
    """Importance weights, shape (k,)."""
    largest: float
    """The largest weight that a release may have."""

    @property
    def plain(self) -> bool:
        """Whether all releases are drawn from x itself."""
        return self.largest == 1

    @property
    def effective(self) -> float:
        """Number of equally weighted releases with the same variance of their mean weight."""
        return float(self.weights.sum() ** 2 / (self.weights**2).sum())


class Interval(NamedTuple):
    """An estimate and the ends of its interval."""

    value: float
    low: float
    high: float


class RatioIntervals(NamedTuple):
    """Estimated factors between which the ratio stays, but for a stated probability on either side."""

    lower: Interval
    upper: Interval


def draw(
    mechanism: AnyMechanism[Any],
    inside: Any,
    outside: Sequence[Any],
    generator: np.random.Generator,
    releases: int,
    *,
    weights: ArrayLike | None = None,
    others: Sequence[Any] | None = None,
    other_weights: ArrayLike | None = None,
    share: float = 0.5,
) -> Draws:
    """Draw releases, and find log g and the importance weight of each.

    Parameters
    ----------
    mechanism : AnyMechanism
    inside : world
        x, the dataset with the target, whose releases are in question.
    outside : sequence of worlds
        The x_j, at least one.
    generator : numpy.random.Generator
    releases : int
        How many are drawn, at least 100.
    weights : array_like, shape (p,), optional
        w_j, positive, summing to 1; uniform by default.
    others, other_weights : optional
        Worlds y_i that releases are also drawn from, and their v_i; the x_j and w_j by default.
    share : float, optional
        Of the releases that are drawn from x, in (0, 1]. At 1 all are, and all weights are 1.

    Returns
    -------
    Draws

    Raises
    ------
    DomainError
        Outside these ranges; and where weights degenerate: if fewer than 100 releases are effective, or if the mean weight is
        more than six standard errors from 1, since densities are not those of the releases or ``share`` is too small.

    Examples
    --------
    >>> from disclosure.mechanisms.subsampled_gaussian import SubsampledGaussian
    >>> draws = draw(SubsampledGaussian(0.5, 2.0), 5, [4, 5], np.random.default_rng(1), 100_000)
    >>> failure_probability(draws, low=-0.1, high=0.2)
    Interval(value=0.2174..., low=0.2145..., high=0.2204...)
    """
    draws = additive.checked_generator(generator)
    releases, share = checks.count("releases", releases, _LEAST_EFFECTIVE), checks.number("share", share, "(0, 1]")
    if not len(outside):
        raise errors.DomainError("outside is empty; give the datasets without the target")
    log_shares = np.log(_distribution("weights", weights, len(outside)))
    if others is None:
        others, mixed = outside, np.exp(log_shares)
    else:
        mixed = _distribution("other_weights", other_weights, len(others))
    parts = np.concatenate([[share], (1 - share) * mixed])
    worlds = [inside, *others]
    found = []
    for start in range(0, releases, _BLOCK):
        numbers = draws.multinomial(min(_BLOCK, releases - start), parts / parts.sum())
        for world, number in zip(worlds, numbers.tolist(), strict=True):
            if number:
                released = mechanism.draw(world, draws, number)
                found.append(_evaluated(mechanism, released, inside, outside, log_shares, others, np.log(mixed), share))
    log_g, log_weights = np.concatenate(found, axis=1)
    order = np.argsort(log_g, kind="stable")
    return _sound(Draws(log_g[order], np.exp(log_weights[order]), 1 / share))


def _distribution(name: str, weights: ArrayLike | None, size: int) -> FloatArray:
    shares = checks.distribution(name, weights, size)
    if shares.ndim != 1:
        raise errors.DomainError(f"{name} has shape {shares.shape}; expected ({size},)")
    return shares


def _evaluated(
    mechanism: AnyMechanism[Any],
    released: Any,
    inside: Any,
    outside: Sequence[Any],
    log_shares: FloatArray,
    others: Sequence[Any],
    log_mixed: FloatArray,
    share: float,
) -> FloatArray:
    """Log g and log weights of releases, shape (2, k)."""
    own = mechanism.log_density(released, inside)
    rest = np.array([mechanism.log_density(released, world) for world in outside])
    with np.errstate(invalid="ignore", divide="ignore"):
        log_outside = logsumexp(rest + log_shares[:, None], axis=0)
        # Where both densities are 0 the release has the weight 0, and any log g will do.
        log_g = np.nan_to_num(log_outside - own, nan=0.0, posinf=np.inf, neginf=-np.inf)
        if share == 1:
            return np.stack([log_g, np.zeros_like(log_g)])
        drawn = (
            rest if others is outside else np.array([mechanism.log_density(released, world) for world in others])
        ) + log_mixed[:, None]
        log_q = np.logaddexp(np.log(share) + own, np.log1p(-share) + logsumexp(drawn, axis=0))
        return np.stack([log_g, own - log_q])


def _sound(draws: Draws) -> Draws:
    """The draws, unless their weights degenerate."""
    if draws.plain:
        return draws
    weights = draws.weights
    if not draws.effective >= _LEAST_EFFECTIVE:
        raise errors.DomainError(
            f"share = {1 / draws.largest:.3g} leaves {draws.effective:.0f} effective releases of {len(weights)}; "
            f"{_LEAST_EFFECTIVE} are needed: draw more, or take a larger share"
        )
    off, error = weights.mean() - 1, weights.std() / np.sqrt(len(weights))
    if abs(off) > _MOST_OFF * error + _TIE:
        raise errors.DomainError(
            f"mechanism: the mean weight is {weights.mean():.4g}, {abs(off) / error:.0f} standard errors from 1; "
            "its log_density has to be that of what it draws"
        )
    return draws


def failure_probability(draws: Draws, low: float, high: float, confidence: float = 0.95) -> Interval:
    """Probability that log g leaves its thresholds, P(log g < low) + P(log g > high); for (24) they are -+epsilon.

    Parameters
    ----------
    draws : Draws
    low, high : float
        Values of log g that differ from a threshold by a relative 1e-11 or less count as at it.
    confidence : float, optional
        Of the interval, in (0, 1).

    Returns
    -------
    Interval
        Of Clopper and Pearson, or of Fay and Feuer for weighted releases.
    """
    low, high = checks.number("low", low, "[-inf, inf]"), checks.number("high", high, "[-inf, inf]")
    confidence = checks.number("confidence", confidence, "(0, 1)")
    with np.errstate(invalid="ignore"):
        below, above = draws.log_g < low - _TIE * max(1, abs(low)), draws.log_g > high + _TIE * max(1, abs(high))
    failing = below | above
    if draws.plain:
        return _clopper_pearson(int(np.count_nonzero(failing)), len(failing), confidence)
    inside, total = draws.weights[failing], draws.weights.sum() / len(failing)
    found = _gamma(_sums(inside), draws, confidence)
    if found.value <= total / 2:
        return found
    rest = draws.weights[~failing]
    value, least, most = _gamma(_sums(rest), draws, confidence)
    return Interval(1 - value, max(0.0, 1 - most), 1 - least)


def _clopper_pearson(number: int, of: int, confidence: float) -> Interval:
    tail = (1 - confidence) / 2
    low = float(betaincinv(number, of - number + 1, tail)) if number else 0.0
    high = float(betaincinv(number + 1, of - number, 1 - tail)) if number < of else 1.0
    return Interval(number / of, low, high)


def _sums(weights: FloatArray) -> tuple[float, float, float]:
    """Sum of weights, of their squares, and the largest of them."""
    return float(weights.sum()), float((weights**2).sum()), float(weights.max(initial=0.0))


def _gamma(sums: tuple[float, float, float], draws: Draws, confidence: float) -> Interval:
    """Interval of Fay and Feuer for a sum of weights over the number of releases."""
    total, squares, largest = sums
    tail, releases = (1 - confidence) / 2, len(draws.weights)
    low = float(gammaincinv(total**2 / squares, tail)) * squares / total if total > 0 else 0.0
    # With no failure seen the next one may have the largest weight of all.
    next_weight = largest if largest > 0 else draws.largest
    more, spread = total + next_weight, squares + next_weight**2
    high = float(gammaincinv(more**2 / spread, 1 - tail)) * spread / more
    return Interval(total / releases, low / releases, min(high / releases, 1.0))


def ratio_quantiles(draws: Draws, probability: float, prior: float, confidence: float = 0.95) -> RatioIntervals:
    """Quantiles of the posterior-to-prior ratio, as `disclosure.beliefs.mixture_quantiles` defines them, with intervals.

    Parameters
    ----------
    draws : Draws
    probability : float
        Of exceeding each quantile, in (0, 1).
    prior : float
        Prior probability of x, in (0, 1].
    confidence : float, optional
        Of each interval, in (0, 1).

    Returns
    -------
    RatioIntervals
        An end is at the limit of what R can be, 0 or 1 / ``prior``, where the draws do not bound it.
    """
    prior = checks.number("prior", prior, "(0, 1]")
    low, high = level_quantiles(draws, probability, confidence)

    def ratio(level: float) -> float:
        with np.errstate(over="ignore"):
            return float(1 / (prior + (1 - prior) * np.exp(level))) if prior < 1 else 1.0

    lower, upper = (Interval(ratio(end.value), ratio(end.high), ratio(end.low)) for end in (high, low))
    return RatioIntervals(lower, upper)


def level_quantiles(draws: Draws, probability: float, confidence: float = 0.95) -> tuple[Interval, Interval]:
    """Quantiles of log g; arguments as for `ratio_quantiles`.

    Returns
    -------
    low, high : Interval
        The largest level with P(log g < level) at most the probability, and the smallest one with P(log g > level) at most it.
        The interval of a quantile has the levels at which the interval of that probability holds the stated one.
    """
    probability = checks.number("probability", probability, "(0, 1)")
    confidence = checks.number("confidence", confidence, "(0, 1)")
    low = _largest_level(draws, probability, confidence)
    mirrored = draws._replace(log_g=-draws.log_g[::-1], weights=draws.weights[::-1])
    high = _largest_level(mirrored, probability, confidence)
    return low, Interval(-high.value, -high.high, -high.low)


def _largest_level(draws: Draws, probability: float, confidence: float) -> Interval:
    """The largest level that log g is below with the probability at most."""
    log_g, weights = draws.log_g, draws.weights
    with np.errstate(invalid="ignore"):  # of inf - inf, which is a tie
        steps = np.diff(log_g) > _TIE * np.maximum(1.0, np.abs(log_g[1:]))
    # The different values of log g, and how many releases lie below each.
    starts = np.concatenate([[0], 1 + np.flatnonzero(steps)])
    totals, squares, largest = np.cumsum(weights), np.cumsum(weights**2), np.maximum.accumulate(weights)

    def interval(number: int) -> Interval:
        """Of the probability of the lowest ``number`` releases."""
        if draws.plain:
            return _clopper_pearson(number, len(log_g), confidence)
        if not number:
            return _gamma((0.0, 0.0, 0.0), draws, confidence)
        place = number - 1
        return _gamma((float(totals[place]), float(squares[place]), float(largest[place])), draws, confidence)

    below = np.concatenate([[0.0], totals])[starts] / len(log_g)
    value = float(log_g[starts[np.flatnonzero(below <= probability)[-1]]])
    # Ends of intervals rise with the number of releases, unless a weight is much larger than those before. So the last place is
    # found by halving.
    last = _last(lambda place: interval(int(starts[place])).high <= probability, len(starts))
    beyond = _last(lambda place: interval(int(starts[place])).low <= probability, len(starts))
    low = float(log_g[starts[last]]) if last >= 0 else -np.inf
    return Interval(value, min(low, value), max(float(log_g[starts[beyond]]), value))


def _last(holds: Callable[[int], bool], size: int) -> int:
    """The last of the places 0, ..., size - 1 at which a property holds that holds up to some place; -1 if at none."""
    first, beyond = -1, size
    while beyond - first > 1:
        middle = (first + beyond) // 2
        first, beyond = (middle, beyond) if holds(middle) else (first, middle)
    return first
