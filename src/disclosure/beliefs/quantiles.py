"""Quantiles of the posterior-to-prior ratio: factors that it exceeds, or stays below, with a stated probability only.

Let p be the target's prior probability of inclusion, and g the mixture of `inclusion`. The ratio R = 1 / (p + (1 - p) g) falls
in g. So

    P(R > r) = P(log g < lambda),    P(R < r) = P(log g > lambda),    r = 1 / (p + (1 - p) e^lambda),

and a quantile of R follows from a level lambda of log g. The mass of {log g < lambda}, a convex set, is known exactly: in one
dimension it is that of an interval, in more dimensions `gaussian_measure` has it. The level at which the mass is the stated
probability is found by bracketing.
"""

import functools
import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from disclosure.beliefs.regions import as_gaps
from disclosure.gaussian_measure import crossings, line, select
from disclosure.gaussian_measure.sampling import DEFAULT, Sampling
from disclosure.numerics import checks, errors
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.normal import interval_mass
from disclosure.numerics.ordered_sums import one_by_one
from disclosure.numerics.types import BoolArray, FloatArray, IntArray

__all__ = ["RatioQuantiles", "exceeding_probability", "ratio_quantiles"]

# Natural logarithm: e^-745 is about the smallest float. A log density ratio beyond it has no effect on g.
_LOG_LEAST = 745.0
# A level that log g does not reach for any noise in floating point.
_NEVER = 1e6
# Absolute and relative error of a level in one dimension: e^level, and R with it, has no more digits.
_PRECISION = 1e-15
# Absolute error of a level in two dimensions, where masses have a relative error of 1e-9, and in more, where they have 1e-3.
_PRECISION_IN_PLANE, _PRECISION_IN_SPACE = 1e-11, 1e-6
# Least first step of the search for a bracket, in units of log g, and in more than one dimension the first step in standard
# deviations of log g. They have no effect on the error; a step must only not be 0.
_LEAST_STEP, _FIRST_STEP = 1e-2, 0.1
# The least and the largest mass of which a normal quantile is finite.
_LEAST_MASS, _MOST_MASS = 5e-324, 1 - 2.0**-53

# From levels of log g, and the numbers of the datasets that they belong to, to the masses of those datasets.
_Mass: TypeAlias = Callable[[FloatArray, IntArray], FloatArray]


class RatioQuantiles(NamedTuple):
    """Factors between which the ratio stays, but for a stated probability on either side."""

    lower: FloatArray
    upper: FloatArray


def ratio_quantiles(
    gaps: ArrayLike,
    probability: float,
    weights: ArrayLike | None = None,
    prior: float | None = None,
    lines: int = DEFAULT.lines,
    seed: int = DEFAULT.seed,
) -> RatioQuantiles:
    """Quantiles of the posterior-to-prior ratio of inclusion belief.

    Except with ``probability`` the target's belief does not rise by more than the factor ``upper``; except with ``probability``
    it does not fall below the factor ``lower``.

    Parameters
    ----------
    gaps : array_like, shape (p, q) or (..., p, q)
        Standardised gaps; a vector of p gaps in one dimension may be given as it is. Without neighbours (p = 0) the ratio is 1.
    probability : float
        Of exceeding each, in (0, 1).
    weights : array_like, shape (..., p), optional
        Prior over the neighbours given that the target is not included: positive, summing to 1 over p. Uniform by default.
    prior : float, optional
        The target's prior probability p, in (0, 1]; 1 / (p + 1) with p neighbours by default.
    lines, seed : int, optional
        As in `regions.union_mass`, for gaps that span three dimensions or more.

    Returns
    -------
    RatioQuantiles
        Arrays of shape (...). ``upper`` is the smallest r with P(R > r) <= ``probability``, ``lower`` the largest r with
        P(R < r) <= ``probability``. Where the gaps span one dimension they are exact up to rounding, about 1e-13 of them. In
        two dimensions and more the probability at them is off by the error of `inclusion.failure_probability`: 1e-9 of it in
        two dimensions, 0.2% to 1.2% in more with the default number of lines.

    Raises
    ------
    DomainError
        Outside these ranges.

    Examples
    --------
    >>> lower, upper = ratio_quantiles([[0.5], [-0.25]], 0.001)
    >>> round(float(lower), 4), round(float(upper), 4)
    (0.5371, 1.0809)
    """
    gaps = checks.within("gaps", gaps, "[-inf, inf]")
    gaps = as_gaps(gaps[:, None] if gaps.ndim == 1 else gaps)
    probability = checks.number("probability", probability, "(0, 1)")
    sampling = Sampling.checked(lines, seed)
    shape, neighbours = gaps.shape[:-2], gaps.shape[-2]
    weights = np.broadcast_to(checks.distribution("weights", weights, neighbours), gaps.shape[:-1])
    prior = checks.number("prior", 1 / (neighbours + 1) if prior is None else prior, "(0, 1]")
    datasets = math.prod(shape)
    levels = _levels(
        gaps.reshape(datasets, *gaps.shape[-2:]), weights.reshape(datasets, neighbours), probability, sampling
    )
    with np.errstate(over="ignore"):
        ratios = 1 / (prior + (1 - prior) * np.exp(levels)) if prior < 1 else np.ones((2, datasets))
    return RatioQuantiles(ratios[0].reshape(shape), ratios[1].reshape(shape))


