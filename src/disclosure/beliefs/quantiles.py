"""Quantiles of the posterior-to-prior ratio: factors that it exceeds, or stays below, with a stated probability only.

Let p be the target's prior probability of inclusion, and g the mixture of `inclusion`. The ratio R = 1 / (p + (1 - p) g) falls
in g. So

    P(R > r) = P(log g < lambda),    P(R < r) = P(log g > lambda),    r = 1 / (p + (1 - p) e^lambda),

and a quantile of R follows from a level lambda of log g. The set {log g < lambda} is convex. In one dimension it is an
interval: among the intervals with the wanted mass the one is found that has the same log g at both ends. In more dimensions
`gaussian_measure` has the mass of the set, and the level at which that is the stated probability is found by bracketing.
"""

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_expit, ndtri, ndtri_exp

from disclosure.beliefs.regions import as_gaps
from disclosure.gaussian_measure import line, select
from disclosure.gaussian_measure.sampling import DEFAULT, Sampling
from disclosure.numerics import checks, errors
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.ordered_sums import one_by_one
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["RatioQuantiles", "exceeding_probability", "ratio_quantiles"]

# Natural logarithm: e^-745 is about the smallest float. A log density ratio beyond it has no effect on g.
_LOG_LEAST = 745.0
# A level that log g does not reach for any noise in floating point.
_NEVER = 1e6
# Absolute error of a level in one dimension: e^level, and R with it, has no more digits.
_PRECISION = 1e-15
# Largest |w| of an interval of `_Intervals`: a share e^-800 of a mass is below the smallest float.
_FARTHEST = 800.0
# Absolute error of a level in two dimensions, where masses have a relative error of 1e-9, and in more, where they have 1e-3.
_PRECISION_IN_PLANE, _PRECISION_IN_SPACE = 1e-11, 1e-6
# First step of the search for a bracket in more than one dimension, in standard deviations of log g, and the least in units of
# log g. They have no effect on the error; a step must only not be 0.
_FIRST_STEP, _LEAST_STEP = 0.1, 1e-2
# The least and the largest mass of which a normal quantile is finite.
_LEAST_MASS, _MOST_MASS = 5e-324, 1 - 2.0**-53


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
    gaps : array_like, shape (..., p, q) or (p,)
        Standardised gaps; a vector is of p gaps in one dimension. Without neighbours (p = 0) the ratio is 1.
    probability : float
        Of exceeding each, in (0, 1).
    weights : array_like, shape (..., p), optional
        Prior over the neighbours given that the target is not included: positive, summing to 1 over p. Uniform by default.
    prior : float, optional
        The target's prior probability p, in [0, 1], 0 in an infinite population; 1 / (p + 1) with p neighbours by default.
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
    gaps = as_gaps(gaps)
    probability = checks.number("probability", probability, "(0, 1)")
    sampling = Sampling.checked(lines, seed)
    shape, neighbours = gaps.shape[:-2], gaps.shape[-2]
    weights = np.broadcast_to(checks.distribution("weights", weights, neighbours), gaps.shape[:-1])
    prior = checks.number("prior", 1 / (neighbours + 1) if prior is None else prior, "[0, 1]")
    datasets = math.prod(shape)
    levels = _levels(
        gaps.reshape(datasets, *gaps.shape[-2:]), weights.reshape(datasets, neighbours), probability, sampling
    )
    with np.errstate(over="ignore", divide="ignore"):
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
        The target's prior probability, in [0, 1]; 1 / (p + 1) with p neighbours by default.
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
    prior = checks.within("prior", 1 / (neighbours + 1) if prior is None else prior, "[0, 1]")
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

    Slopes are those of `line.log_ratios`, and logs the logarithms of the weights less its offsets.
    """

    slopes: FloatArray
    logs: FloatArray

    def log_mixture(self, noise: FloatArray, rows: IntArray) -> tuple[FloatArray, FloatArray]:
        """Log g and its slope, for n of the datasets, each at its own value of the noise; shape (n,)."""
        # Two columns at least: numpy adds up a single one in another order.
        several = np.resize(rows, max(2, len(rows)))
        slopes, terms = self.slopes[:, several], self.logs[:, several]
        terms -= slopes * np.resize(noise, len(several))
        largest = terms.max(axis=0)
        terms = np.exp(terms - largest)
        total = terms.sum(axis=0)
        value, slope = largest + np.log(total), -(terms * slopes).sum(axis=0) / total
        return value[: len(rows)], slope[: len(rows)]


class _Intervals(NamedTuple):
    """The intervals of noise, of k datasets, outside of which a stated mass lies.

    They are numbered by w: of the mass outside, the share 1 / (1 + e^-w) lies left of the interval, and the rest right of it.

    Attributes
    ----------
    mixtures : _Line
    log_outside : ndarray, shape (k,)
        Logarithm of the mass outside.
    """

    mixtures: _Line
    log_outside: FloatArray

    def rise(self, w: FloatArray, rows: IntArray) -> tuple[FloatArray, FloatArray]:
        """By how much log g is larger at the right end than at the left one, and the larger of the two, for some datasets.

        The first has the sign of w - w*, where w* is the interval with the same log g at both ends. On an interval on which
        log g only rises, or only falls, a slope stands in for a difference that rounding has taken away.
        """
        outside = self.log_outside[rows]
        left, right = ndtri_exp(outside + log_expit(w)), -ndtri_exp(outside + log_expit(-w))
        value, slope = self.mixtures.log_mixture(np.concatenate([left, right]), np.tile(rows, 2))
        (at_left, at_right), (begin, end) = value.reshape(2, -1), slope.reshape(2, -1)
        rise = at_right - at_left
        rise = np.where(begin > 0, np.maximum(rise, begin), np.where(end < 0, np.minimum(rise, end), rise))
        return rise, np.maximum(at_left, at_right)

    def levels(self) -> FloatArray:
        """The levels that log g has at both ends of an interval, shape (k,)."""
        from scipy.optimize.elementwise import find_root  # takes long to import

        def rise(w: FloatArray, rows: IntArray) -> FloatArray:
            return self.rise(w, rows)[0]

        rows = np.arange(len(self.log_outside))
        (below, levels), (above, highest) = (
            self.rise(np.full(len(rows), end), rows) for end in (-_FARTHEST, _FARTHEST)
        )
        # Without a root the interval is a half-line: of the mass outside nothing lies to the left, or nothing to the right.
        levels = np.where(above <= 0, highest, levels)
        inside = np.flatnonzero((below < 0) & (above > 0))
        if inside.size:
            found = find_root(
                rise,
                (np.full(inside.size, -_FARTHEST), np.full(inside.size, _FARTHEST)),
                args=(inside,),
                tolerances={"fatol": _PRECISION, "xatol": _PRECISION, "xrtol": _PRECISION},
            )
            if not np.all(found.success):
                raise errors.ConvergenceError("a quantile of the ratio was not found; take a less extreme probability")
            levels[inside] = self.rise(found.x, inside)[1]
        return levels


def _levels_on_a_line(gaps: FloatArray, weights: FloatArray, probability: float) -> FloatArray:
    """`_levels` of datasets in one dimension.

    log g is convex: {log g <= level} is an interval, with the level at both ends. Outside of it lies the probability, for the
    level that log g exceeds, or all but the probability.
    """
    slopes, offsets = line.log_ratios(gaps)
    with np.errstate(divide="ignore"):
        constant = np.log(one_by_one(weights * np.exp(-offsets.T)))  # log g where it does not vary
    levels = np.tile(constant, (2, 1))
    varying = np.flatnonzero((slopes != 0).any(axis=0))
    if len(varying):
        twice = np.tile(varying, 2)
        mixtures = _Line(slopes[:, twice], np.log(weights.T[:, twice]) - offsets[:, twice])
        log_outside = np.repeat([np.log(probability), np.log1p(-probability)], len(varying))
        levels[:, varying] = _Intervals(mixtures, log_outside).levels().reshape(2, -1)
    return levels


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
    """The level, to an absolute precision, at which a mass is the probability; it rises (sign 1) or falls (-1) in the level."""
    from scipy.optimize import brentq  # takes long to import

    wanted = float(ndtri(probability))

    @functools.cache  # the search for a bracket and that for the root evaluate at the same levels
    def excess(level: float) -> float:
        # The masses of half spaces: as a normal quantile a mass is nearly linear in the level, and few steps are needed.
        return sign * (float(ndtri(np.clip(mass(level), _LEAST_MASS, _MOST_MASS))) - wanted)

    # A bracket with one end at the start; the other moves in steps that double in length. SciPy's `bracket_root` moves both
    # ends, and an evaluation takes milliseconds.
    end, at_start = start, excess(start)
    step = -math.copysign(step, at_start)
    while at_start and step * excess(end) < 0:
        end, step = end + step, 2 * step
    return float(brentq(excess, min(start, end), max(start, end), xtol=precision)) if at_start else start
