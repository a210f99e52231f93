"""Where a mixture of exponentials along a line crosses a level.

Along a line the mixture g of `terms` is a sum of exponentials of affine functions of the position r,

    g(r) = sum_j w_j exp(-(r b_j + d_j)),

and log g is convex. So {log g < level} is an open interval. Newton's method, started where one term alone already
reaches the level, stays outside the interval and moves monotonically to its end. Where the slope of log g changes sign before
the level is reached, the interval is empty (docs/method.md, propositions 1 to 3).

Newton's method is written by hand, for all lines at once: the propositions prove that it converges, and a bracketing method of
a library takes three times the evaluations.

Only right ends are searched for. The left end of a line's interval is minus the right end of its mirror image, the line in
which r is replaced by -r. So an array of ends holds 2 k numbers: the right ends of the k lines, then those of the k mirror
images.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from disclosure.gaussian_measure.exponential_sums import SMALL_LEVEL, anywhere, near_zero
from disclosure.gaussian_measure.sharpness import Ends, least_surely_above, rounding_of_log, set_sharpness
from disclosure.numerics import ordered_sums
from disclosure.numerics.errors import ConvergenceError
from disclosure.numerics.rounding import UNIT
from disclosure.numerics.types import BoolArray, FloatArray, IntArray

__all__ = ["MOST_STEPS", "Sublevel", "doubtful_sublevel", "sublevel", "sublevel_between"]

# Steps of Newton's method after which it is given up. Random problems take 8 and the worst ones that were found 60.
MOST_STEPS = 200
# Error of an end at which Newton's method stops: relative where the end is farther than 1 from the origin, else absolute.
_PRECISION = 1e-15
# How many times the precision the last step may leave as the error of an end.
_PRECISIONS_LEFT = 8
# A step from r to a much smaller r' leaves the rounding of r, about `UNIT` times the step, as an error of r'. If the step is
# longer than this many times max(|r'|, 1), that error is more than `_PRECISIONS_LEFT` allows, and another step is made.
_LONG_STEP = _PRECISIONS_LEFT * _PRECISION / UNIT
# Steps before it is first asked which ends are found: hardly any is after fewer, and asking takes as long as a step of ten
# terms.
_BLIND_STEPS = 3
# From positions, shape (n,), and terms, to log g less a level, and its slope, each of shape (n,).
_Evaluate = Callable[..., tuple[FloatArray, FloatArray]]


class Sublevel(NamedTuple):
    """The intervals {log g < level} along k lines, and what rounding may do to them.

    Attributes
    ----------
    left, right : ndarray, shape (k,)
        Ends of the intervals, in units of r; inf and -inf if the interval is empty.
    doubt : ndarray, shape (k,)
        Bound on the rounding error of log g at the ends that are not sharp (`sharpness`): there it moves an end by more than a
        mass can bear, or may open or shut the interval. 0 if both ends are sharp.
    passed : ndarray, shape (k,)
        Bound on the standard normal mass that the ends which are not sharp pass over when rounding moves them; inf if there is
        no such bound, 0 if both ends are sharp.
    """

    left: FloatArray
    right: FloatArray
    doubt: FloatArray
    passed: FloatArray


def sublevel(
    slopes: FloatArray,
    offsets: FloatArray,
    weights: FloatArray,
    level: FloatArray | float,
    closed: BoolArray | bool = False,
    outside: tuple[FloatArray, FloatArray] | None = None,
    most_steps: int = MOST_STEPS,
) -> tuple[FloatArray, FloatArray]:
    """Ends of the interval of positions at which log g lies below a level.

    Parameters
    ----------
    slopes, offsets : ndarray, shape (p, k)
        b and d of the p terms along k lines, finite; a term with offset inf, and slope 0, is absent.
    weights : ndarray, shape (p, k) or (p, 1)
        Positive, each column summing to 1.
    level : float or ndarray, shape (k,)
        For all lines or for each; -inf gives empty intervals.
    closed : bool or ndarray, shape (k,), optional
        Whether positions with log g equal to the level belong to it. This matters only where log g is constant.
    outside : tuple of ndarray, shape (k,), optional
        Positions known to lie left and right of the interval, or -inf and inf. Close ones save steps.
    most_steps : int, optional
        Steps of Newton's method after which it is given up.

    Returns
    -------
    left, right : ndarray, shape (k,)
        Possibly infinite; ``left = inf`` and ``right = -inf`` where the interval is empty.

    Raises
    ------
    disclosure.numerics.errors.ConvergenceError
        If Newton's method has not converged.
    """
    found = doubtful_sublevel(slopes, offsets, weights, level, closed, outside, most_steps)
    return found.left, found.right


def doubtful_sublevel(
    slopes: FloatArray,
    offsets: FloatArray,
    weights: FloatArray,
    level: FloatArray | float,
    closed: BoolArray | bool = False,
    outside: tuple[FloatArray, FloatArray] | None = None,
    most_steps: int = MOST_STEPS,
    needed: tuple[BoolArray, BoolArray] | None = None,
) -> Sublevel:
    """The interval of `sublevel`, of the same arguments, with what rounding may do to it.

    ``needed`` tells which left and which right ends are looked for; the others are said to be infinite.
    """
    lines = slopes.shape[1]
    levels, some = np.broadcast_to(np.asarray(level, dtype=float), lines), np.broadcast_to(level > -np.inf, lines)
    looked_for = np.concatenate([some, some] if needed is None else [some & needed[1], some & needed[0]])
    starts = np.inf if outside is None else np.concatenate([outside[1], -outside[0]])
    ends = Ends(np.where(np.tile(some, 2), np.inf, -np.inf))
    _find_ends(ends, slopes, offsets, weights, np.where(some, levels, 0.0), closed, starts, looked_for, most_steps)
    doubt, passed = ends.doubt.reshape(2, lines).max(axis=0), ends.passed.reshape(2, lines).sum(axis=0)
    # An end at -inf says that the interval is empty. If that is sure, it does not matter where the other end stopped on its
    # way. If only rounding may have emptied it, the other end tells nothing about how long the true interval is.
    passed[(doubt > 0) & np.isneginf(ends.places.reshape(2, lines)).any(axis=0)] = np.inf
    surely_empty = ends.surely_empty.reshape(2, lines).any(axis=0)
    doubt[surely_empty], passed[surely_empty] = 0.0, 0.0
    return Sublevel(*_interval(ends.places), doubt, passed)


def sublevel_between(
    slopes: FloatArray,
    offsets: FloatArray,
    weights: FloatArray,
    level: float,
    outside: tuple[FloatArray, FloatArray],
    most_steps: int = MOST_STEPS,
) -> tuple[FloatArray, FloatArray]:
    """Ends of the part of {log g < level} that lies in a range, for mixtures whose weights may be negative.

    Such are the mixtures of `equal_terms.condensed`. With a negative weight no term alone tells where to start, so the search
    starts at the ends of the range.

    Parameters
    ----------
    slopes, offsets : ndarray, shape (p, k)
        b and d of the p terms along k lines, finite.
    weights : ndarray, shape (p, k) or (p, 1)
        Of any sign, but with g positive and log g convex within the range.
    level : float
        Finite.
    outside : tuple of ndarray, shape (k,)
        Finite left and right ends of the range. An end of the interval that lies beyond is moved there.
    most_steps : int, optional
        Steps of Newton's method after which it is given up.

    Returns
    -------
    left, right : ndarray, shape (k,)
        ``left = inf`` and ``right = -inf`` where the interval is empty.

    Raises
    ------
    disclosure.numerics.errors.ConvergenceError
        If Newton's method has not converged.
    """
    ends, small = Ends(np.concatenate([outside[1], -outside[0]])), abs(level) < SMALL_LEVEL
    tables = [np.tile(slopes, 2), np.tile(offsets if small else -level - offsets, 2)]
    tables.append(weights if weights.shape[1] == 1 else np.tile(weights, 2))
    levels = np.full(ends.places.size, level if small else 0.0)
    extremes = slopes.min(axis=0), slopes.max(axis=0)
    _newton(near_zero if small else anywhere, tables, levels, ends, np.arange(levels.size), *extremes, most_steps)
    return _interval(ends.places)


def _interval(ends: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Left and right ends of the intervals from the 2 k right ends of `Ends`; inf and -inf for empty intervals."""
    lines = ends.size // 2
    left, right = -ends[lines:], ends[:lines]
    empty = ~(left < right)
    left[empty], right[empty] = np.inf, -np.inf
    return left, right


