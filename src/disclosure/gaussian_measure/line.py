"""One dimension: masses of intervals, exact up to rounding however small they are.

Every good region {|z c + c^2 / 2| <= epsilon} is an interval, and so is the intersection of all. The mass outside of it is the
sum of two normal tails. The mixture g of `terms` is too large or too small in at most three intervals, whose ends `crossings`
finds.
"""

import numpy as np
from scipy.special import ndtr, ndtri

from disclosure.gaussian_measure import crossings, terms
from disclosure.gaussian_measure.sampling import DEFAULT, Sampling
from disclosure.numerics import normal
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.types import BoolArray, FloatArray, IntArray

__all__ = ["blocks", "intervals_outside_levels", "log_ratios", "mass_outside_levels", "mass_outside_strips"]

# Relative error that rounding may leave in a normal tail, that of its argument included.
_ROUNDING_OF_A_TAIL = 1e-12
# Standard deviations of the noise. Longer gaps count as infinite: their term of the mixture is 0 wherever the noise can be.
_INFINITE_GAP = 1e100
# Gaps of one block of work: its temporaries fit into a processor's cache, and memory stays bounded.
_BLOCK = 1 << 15
# Share of a mass. Where the bound on what rounding does to the mass is above this share, the masses at levels moved by the
# rounding take the bound's place.
_LOOSE = 1e-9
# Of a bound on log g, for its rounding.
_MARGIN = 1e-9


def mass_outside_strips(gaps: FloatArray, epsilon: float, sampling: Sampling = DEFAULT) -> Estimate[FloatArray]:
    """Mass outside the intersection of the strips {|z c + c^2 / 2| <= epsilon}.

    Parameters
    ----------
    gaps : ndarray, shape (k, p, 1)
        Standardised; infinities are allowed.
    epsilon : float
        Above 0.
    sampling : Sampling, optional
        Not needed.

    Returns
    -------
    Estimate
        Of shape (k,).
    """
    value = np.empty(len(gaps))
    for rows in blocks(gaps):
        part = np.ascontiguousarray(gaps[rows, :, 0].T)
        with np.errstate(divide="ignore", over="ignore"):
            half_width = epsilon / np.abs(part)
        middle = -part / 2
        lower = (middle - half_width).max(axis=0, initial=-np.inf)
        upper = (middle + half_width).min(axis=0, initial=np.inf)
        value[rows] = np.where(lower < upper, ndtr(lower) + ndtr(-upper), 1.0)
    return Estimate(value, _ROUNDING_OF_A_TAIL * value)


def mass_outside_levels(
    gaps: FloatArray, weights: FloatArray, low: float, high: float, sampling: Sampling = DEFAULT
) -> Estimate[FloatArray]:
    """Mass where log g is below ``low`` or above ``high``.

    Rounding moves the ends of the intervals, and what that does to the mass is part of the stated error. For nearly all ends it
    is negligible or has a simple bound. There is no bound where log g hardly falls below a level, or hardly reaches it. There
    the levels are moved up and down by the rounding, and the change of the mass is the error; an interval that rounding alone
    may have opened is not counted (docs/method.md, "log g is convex").

    Parameters
    ----------
    gaps : ndarray, shape (k, p, 1)
        Standardised; infinities are allowed. At least one neighbour.
    weights : ndarray, shape (k, p) or (1, p)
        Positive, each row summing to 1.
    low, high : float
        low <= 0 <= high.
    sampling : Sampling, optional
        Of it ``negligible``: the normal tail that may be left out on either side.

    Returns
    -------
    Estimate
        Of shape (k,).

    Raises
    ------
    disclosure.numerics.errors.ConvergenceError
        If Newton's method has not converged.
    """
    value, passed, doubt = _masses(gaps, weights, low, high, float(-ndtri(sampling.negligible)))
    error = terms.rounding(gaps.shape[1]) * value
    vague = np.flatnonzero(passed > np.maximum(_LOOSE * value, sampling.negligible))
    if vague.size:
        value[vague], passed[vague] = _vague_masses(gaps[vague], _of(weights, vague), low, high, doubt[vague])
        error[vague] = terms.rounding(gaps.shape[1]) * value[vague]
    # All that is left out lies beyond the two negligible tails.
    return Estimate(value, error + passed + 2 * sampling.negligible)


