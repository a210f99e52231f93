"""Attribute inference: how much one noisy number changes the odds that a person's value lies in a set.

The adversary knows that the target is in the data, and everybody else in it. So of the release, an answer that is linear in the
records, only the target's own value is left, plus noise. The prior is a law of that value; `value_sets.split` cuts it into the
law ``inside``, given that the value lies in the set S, and the law ``outside``. A release t changes the odds of S by the factor

    h(t) = f_inside(t) / f_outside(t) = 1 / g(t),

g of `mixtures`, and paper B's posterior odds ratio over the prior one is the same number under its assumptions (7) to (9). The
truth is one value, the target's.

If all values in S lie above all others, or all below them (S is a *half-line*), h is monotone in the release. Then each level
is passed at one release, and a quantile of h is h at a quantile of the noise (docs/method.md, "Attribute inference"). For other
sets `mixtures` finds the releases at which a level is passed, and a quantile of h is found by bracketing its level, between
the turning points of h.
"""

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from disclosure.beliefs import mixtures, worlds
from disclosure.beliefs.fewer_atoms import fewer_atoms
from disclosure.beliefs.log_odds import LogOdds, log_odds
from disclosure.beliefs.mixture_quantiles import level_quantiles
from disclosure.beliefs.noises import Noise, noise_named
from disclosure.beliefs.worlds import Law, Mixture, MixtureLike
from disclosure.numerics import checks, errors
from disclosure.numerics.types import BoolArray, FloatArray, IntArray

__all__ = ["OddsChanges", "OddsQuantiles", "odds_changes", "odds_quantiles"]

# Scales of the noise. Farther from an answer than this there is no mass in floating point: that of normal noise, and of noise
# whose density falls like e^-|t|.
_REACH, _EXPONENTIAL_REACH = 40.0, 745.0
# Natural logarithm, relative to a level if that is above 1. A limit of log h that is nearer to the level counts as equal to it.
# That is some hundred times the rounding error of log h.
_TIE = 1e-12
# Relative error of a position, and of a level: no more than rounding.
_PRECISION = 1e-15
# Scales. Distance of the positions at which the slope of log h is looked at, in search of its turning points. Of two turning
# points between neighbouring positions none is seen; there log h moves by about the cube of the step.
_STEP = 1 / 32

_Function: TypeAlias = Callable[..., FloatArray]


class OddsChanges(NamedTuple):
    """Probabilities that a release changes the odds of the set by more than a factor, one for each truth."""

    rise: FloatArray
    """That the posterior odds are more than the factor times the prior odds."""
    fall: FloatArray
    """That they are less than the prior odds over the factor."""


class OddsQuantiles(NamedTuple):
    """Factors between which the odds change, but for a stated probability on either side; one for each truth."""

    lower: FloatArray
    """The largest r such that the odds change by a factor below r with at most the probability."""
    upper: FloatArray
    """The smallest r such that the odds change by a factor above r with at most the probability."""


def odds_changes(
    inside: MixtureLike,
    outside: MixtureLike,
    truths: ArrayLike,
    *,
    noise: str = "gaussian",
    scale: float,
    factor: float,
) -> OddsChanges:
    """Probability that the odds of a set change by more than a factor, in either direction.

    Parameters
    ----------
    inside, outside : Mixture or tuple
        Laws of the target's value given that it lies in the set, and given that it does not (`value_sets.split`).
    truths : array_like, shape (k,)
        Values that the target may have in truth.
    noise : {"gaussian", "laplace", "geometric", "discrete_gaussian"}, optional
    scale : float
        Of the noise in units of the value: the noise's own scale over how much the answer moves when the value moves by 1. Both
        as for `mixtures.failure_probability`.
    factor : float
        In (1, 1e300].

    Returns
    -------
    OddsChanges
        Arrays of shape (k,). The relative error is about 1e-12 for probabilities above 1e-300, and 1e-11 for pieces under
        Gaussian noise. A change by just the factor does not count.

    Raises
    ------
    DomainError
        Outside these ranges.

    Examples
    --------
    Incomes of five people, the noise as large as the largest difference; is the target's income 4 or more?

    >>> inside, outside = ([4.0, 5.0], [1, 1]), ([1.0, 1.0, 2.0], [1, 1, 1])
    >>> rise, fall = odds_changes(inside, outside, [1.0, 5.0], scale=4.0, factor=2.0)
    >>> rise.round(4).tolist(), fall.round(4).tolist()
    ([0.0858, 0.3567], [0.3413, 0.0794])
    """
    question = _question(inside, outside, truths, noise, scale)
    level = float(np.log(checks.number("factor", factor, "(1, 1e300]")))
    side = question.side
    if side:
        above, below = question.crossing(side, level), question.crossing(-side, level)
        return OddsChanges(question.tail(side, above), question.tail(-side, below))
    laws = (Mixture(*law) for law in question.laws)
    risen, fallen = mixtures.failure_intervals(*laws, noise=noise, scale=scale, low=-level, high=level)
    return OddsChanges(question.mass(risen), question.mass(fallen))