def exceeding_probability(
    gaps: ArrayLike,
    ratio: float,
    weights: ArrayLike | None = None,
    prior: ArrayLike | None = None,
    lines: int = DEFAULT.lines,
    seed: int = DEFAULT.seed,
) -> Estimate[FloatArray]:
    """Probability that the posterior-to-prior ratio of inclusion exceeds a stated ratio, P(R > r).

    Parameters
    ----------
    gaps : array_like, shape (..., p, q)
        Standardised.
    ratio : float
        r, in (1, inf).
    weights : array_like, shape (..., p), optional
        As in `ratio_quantiles`.
    prior : array_like, shape (...), optional
        The target's prior probability, in (0, 1]; 1 / (p + 1) with p neighbours by default.
    lines, seed : int, optional
        As in `regions.union_mass`, for gaps that span three dimensions or more.

    Returns
    -------
    Estimate
        Arrays of shape (...), as accurate as `inclusion.failure_probability`. It is 0 where ``ratio`` times the prior is 1 or
        more, since no posterior exceeds 1.

    Examples
    --------
    >>> float(exceeding_probability([[0.5], [-0.25]], 1.08).value)
    0.0850...
    """
    gaps, ratio = as_gaps(gaps), checks.number("ratio", ratio, "(1, inf)")
    shape, neighbours = gaps.shape[:-2], gaps.shape[-2]
    weights = np.broadcast_to(checks.distribution("weights", weights, neighbours), gaps.shape[:-1])
    prior = checks.within("prior", 1 / (neighbours + 1) if prior is None else prior, "(0, 1]")
    priors = np.broadcast_to(prior, shape).ravel()
    datasets, shares = gaps.reshape(len(priors), *gaps.shape[-2:]), weights.reshape(len(priors), neighbours)
    value, error = np.zeros(len(priors)), np.zeros(len(priors))
    sampling = Sampling.checked(lines, seed)
    for own in np.unique(priors[ratio * priors < 1]).tolist():
        level, rows = math.log1p((1 / ratio - 1) / (1 - own)), np.flatnonzero(priors == own)
        found = select.mass_outside_levels(datasets[rows], shares[rows], level, _NEVER, sampling)
        value[rows], error[rows] = found
    return Estimate(value.reshape(shape), error.reshape(shape))


def _levels(gaps: FloatArray, weights: FloatArray, probability: float, sampling: Sampling) -> FloatArray:
    """Levels that log g of k datasets exceeds, and levels that it stays below, with ``probability``; shape (2, k)."""
    levels = np.zeros((2, len(gaps)))
    if not gaps.shape[1]:
        return levels
    for group, part in select.by_rank(gaps, _LOG_LEAST):
        rows = np.arange(len(gaps))[group]
        if part.shape[-1] == 1:
            for block in line.blocks(part):
                levels[:, rows[block]] = _levels_on_a_line(part[block], weights[rows[block]], probability)
        else:
            for row, dataset in zip(rows.tolist(), part, strict=True):
                levels[:, row] = _levels_in_space(dataset, weights[row], probability, sampling)
    return levels