def intervals_outside_levels(gaps: FloatArray, weights: FloatArray, low: float, high: float) -> FloatArray:
    """The three intervals of noise, from left to right, in which log g is above ``high``, below ``low``, and above ``high``.

    Parameters
    ----------
    gaps, weights, low, high
        As in `mass_outside_levels`.

    Returns
    -------
    ndarray, shape (k, 3, 2)
        ``(inf, -inf)`` stands for an empty interval.
    """
    intervals = np.empty((len(gaps), 3, 2))
    for rows in blocks(gaps):
        below, kept = _sublevels(gaps[rows], _of(weights, rows), low, high)
        left_bounded, right_bounded = kept.left > -np.inf, kept.right < np.inf
        intervals[rows, 0] = _where(left_bounded, -np.inf, kept.left)
        intervals[rows, 1] = np.column_stack([below.left, below.right])
        intervals[rows, 2] = _where(right_bounded, kept.right, np.inf)
    return intervals


def blocks(gaps: FloatArray) -> list[slice]:
    """The blocks of work, rows of datasets, that gaps of shape (k, p, 1) are cut into."""
    step = max(1, _BLOCK // max(1, gaps.shape[1]))
    return [slice(start, start + step) for start in range(0, len(gaps), step)]


def log_ratios(gaps: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Slope and offset in z of each log density ratio, z c + c^2 / 2.

    Parameters
    ----------
    gaps : ndarray, shape (k, p, 1)
        Standardised. Gaps below `terms.NO_GAP` count as 0, those above 1e100 as infinite: their term of the mixture is 0
        wherever the noise can be.

    Returns
    -------
    slopes, offsets : ndarray, shape (p, k)
        c and c^2 / 2; 0 and inf for an infinite gap.
    """
    columns = np.ascontiguousarray(gaps[..., 0].T)
    size = np.abs(columns)
    if size.min(initial=np.inf) >= terms.NO_GAP and size.max(initial=0.0) <= _INFINITE_GAP:
        return columns, columns**2 / 2
    slopes = np.where((size < terms.NO_GAP) | (size > _INFINITE_GAP), 0.0, columns)
    return slopes, np.where(size > _INFINITE_GAP, np.inf, slopes**2 / 2)


def _masses(
    gaps: FloatArray, weights: FloatArray, low: float, high: float, reach: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Masses, bounds on what rounding does to them by moving ends, and the rounding of log g at ends that are not sharp.

    Each has the shape (k,); the last two are ``passed`` and ``doubt`` of `crossings.Sublevel`.
    """
    value, passed, doubt = np.empty(len(gaps)), np.empty(len(gaps)), np.empty(len(gaps))
    for rows in blocks(gaps):
        below, kept = _sublevels(gaps[rows], _of(weights, rows), low, high, reach)
        value[rows], passed[rows] = _mass(below.left, below.right, kept), below.passed + kept.passed
        doubt[rows] = np.maximum(below.doubt, kept.doubt)
    return value, passed, doubt


def _vague_masses(
    gaps: FloatArray, weights: FloatArray, low: float, high: float, doubt: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Masses without the intervals that rounding may have opened, and the largest change when both levels move by ``doubt``.

    ``doubt``, shape (k,), is a bound on the rounding of log g.
    """
    value, passed = np.empty(len(gaps)), np.empty(len(gaps))
    for rows in blocks(gaps):
        part, shift = (gaps[rows], _of(weights, rows)), doubt[rows]
        below, kept = _sublevels(*part, low, high)
        # With the levels apart by 2 shifts more, and less: the least and the largest mass.
        fewer, more = (_sublevels(*part, low - moved, np.maximum(high + moved, 0.0)) for moved in (shift, -shift))
        # A low set that is empty at the lower level may be one that rounding alone has opened.
        opened = fewer[0].left > fewer[0].right
        left, right = np.where(opened, np.inf, below.left), np.where(opened, -np.inf, below.right)
        value[rows] = _mass(left, right, kept)
        least, most = (_mass(inner.left, inner.right, outer) for inner, outer in (fewer, more))
        passed[rows] = np.maximum(most - value[rows], value[rows] - least)
    return value, passed


def _sublevels(
    gaps: FloatArray,
    weights: FloatArray,
    low: FloatArray | float,
    high: FloatArray | float,
    reach: float = np.inf,
) -> tuple[crossings.Sublevel, crossings.Sublevel]:
    """The intervals {log g < low} and {log g <= high} of each dataset.

    The second is never empty, since log g(0) <= 0 <= high; the high set is what lies to the left and to the right of it. Ends
    that lie farther from 0 than ``reach`` may be missing.
    """
    count = len(gaps)
    slopes, offsets = log_ratios(gaps)
    columns = np.ascontiguousarray(weights.T)
    low, high, needed = np.full(count, low), np.full(count, high), np.ones((2, 2 * count), dtype=bool)
    some = low > -np.inf
    if reach < np.inf:
        least, left, right = _bounds(slopes, offsets, columns, reach)
        some &= least < low
        needed[:, :count] = left > high, right > high
    # One search for both levels.
    lows = np.flatnonzero(some)
    twice = np.concatenate([np.arange(count), lows])
    terms_of = (
        slopes.take(twice, axis=1),
        offsets.take(twice, axis=1),
        columns if columns.shape[1] == 1 else columns[:, twice],
    )
    levels = np.concatenate([high, low[lows]])
    found = crossings.doubtful_sublevel(
        *terms_of, levels, np.arange(twice.size) < count, needed=tuple(needed[:, : twice.size])
    )
    below = crossings.Sublevel(*(np.full(count, end) for end in (np.inf, -np.inf, 0.0, 0.0)))
    for ends, of_all in zip(below, found, strict=True):
        ends[lows] = of_all[count:]
    return below, crossings.Sublevel(*(of_all[:count] for of_all in found))


def _bounds(
    slopes: FloatArray, offsets: FloatArray, weights: FloatArray, reach: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """A lower bound on log g within the reach of 0, and upper bounds on it at either end of the reach, each of shape (k,).

    The lower one is the tangent at 0. The upper ones are Hoeffding's: the second derivative of log g is the variance of slopes
    within a range of the length D, at most D^2 / 4.
    """
    densities = np.exp(-offsets)
    densities *= weights
    total = densities.sum(axis=0)
    densities *= slopes
    # Where all terms underflow at 0 the bounds are NaN or infinite, and nothing may be left out.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        value, fall = np.log(total), densities.sum(axis=0) / total * reach
        bend = (np.ptp(slopes, axis=0) * reach) ** 2 / 8
        least, left, right = (
            value - np.abs(fall) - _MARGIN,
            value + fall + bend + _MARGIN,
            value - fall + bend + _MARGIN,
        )
    sound = total > 0
    return np.where(sound, least, -np.inf), np.where(sound, left, np.inf), np.where(sound, right, np.inf)


def _mass(left: FloatArray, right: FloatArray, kept: crossings.Sublevel) -> FloatArray:
    """Mass of the low set, between two ends, and of the high set, outside the interval ``kept``, summed from left to right."""
    middle = np.zeros(len(left))
    some = np.flatnonzero(left < right)
    middle[some] = normal.mass_between(left[some], right[some])
    return np.minimum(ndtr(kept.left) + middle + ndtr(-kept.right), 1.0)


def _where(condition: BoolArray, lower: FloatArray | float, upper: FloatArray | float) -> FloatArray:
    """The intervals from lower to upper where a condition holds, and empty ones elsewhere."""
    return np.column_stack([np.where(condition, lower, np.inf), np.where(condition, upper, -np.inf)])


def _of(weights: FloatArray, rows: IntArray | slice) -> FloatArray:
    return weights if len(weights) == 1 else weights[rows]