def odds_quantiles(
    inside: MixtureLike,
    outside: MixtureLike,
    truths: ArrayLike,
    *,
    noise: str = "gaussian",
    scale: float,
    probability: float,
) -> OddsQuantiles:
    """Factors by which the odds of a set rise, or fall, with a stated probability only.

    Parameters
    ----------
    inside, outside, truths, noise, scale
        As in `odds_changes`.
    probability : float
        Of exceeding each, in (0, 1).

    Returns
    -------
    OddsQuantiles
        Arrays of shape (k,), with a relative error of about 1e-12. Under other noise than Gaussian, and for a set that is no
        half-line, each truth takes a tenth of a second or more.

    Raises
    ------
    DomainError
        Outside these ranges.

    Examples
    --------
    >>> inside, outside = ([4.0, 5.0], [1, 1]), ([1.0, 1.0, 2.0], [1, 1, 1])
    >>> lower, upper = odds_quantiles(inside, outside, [1.0, 5.0], scale=4.0, probability=0.001)
    >>> lower.round(4).tolist(), upper.round(4).tolist()
    ([0.0625, 0.1354], [7.6839, 16.763])
    """
    question = _question(inside, outside, truths, noise, scale)
    probability = checks.number("probability", probability, "(0, 1)")
    if side := question.side:
        ends = [question.end(sign * side, probability) for sign in (-1, 1)]
        levels = [question.curve(end) for end in ends]
    elif question.noise.exponential or question.noise.whole:
        levels = question.levels_by_engine(probability)
    else:
        levels = [_Branches.of(question).levels(sign, probability) for sign in (-1.0, 1.0)]
    with np.errstate(over="ignore"):
        return OddsQuantiles(np.exp(levels[0]), np.exp(levels[1]))


