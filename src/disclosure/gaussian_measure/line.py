"""One dimension: masses of intervals, exact up to rounding however small they are.

Every good region {|z c + c^2 / 2| <= epsilon} is an interval, and so is the intersection of all, which leaves two normal
tails. The sets in which the mixture g of `terms` is too large or too small are at most three intervals, whose ends
`crossings` finds.
"""

import numpy as np
from scipy.special import ndtr

from disclosure.gaussian_measure import crossings, terms
from disclosure.gaussian_measure.sampling import DEFAULT, Sampling
from disclosure.numerics import normal
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.types import BoolArray, FloatArray, IntArray

__all__ = ["blocks", "intervals_outside_levels", "log_ratios", "mass_outside_levels", "mass_outside_strips"]

# Relative error that rounding may leave in a normal tail, and in its argument.
_ROUNDING_OF_A_TAIL = 1e-12
# Larger gaps are infinite: their term of the mixture is 0 wherever the noise can be.
_INFINITE_GAP = 1e100
# Gaps of one block of work: its temporaries fit into a processor's cache, and memory stays bounded.
_BLOCK = 1 << 14
# Relative to a mass: a larger bound on what rounding does to it is replaced by a closer look.
_LOOSE = 1e-9


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
        part = gaps[rows, :, 0]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            half_width = np.where(part == 0, np.inf, epsilon / np.abs(part))
        lower = (-half_width - part / 2).max(axis=-1, initial=-np.inf)
        upper = (half_width - part / 2).min(axis=-1, initial=np.inf)
        value[rows] = np.where(lower < upper, ndtr(lower) + ndtr(-upper), 1.0)
    return Estimate(value, _ROUNDING_OF_A_TAIL * value)


def mass_outside_levels(
    gaps: FloatArray, weights: FloatArray, low: float, high: float, sampling: Sampling = DEFAULT
) -> Estimate[FloatArray]:
    """Mass where log g is below ``low`` or above ``high``.

    Rounding moves the ends of the intervals. What that does to the mass is part of the error, and for nearly all ends it is
    negligible or has a simple bound. It has none where log g hardly falls below the level, or hardly reaches it. There the
    masses at both levels moved by the rounding tell it, and what rounding alone may have opened is not counted.

    Parameters
    ----------
    gaps : ndarray, shape (k, p, 1)
        Standardised; infinities are allowed. At least one neighbour.
    weights : ndarray, shape (k, p) or (1, p)
        Positive, each row summing to 1.
    low, high : float
        low <= 0 <= high.
    sampling : Sampling, optional
        Not needed.

    Returns
    -------
    Estimate
        Of shape (k,).

    Raises
    ------
    disclosure.numerics.errors.ConvergenceError
        If Newton's method has not converged.
    """
    value, passed, doubt = _masses(gaps, weights, low, high)
    error = terms.rounding(gaps.shape[1]) * value
    vague = np.flatnonzero(passed > _LOOSE * value)
    # Powers of two, so that a dataset gets the same one whatever the others are.
    shifts = 2.0 ** np.ceil(np.log2(doubt[vague]))
    for shift in np.unique(shifts):
        rows = vague[shifts == shift]
        value[rows], passed[rows] = _vague_masses(gaps[rows], _of(weights, rows), low, high, shift)
        error[rows] = terms.rounding(gaps.shape[1]) * value[rows]
    return Estimate(value, error + passed)


def intervals_outside_levels(gaps: FloatArray, weights: FloatArray, low: float, high: float) -> FloatArray:
    """The intervals in which log g is above ``high``, below ``low``, and above ``high``, from left to right.

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
        Those that no float of any consequence can tell from 0 are 0. An infinite gap, or one as good as that, has a term of the
        mixture that is 0 wherever the noise can be.

    Returns
    -------
    slopes, offsets : ndarray, shape (p, k)
        0 and inf for an infinite gap.
    """
    columns = np.ascontiguousarray(gaps[..., 0].T)
    size = np.abs(columns)
    slopes = np.where((size < terms.NO_GAP) | (size > _INFINITE_GAP), 0.0, columns)
    return slopes, np.where(size > _INFINITE_GAP, np.inf, slopes**2 / 2)


def _masses(
    gaps: FloatArray, weights: FloatArray, low: float, high: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Masses, bounds on what rounding does to them by moving ends, and what it may do to log g where that matters."""
    value, passed, doubt = np.empty(len(gaps)), np.empty(len(gaps)), np.empty(len(gaps))
    for rows in blocks(gaps):
        below, kept = _sublevels(gaps[rows], _of(weights, rows), low, high)
        value[rows], passed[rows] = _mass(below.left, below.right, kept), below.passed + kept.passed
        doubt[rows] = np.maximum(below.doubt, kept.doubt)
    return value, passed, doubt


def _vague_masses(
    gaps: FloatArray, weights: FloatArray, low: float, high: float, shift: float
) -> tuple[FloatArray, FloatArray]:
    """Masses without intervals that rounding by ``shift`` may have opened, and how far they are from those at moved levels."""
    value, passed = np.empty(len(gaps)), np.empty(len(gaps))
    for rows in blocks(gaps):
        part = gaps[rows], _of(weights, rows)
        below, kept = _sublevels(*part, low, high)
        fewer, more = (_sublevels(*part, low - sign * shift, max(high + sign * shift, 0.0)) for sign in (1, -1))
        # An interval that shrinks to a point is empty.
        opened = fewer[0].left > fewer[0].right
        left, right = np.where(opened, np.inf, below.left), np.where(opened, -np.inf, below.right)
        value[rows] = _mass(left, right, kept)
        least, most = (_mass(inner.left, inner.right, outer) for inner, outer in (fewer, more))
        passed[rows] = np.maximum(most - value[rows], value[rows] - least)
    return value, passed


def _sublevels(
    gaps: FloatArray, weights: FloatArray, low: float, high: float
) -> tuple[crossings.Sublevel, crossings.Sublevel]:
    """The intervals {log g < low} and {log g <= high}.

    log g(0) <= 0 <= high, so the second one is never empty, and the high set lies on both sides of it.
    """
    slopes, offsets = log_ratios(gaps)
    columns = np.ascontiguousarray(weights.T)
    return (
        crossings.doubtful_sublevel(slopes, offsets, columns, low),
        crossings.doubtful_sublevel(slopes, offsets, columns, high, closed=True),
    )


def _mass(left: FloatArray, right: FloatArray, kept: crossings.Sublevel) -> FloatArray:
    """Mass between two ends and outside the intervals that are kept, added up from left to right."""
    middle = np.zeros(len(left))
    some = np.flatnonzero(left < right)
    middle[some] = normal.interval_mass(left[some], right[some])
    return np.minimum(ndtr(kept.left) + middle + ndtr(-kept.right), 1.0)


def _where(condition: BoolArray, lower: FloatArray | float, upper: FloatArray | float) -> FloatArray:
    """The intervals from lower to upper where a condition holds, and empty ones elsewhere."""
    return np.column_stack([np.where(condition, lower, np.inf), np.where(condition, upper, -np.inf)])


def _of(weights: FloatArray, rows: IntArray | slice) -> FloatArray:
    return weights if len(weights) == 1 else weights[rows]