def _find_ends(
    ends: Ends,
    slopes: FloatArray,
    offsets: FloatArray,
    weights: FloatArray,
    levels: FloatArray,
    closed: BoolArray | bool,
    starts: FloatArray | float,
    looked_for: BoolArray,
    most_steps: int,
) -> None:
    """Set those ends of the intervals {log g < level}, of 2 k, that are looked for.

    ``levels`` has the shape (k,), and ``starts`` are positions, shape (2 k,), known to lie outside of the intervals.
    """
    count, lines = slopes.shape
    # Exponents of the terms at r = 0, less the level: where the level is very low, a term that reaches it does not underflow.
    exponents = np.log(weights) - offsets - levels
    lowest, highest = slopes.min(axis=0), slopes.max(axis=0)
    np.copyto(ends.places, np.minimum(_reached_alone(slopes, exponents), starts), where=looked_for)
    falling = np.flatnonzero(looked_for & np.concatenate([lowest >= 0, highest <= 0]))
    if falling.size:
        _set_falling(ends, falling, slopes, offsets, weights, levels, closed)
    chosen = looked_for & np.isfinite(ends.places)
    small = np.tile(np.abs(levels) < SMALL_LEVEL, 2)
    # A table of one column would stand for equal ones in `columns`.
    wide = [np.broadcast_to(table, (count, max(2, lines))) for table in (slopes, offsets, exponents)]
    for form, which in ((near_zero, chosen & small), (anywhere, chosen & ~small)):
        if which.any():
            searched = np.flatnonzero(which)
            searched = np.resize(searched, max(2, searched.size))
            tables = [wide[0], wide[1], weights] if form is near_zero else [wide[0], wide[2]]
            terms = ordered_sums.columns(tables, searched % lines)
            zeros = levels[searched % lines] if form is near_zero else np.zeros(searched.size)
            _newton(form, terms, zeros, ends, searched, lowest, highest, most_steps)