class _Question(NamedTuple):
    """Checked laws, truths and noise. Positions are (release - origin) / scale; the origin is whole if the noise is."""

    laws: tuple[Law, Law]
    """Inside and outside; under Gaussian noise with few atoms in place of many (`fewer_atoms`)."""
    side: int
    """1 if all values inside lie above all values outside, -1 if below, otherwise 0."""
    truths: FloatArray
    noise: Noise
    origin: float
    curve: LogOdds

    @property
    def places(self) -> FloatArray:
        """Positions of the truths."""
        return np.asarray((self.truths - self.origin) / self.noise.scale)

    @property
    def reach(self) -> tuple[float, float]:
        """Positions beyond which no truth has any mass, and no answer lies."""
        ends = (np.concatenate([law.ends for law in self.laws]) - self.origin) / self.noise.scale
        reach = _EXPONENTIAL_REACH if self.noise.exponential else _REACH
        places = np.concatenate([ends, self.places])
        return float(places.min()) - reach, float(places.max()) + reach

    def crossing(self, side: int, level: float) -> float:
        """Where |log h| passes a level on one side, under a half-line: log h is beyond it from there on to that side.

        The side is 1 for the right and -1 for the left. What comes back is an end of an interval of releases; for noise on
        whole numbers it is the first release that is beyond. It is infinite where no release is beyond, or all are.
        """
        from scipy.optimize import brentq  # slow to import

        sign = side * self.side  # of the level

        def excess(position: float) -> float:
            """How far |log h| is beyond the level, at a position that is counted to that side."""
            return sign * float(self.curve(np.array([side * position]))[0]) - level

        low, high = sorted(side * end for end in self.reach)
        tie = _TIE * max(1.0, level)
        if excess(high) <= tie:
            return side * math.inf
        if excess(low) > tie:
            return -side * math.inf
        position = float(brentq(excess, low, high, xtol=_PRECISION, rtol=4 * _PRECISION))
        if not self.noise.whole:
            return self.origin + side * position * self.noise.scale
        # The first whole number after the zero, or the second where the first is a tie.
        beyond = (math.floor(position * self.noise.scale) + step for step in (1, 2))
        return self.origin + side * next(number for number in beyond if excess(number / self.noise.scale) > tie)

    def tail(self, side: int, end: float) -> FloatArray:
        """Probability of the releases from an end on to one side, for each truth."""
        if end == side * math.inf:
            return np.zeros(len(self.truths))
        return self.mass(np.array([sorted([end, side * math.inf])]))

    def mass(self, intervals: FloatArray) -> FloatArray:
        """Probability of disjoint intervals of releases, shape (i, 2), for each truth."""
        masses = self.noise.mass(*(ends - self.truths[:, None] for ends in intervals.T))
        return np.asarray(np.minimum(masses.sum(axis=1), 1.0))

    def levels_by_engine(self, probability: float) -> list[FloatArray]:
        """Levels of log h for each truth, the lower and the upper, from those of log g; slow, for all noises and sets."""
        inside, outside = (Mixture(*law) for law in self.laws)
        name, scale = self.noise.name, self.noise.scale
        found = [
            level_quantiles(inside, outside, ([truth], [1.0]), noise=name, scale=scale, probability=probability)
            for truth in self.truths.tolist()
        ]
        return [-np.array([levels.high for levels in found]), -np.array([levels.low for levels in found])]

    def end(self, side: int, probability: float) -> FloatArray:
        """Positions of the nearest release to one side of each truth that is passed with at most the probability."""
        return self.places + side * _upper_quantile(self.noise, probability) / self.noise.scale


def _question(inside: MixtureLike, outside: MixtureLike, truths: ArrayLike, noise: str, scale: float) -> _Question:
    kind = noise_named(noise, scale)
    laws = worlds.checked("inside", inside, kind), worlds.checked("outside", outside, kind)
    points = checks.within("truths", truths, "(-inf, inf)")
    if points.ndim != 1 or not len(points):
        raise errors.DomainError(f"truths has shape {points.shape}; expected (k,) with k >= 1")
    if kind.whole and (points != np.round(points)).any():
        raise errors.DomainError(f"truths are not all whole numbers, but {noise} noise is; use other noise")
    side = _side(*(law.ends for law in laws))
    if not kind.exponential and not kind.whole:
        laws = fewer_atoms(laws[0], scale), fewer_atoms(laws[1], scale)
    ends = np.concatenate([law.ends for law in laws])
    middle = float(ends.min() / 2 + ends.max() / 2)
    origin = float(round(middle)) if kind.whole else middle
    return _Question(laws, side, points, kind, origin, log_odds(*laws, kind, origin))


def _side(inside: FloatArray, outside: FloatArray) -> int:
    """1 if all values inside lie above all values outside, -1 if below, otherwise 0."""
    return int(inside.min() >= outside.max()) - int(inside.max() <= outside.min())


def _upper_quantile(noise: Noise, probability: float) -> float:
    """The smallest number that the noise exceeds with at most the probability."""
    if not noise.whole:
        if not noise.exponential:
            return float(-ndtri(probability)) * noise.scale
        tail = -np.log(2 * probability) if probability < 0.5 else np.log1p(1 - 2 * probability)
        return float(tail) * noise.scale
    if probability > 0.5:
        # By symmetry, P(noise > k) <= p exactly if P(noise > -k - 1) >= 1 - p.
        return -_whole_quantile(noise, lambda tail: tail < 1 - probability)
    return _whole_quantile(noise, lambda tail: tail <= probability)


def _whole_quantile(noise: Noise, passed: Callable[[float], bool]) -> float:
    """The smallest whole number k >= 0 at which P(noise > k) has passed a threshold, by bisection."""

    def enough(number: float) -> bool:
        return passed(float(noise.mass(np.array([number + 1]), np.array([np.inf]))[0]))

    low, high = -1.0, max(1.0, np.ceil(noise.scale))
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = np.floor((low + high) / 2)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return float(high)


