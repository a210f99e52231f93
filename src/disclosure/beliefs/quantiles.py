"""The factor that a belief in inclusion exceeds with a stated probability only.

With standardised gaps and the mixture g of `ratio`, the posterior-to-prior ratio R = 1 / (p + (1 - p) g) falls in g. So

    P(R > r) = P(log g < lambda),    P(R < r) = P(log g > lambda),    r = 1 / (p + (1 - p) e^lambda),

and the quantiles of R are those of log g. With log g convex, {log g < lambda} is a convex set and {log g <= lambda} as
well: in one dimension an interval, whose mass is a sum of tails, and whose level is found by bracketing.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from disclosure.beliefs.regions import as_gaps
from disclosure.gaussian_measure import crossings, select
from disclosure.gaussian_measure.sampling import DEFAULT, Sampling
from disclosure.numerics import checks
from disclosure.numerics.normal import interval_mass

__all__ = ["RatioQuantiles", "ratio_quantiles"]

# Gaps that no float of any consequence can tell from 0, and gaps that leave a term of g at 0 wherever the noise can be.
_NO_GAP, _INFINITE_GAP = 1e-100, 1e100
# Below e^-745 a term of g is 0 in floating point.
_LOG_LEAST = 745.0
# Level of log g that no noise in floating point reaches.
_NEVER = 1e6
# Precision of a level in one dimension, where a relative error of R of 1e-15 is that of floats; and the first step of its
# search.
_PRECISION, _LEAST_STEP = 1e-15, 1e-2
# Precision of a level in two dimensions, where masses are good to 1e-9, and in more, where they are good to 1e-3.
_PRECISION_IN_PLANE, _PRECISION_IN_SPACE = 1e-11, 1e-6
# Elements of one block of gaps: its temporaries fit into a processor's cache, and memory stays bounded.
_BLOCK = 1 << 14


class RatioQuantiles(NamedTuple):
    """Factors between which the ratio stays, but for a stated probability on either side."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]


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
        two dimensions and more the probability at them is off by the error of `ratio.failure_probability`: 1e-9 of it in two
        dimensions, 0.2% to 1.2% in more with the default number of lines.

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
    datasets = math.prod(shape)
    weights = np.broadcast_to(checks.distribution("weights", weights, neighbours), gaps.shape[:-1]).reshape(
        datasets, neighbours
    )
    prior = checks.number("prior", 1 / (neighbours + 1) if prior is None else prior, "(0, 1]")
    gaps = gaps.reshape(datasets, *gaps.shape[-2:])
    levels = np.zeros((2, datasets))
    for rows, part in select.by_rank(gaps, _LOG_LEAST) if neighbours else []:
        rows = np.arange(datasets)[rows]
        if part.shape[-1] == 1:
            step = max(1, _BLOCK // neighbours)
            for start in range(0, len(rows), step):
                block = slice(start, start + step)
                levels[:, rows[block]] = _levels_on_a_line(part[block, :, 0], weights[rows[block]], probability)
        else:
            for row, dataset in zip(rows, part, strict=True):
                levels[:, row] = _levels_in_space(dataset, weights[row], probability, sampling)
    with np.errstate(over="ignore"):
        lower, upper = (
            1 / (prior + (1 - prior) * np.exp(level)) if prior < 1 else np.ones(datasets) for level in levels
        )
    return RatioQuantiles(lower.reshape(shape), upper.reshape(shape))


def _levels_on_a_line(gaps, weights, probability):
    """Levels of log g of k datasets that it exceeds, and that it stays below, with the probability."""
    size = np.abs(gaps)
    slopes = np.where((size < _NO_GAP) | (size > _INFINITE_GAP), 0.0, gaps).T
    offsets = np.where(size.T > _INFINITE_GAP, np.inf, slopes**2 / 2)
    weights = weights.T
    with np.errstate(divide="ignore"):
        constants = np.log((weights * np.exp(-offsets)).sum(axis=0))
    levels = np.tile(constants, (2, 1))
    varying = np.flatnonzero((slopes != 0).any(axis=0))
    slopes, offsets, weights = slopes[:, varying], offsets[:, varying], weights[:, varying]

    def log_mixture(noise):
        return np.logaddexp.reduce(np.log(weights) - offsets - slopes * noise, axis=0)

    def interval(levels, rows):
        # The level moves into the offsets, so that every dataset may have its own.
        with np.errstate(over="ignore"):  # where a level is far below that of constant terms
            return crossings.sublevel(slopes[:, rows], offsets[:, rows] + levels, weights[:, rows], 0.0, closed=True)

    def above(levels, rows):
        left, right = interval(levels, rows)
        return np.where(left < right, interval_mass(-np.inf, left) + interval_mass(right, np.inf), 1.0)

    def below(levels, rows):
        return interval_mass(*interval(levels, rows))

    # Between two points and no farther out a convex function stays below the larger of its values there.
    for place, mass, sign, far in (
        (0, above, -1.0, -ndtri(probability / 2)),
        (1, below, 1.0, ndtri((1 + probability) / 2)),
    ):
        start = np.maximum(log_mixture(far), log_mixture(-far))
        step = np.maximum(start - log_mixture(0.0), _LEAST_STEP)
        levels[place, varying] = _roots(mass, probability, sign, start, step)
    return levels


def _roots(mass, probability, sign, start, step):
    """Levels around ``start`` at which a mass that rises (sign 1) or falls (-1) in the level is the probability."""
    from scipy.optimize.elementwise import find_root  # takes long to import

    rows = np.arange(len(start))

    def excess(levels, rows):
        value = mass(levels, rows)
        return sign * (value - probability) / (value + probability)

    if not len(rows):
        return start
    bracket = _bracket(lambda levels: excess(levels, rows), start, step)
    tolerances = {"xatol": _PRECISION, "xrtol": _PRECISION}
    return find_root(excess, bracket, args=(rows,), tolerances=tolerances).x


def _bracket(excess: Callable, start, step):
    """Levels at which an increasing function of levels is not above 0, and at which it is not below 0."""
    ends, at_start = [], excess(start)
    for side in (-1.0, 1.0):
        end, width, going = start.copy(), step.copy(), side * at_start < 0
        while going.any():
            end = np.where(going, end + side * width, end)
            width = np.where(going, 2 * width, width)
            going = side * excess(end) < 0
        ends.append(end)
    return ends


def _levels_in_space(gaps, weights, probability, sampling):
    """The same of one dataset whose gaps span two dimensions or more, (inf, 0, ..., 0) where they are infinite."""
    from scipy.optimize import brentq

    method = select.measure(gaps.shape[1])

    def outside(low, high):
        try:
            return method.mass_outside_levels(gaps[None], weights[None], low, high, sampling).value[0]
        except ArithmeticError:
            if low == -np.inf:
                raise
            # No point was found below a level that is at most 1e-12 above the least log g: the low set is as good as empty.
            return outside(-np.inf, high)

    # Where log g is above a level below 0 it is not in the low set, whose mass is not small then.
    def above(level):
        return outside(-np.inf, level) if level >= 0 else 1 - outside(level, _NEVER)

    def below(level):
        return outside(level, _NEVER) if level <= 0 else 1 - outside(-np.inf, level)

    levels = []
    for mass, sign in ((above, -1.0), (below, 1.0)):

        def excess(level, mass=mass, sign=sign):
            value = mass(float(level))
            return sign * (value - probability) / (value + probability)

        low, high = _bracket(np.vectorize(excess, otypes=[float]), np.zeros(1), np.ones(1))
        precision = _PRECISION_IN_PLANE if gaps.shape[1] == 2 else _PRECISION_IN_SPACE
        levels.append(brentq(excess, low[0], high[0], xtol=precision) if low[0] < high[0] else low[0])
    return levels