def _reached_alone(slopes: FloatArray, exponents: FloatArray) -> FloatArray:
    """For each line and mirror image the least position to the right of which one term alone reaches the level; shape (2 k,).

    inf without a term that rises to the right. This is the start r_0 of proposition 3.
    """
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        # If no term reaches the level at 0, those that rise to the right reach it at a positive position, the others at a
        # negative one, and a term so flat that its position overflows leaves the end at infinity.
        inverse = slopes / exponents
        nearest = np.concatenate([inverse.max(axis=0), -inverse.min(axis=0)])
        found = np.where(nearest > 0, 1 / nearest, np.inf)
        some = np.flatnonzero(exponents.max(axis=0) >= 0)
        if some.size:
            slopes, exponents = slopes[:, some], exponents[:, some]
            positions = exponents / slopes
            right, left = (
                np.where(side, positions, away) for side, away in ((slopes < 0, np.inf), (slopes > 0, -np.inf))
            )
            found.reshape(2, -1)[:, some] = right.min(axis=0), -left.max(axis=0)
    return found


def _set_falling(
    ends: Ends,
    falling: IntArray,
    slopes: FloatArray,
    offsets: FloatArray,
    weights: FloatArray,
    levels: FloatArray,
    closed: BoolArray | bool,
) -> None:
    """Set the ends, of 2 k, to the right of which no term rises.

    There log g falls to a limit, the logarithm of its constant terms, and may never get below the level (proposition 2): then
    the interval is empty, otherwise unbounded.
    """
    lines = falling % slopes.shape[1]
    level, slopes = levels[lines], slopes[:, lines]
    limit = _limit(slopes, offsets[:, lines], weights if weights.shape[1] == 1 else weights[:, lines])
    empty = np.where(np.broadcast_to(closed, levels.shape)[lines], limit > level, limit >= level)
    ends.places[falling] = np.where(empty, -np.inf, np.inf)
    # Where limit and level differ by no more than the rounding of the limit, either case may hold.
    rounding = rounding_of_log(0.0, len(slopes)) * np.minimum(1.0, np.abs(level))
    close = (np.abs(limit - level) <= rounding) & (slopes != 0).any(axis=0)
    ends.doubt[falling[close]] = rounding[close]
    ends.passed[falling[close]] = np.where(rounding[close] > 0, np.inf, 0.0)