class _Branches(NamedTuple):
    """The parts of the line between turning points of log h, on each of which it is monotone; for Gaussian noise."""

    question: _Question
    ends: FloatArray
    """Where the branches begin and end, shape (b + 1,): the turning points, and two positions beyond which there is no mass."""
    values: FloatArray
    """Log h at the ends."""
    positions: FloatArray
    """Positions on a grid, and the ends, increasing."""
    heights: FloatArray
    """Log h at the positions."""

    @classmethod
    def of(cls, question: _Question) -> "_Branches":
        low, high = question.reach
        grid = np.linspace(low, high, int(np.ceil((high - low) / _STEP)) + 1)
        slopes = question.curve.slopes(grid)
        turns = np.flatnonzero(slopes[1:] * slopes[:-1] < 0)
        ends = np.concatenate([[low], _roots(question.curve.slopes, grid[turns], grid[turns + 1]), [high]])
        positions = np.unique(np.concatenate([grid, ends]))
        return cls(question, ends, question.curve(ends), positions, question.curve(positions))

    def levels(self, sign: float, probability: float) -> FloatArray:
        """Levels that log h exceeds (sign 1), or stays below (-1), with at most the probability; one for each truth."""
        places = self.question.places
        # The releases of this window around the truth have at least the stated probability, and at least 1 minus that. So the
        # level lies between the least and the largest log h in it.
        window = float(-ndtri(min(probability, 1 - probability) / 2))
        at_ends = [self.question.curve(places + side * window) for side in (-1, 1)]
        first, last = (np.searchsorted(self.positions, places + side * window) for side in (-1, 1))
        within = [
            self.heights[start:stop] if start < stop else self.heights[:0]
            for start, stop in zip(first.tolist(), last.tolist(), strict=True)
        ]
        least = np.minimum(*at_ends), [heights.min(initial=np.inf) for heights in within]
        most = np.maximum(*at_ends), [heights.max(initial=-np.inf) for heights in within]
        low, high = np.minimum(*least), np.maximum(*most)
        margin = _TIE * (1 + np.abs(low) + np.abs(high))

        def excess(levels: FloatArray, rows: IntArray) -> FloatArray:
            mass = self.beyond(sign, levels, places[rows])
            return np.asarray((mass - probability) / (mass + probability))

        return _roots(excess, low - margin, high + margin, np.arange(len(places)))

    def beyond(self, sign: float, levels: FloatArray, places: FloatArray) -> FloatArray:
        """Probability that log h is above (sign 1) or below (-1) a level: one truth's place for each level."""
        left, right = (np.tile(ends, (len(levels), 1)) for ends in (self.ends[:-1], self.ends[1:]))
        rises = sign * (self.values[1:] - self.values[:-1]) > 0
        at_left, at_right = (sign * (values - levels[:, None]) for values in (self.values[:-1], self.values[1:]))
        crossed: BoolArray = at_left * at_right < 0
        middle = np.where(np.maximum(at_left, at_right) > 0, np.where(rises, left, right), np.where(rises, right, left))
        level_of = np.broadcast_to(levels[:, None], crossed.shape)[crossed]
        middle[crossed] = _roots(
            lambda positions, level: self.question.curve(positions) - level, left[crossed], right[crossed], level_of
        )
        begin, end = np.where(rises, middle, left), np.where(rises, right, middle)
        masses = self.question.noise.mass(
            (begin - places[:, None]) * self.question.noise.scale, (end - places[:, None]) * self.question.noise.scale
        )
        return np.asarray(masses.sum(axis=1))


def _roots(function: _Function, low: FloatArray, high: FloatArray, *arguments: FloatArray | IntArray) -> FloatArray:
    """Zeros of a function between pairs of points, at which its signs differ."""
    from scipy.optimize.elementwise import find_root  # slow to import

    if not len(low):
        return np.empty(0)
    found = find_root(function, (low, high), args=arguments, tolerances={"xatol": _PRECISION, "xrtol": _PRECISION})
    if not np.all(found.success):
        raise errors.ConvergenceError("a level of the odds was not found; take a less extreme probability")
    return np.asarray(found.x)