class _Line(NamedTuple):
    """The mixtures g of k datasets in one dimension of noise, none of them constant; arrays of shape (p, k).

    Slopes and offsets are those of `line.log_ratios`.
    """

    slopes: FloatArray
    offsets: FloatArray
    weights: FloatArray

    def log_mixture(self, noise: float) -> FloatArray:
        """Log g of each dataset at one value z of the noise, shape (k,)."""
        return np.asarray(np.logaddexp.reduce(np.log(self.weights) - self.offsets - self.slopes * noise, axis=0))

    def above(self, levels: FloatArray, rows: IntArray) -> FloatArray:
        """P(log g > level) for some of the datasets, each with its own level."""
        left, right = self._interval(levels, rows)
        return np.where(left < right, interval_mass(-np.inf, left) + interval_mass(right, np.inf), 1.0)

    def below(self, levels: FloatArray, rows: IntArray) -> FloatArray:
        """P(log g <= level) for some of the datasets, each with its own level."""
        return interval_mass(*self._interval(levels, rows))

    def _interval(self, levels: FloatArray, rows: IntArray) -> tuple[FloatArray, FloatArray]:
        """Ends of the intervals {log g <= level}, each with its own level.

        `crossings` takes one level for all, so it gets the level 0, and each dataset's own level is added to its offsets.
        """
        with np.errstate(over="ignore"):  # where a level is far below that of constant terms
            offsets = self.offsets[:, rows] + levels
            return crossings.sublevel(self.slopes[:, rows], offsets, self.weights[:, rows], 0.0, closed=True)


def _levels_on_a_line(gaps: FloatArray, weights: FloatArray, probability: float) -> FloatArray:
    """`_levels` of datasets in one dimension."""
    slopes, offsets = line.log_ratios(gaps)
    with np.errstate(divide="ignore"):
        constant = np.log(one_by_one(weights * np.exp(-offsets.T)))  # log g where it does not vary
    levels, weights = np.tile(constant, (2, 1)), weights.T
    varying = np.flatnonzero((slopes != 0).any(axis=0))
    if not len(varying):
        return levels
    mixtures = _Line(slopes[:, varying], offsets[:, varying], weights[:, varying])
    # Between the points -far and far the convex log g is at most ``start``, the larger of its two values there. So P(log g >
    # start) is about the mass outside the two points, and P(log g <= start) about the mass between them: each is the
    # probability.
    searches: tuple[tuple[_Mass, float, float], ...] = (
        (mixtures.above, -1.0, float(-ndtri(probability / 2))),
        (mixtures.below, 1.0, float(ndtri((1 + probability) / 2))),
    )
    for place, (mass, sign, far) in enumerate(searches):
        start = np.maximum(mixtures.log_mixture(far), mixtures.log_mixture(-far))
        step = np.maximum(start - mixtures.log_mixture(0.0), _LEAST_STEP)
        levels[place, varying] = _roots(mass, probability, sign, start, step)
    return levels


def _roots(mass: _Mass, probability: float, sign: float, start: FloatArray, step: FloatArray) -> FloatArray:
    """Levels at which a mass, rising (sign 1) or falling (-1) in the level, is the probability; shape (k,).

    The search begins at ``start``, and with steps of length ``step``, both of shape (k,).
    """
    from scipy.optimize.elementwise import find_root  # takes long to import

    rows = np.arange(len(start))

    def excess(levels: FloatArray, rows: IntArray) -> FloatArray:
        return _excess(mass(levels, rows), probability, sign)

    ends = _bracket(lambda levels: excess(levels, rows), start, step)
    found = find_root(excess, ends, args=(rows,), tolerances={"xatol": _PRECISION, "xrtol": _PRECISION})
    if not np.all(found.success):
        raise errors.ConvergenceError("a quantile of the ratio was not found; take a less extreme probability")
    return np.asarray(found.x)


def _excess(mass: FloatArray, probability: float, sign: float) -> FloatArray:
    """A function of the mass that is 0 where it is the probability, in [-1, 1], and rises in the level.

    Near 0 it is half of log(mass / probability), up to the sign: small probabilities are met to a relative precision.
    """
    return np.asarray(sign * (mass - probability) / (mass + probability))