def _limit(slopes: FloatArray, offsets: FloatArray, weights: FloatArray) -> FloatArray:
    """Logarithm of the sum of the constant terms, which is what log g tends to where all others fall to 0; -inf of none."""
    # One minus what is missing from the weights' sum of 1: if all terms are constant and have no offset, exactly 0 comes out.
    dying = np.where(slopes != 0, weights, -weights * np.expm1(-offsets)).sum(axis=0)
    with np.errstate(divide="ignore"):
        return np.where((slopes != 0).all(axis=0), -np.inf, np.log1p(-np.minimum(dying, 1.0)))


# Lines whose ends are found stay in the arrays until enough of them are; their later values are not used, and may overflow.
@np.errstate(divide="ignore", over="ignore", invalid="ignore")
def _newton(
    evaluate: _Evaluate,
    terms: list[FloatArray],
    levels: FloatArray,
    ends: Ends,
    lines: IntArray,
    lowest: FloatArray,
    highest: FloatArray,
    most_steps: int,
) -> None:
    """Move right ends inwards by Newton's method, to where log g is the level; to -inf if the interval is empty.

    The interval is empty if the slope of log g is not positive where log g is still above the level (proposition 3).

    Parameters
    ----------
    evaluate : callable
        `anywhere` or `near_zero`.
    terms : list of ndarray, shape (p, n) or (p, 1)
        What ``evaluate`` takes beside positions; the first has the slopes b of the terms exp(-r b - d).
    levels : ndarray, shape (n,)
        What is subtracted from the value of ``evaluate``.
    ends : Ends
    lines : ndarray of int, shape (n,)
        Which of the 2 k ends are moved.
    lowest, highest : ndarray, shape (k,)
        Least and largest slope of a line.
    most_steps : int
    """
    places, half, every = ends.places, ends.places.size // 2, lines
    # Numbers below 0 count from the end of an array, so that lines - half is the mirror image of either half.
    position, mirror_images = places[lines], lines - half
    # The exponents are b times minus the position, and in mirror images b times the position.
    direction = np.where(lines < half, -1.0, 1.0)
    # The second derivative of log g is a variance of the slopes (proposition 1), which is at most a quarter of ``spread``.
    spread, steepest = ((highest - lowest) ** 2)[lines % half], np.maximum(highest, -lowest)[lines % half]
    count = len(terms[0])
    spread_of_all, steepness, surely = spread, np.empty(places.size), np.empty(places.size)
    surely[lines], level = least_surely_above(steepest, count), levels
    going = np.ones(lines.size, dtype=bool)
    for number in range(most_steps):
        value, slope = evaluate(direction * position, *terms)
        slope *= direction
        above = value - level
        moving = (above > 0) & (slope > 0)
        step = np.where(moving, above / slope, 0.0)
        position = position - step
        if number < _BLIND_STEPS:
            continue
        distance = np.abs(position)
        size = np.maximum(distance, 1.0)
        # The error left by a step is at most its square times the second derivative over twice the slope, hence the square
        # times ``spread`` over 8 times the slope. If that is below the precision, this step is the last.
        far = step * step * spread > 8 * _PRECISION * slope * size
        far |= step > _LONG_STEP * size
        far &= step > _PRECISION * distance
        turned = going & ~moving & (above > 0)
        if turned.any():
            position[turned] = -np.inf
            ends.surely_empty[lines[turned]] = above[turned] > surely[lines[turned]]
        # Lines that are done stay as they were when they were done, however long they remain in the arrays.
        now = lines[going]
        places[now], steepness[now] = position[going], slope[going]
        # Both ends of an interval come from outside. If they have passed each other, the interval is empty.
        going &= far & (position >= -places[mirror_images])
        left = np.count_nonzero(going)
        if not left:
            break
        # To drop finished lines costs as much as to evaluate them once more, so it pays when half of them are finished. One
        # line alone would be summed in another order (`ordered_sums.columns`).
        if 1 < left < going.size / 2:
            kept = going.nonzero()[0]
            lines, position, spread, mirror_images = lines[kept], position[kept], spread[kept], mirror_images[kept]
            direction, level, going = direction[kept], level[kept], going[kept]
            terms = ordered_sums.columns(terms, kept)
    else:
        raise ConvergenceError(f"Newton's method has not converged in {most_steps} steps")
    small_levels = np.abs(levels) if evaluate is near_zero else None
    set_sharpness(ends, every, np.abs(steepness[every]), steepest, spread_of_all, count, small_levels)