def _bracket(
    excess: Callable[[FloatArray], FloatArray], start: FloatArray, step: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Brackets of the zeros of increasing functions: levels at which they are at most 0, and levels at which at least 0.

    It is written by hand, since one end of a bracket can stay at the start, where the sign is known. SciPy's `bracket_root`
    evaluates at both ends in every step, and an evaluation in two dimensions and more takes milliseconds.
    """
    at_start = excess(start)
    low, high = (_end(excess, start, side * step, side * at_start < 0) for side in (-1.0, 1.0))
    return low, high


def _end(
    excess: Callable[[FloatArray], FloatArray], start: FloatArray, step: FloatArray, going: BoolArray
) -> FloatArray:
    """The start, moved where ``going`` by steps that double in length, until the function has the sign of the step or is 0."""
    end = start.copy()
    while going.any():
        end = np.where(going, end + step, end)
        step = np.where(going, 2 * step, step)
        going = np.sign(step) * excess(end) < 0
    return end


def _levels_in_space(
    gaps: FloatArray, weights: FloatArray, probability: float, sampling: Sampling
) -> tuple[float, float]:
    """`_levels` of one dataset whose gaps span two dimensions or more, (inf, 0, ..., 0) where they are infinite."""
    method = select.measure(gaps.shape[1])

    def outside(low: float, high: float) -> float:
        try:
            return float(method.mass_outside_levels(gaps[None], weights[None], low, high, sampling).value[0])
        except ArithmeticError:
            if low == -np.inf:
                raise
            # `interior` could not tell whether the low set is empty: the level is within 1e-12 of the least log g. It counts as
            # empty.
            return outside(-np.inf, high)

    # `mass_outside_levels` takes low levels of at most 0 and high ones of at least 0. On the other side of 0 the complement is
    # taken: its mass is not small there, and no digits are lost.
    def above(level: float) -> float:
        return outside(-np.inf, level) if level >= 0 else 1 - outside(level, _NEVER)

    def below(level: float) -> float:
        return outside(level, _NEVER) if level <= 0 else 1 - outside(-np.inf, level)

    precision = _PRECISION_IN_PLANE if gaps.shape[1] == 2 else _PRECISION_IN_SPACE
    starts, step = _starts_in_space(gaps, weights, probability)
    return (
        _root(above, probability, -1.0, starts[0], step, precision),
        _root(below, probability, 1.0, starts[1], step, precision),
    )


def _starts_in_space(gaps: FloatArray, weights: FloatArray, probability: float) -> tuple[tuple[float, float], float]:
    """Where the searches for the upper and the lower level of log g start, and the length of their first step.

    The mean of -L_j over the neighbours is normal, and near log g where the gaps are small. It is never above log g.
    """
    finite = np.isfinite(gaps).all(axis=1)
    share = weights[finite].sum()
    if not share:
        return (0.0, 0.0), 1.0
    shares, near = weights[finite] / share, gaps[finite]
    centre = math.log(share) - float(shares @ (near**2).sum(axis=1)) / 2
    deviation = float(np.linalg.norm(shares @ near))
    reach = -float(ndtri(probability)) * deviation
    return (centre + reach, centre - reach), max(_FIRST_STEP * deviation, _LEAST_STEP)


def _root(
    mass: Callable[[float], float], probability: float, sign: float, start: float, step: float, precision: float
) -> float:
    """The level of `_roots` for a single dataset; ``precision`` is absolute."""
    from scipy.optimize import brentq  # takes long to import

    wanted = float(ndtri(probability))

    @functools.cache  # the search for a bracket and that for the root evaluate at the same levels
    def excess(level: float) -> float:
        # The masses of half spaces: as a normal quantile a mass is nearly linear in the level, and few steps are needed.
        return sign * (float(ndtri(np.clip(mass(level), _LEAST_MASS, _MOST_MASS))) - wanted)

    ends = _bracket(np.vectorize(excess, otypes=[float]), np.array([start]), np.array([step]))
    low, high = (float(end[0]) for end in ends)
    return float(brentq(excess, low, high, xtol=precision)) if low < high else low
