"""Where a mixture of exponentials along a line crosses a level.

Along a line the mixture g of `terms` is a sum of exponentials of affine functions of the position r,

    g(r) = sum_j w_j exp(-(r b_j + d_j)),

and log g is convex. So {log g < level} is an open interval. Newton's method, started where one term alone already
reaches the level, stays outside the interval and moves monotonically to its end. Where the slope changes sign before
the level is reached, the interval is empty (docs/method.md, propositions 1 to 3). That is proved, and all lines move at once: a
bracketing method of a library takes three times the evaluations.

Left ends are the right ends of the mirror images of the lines. So arrays of ends hold the k right ends first, and then those of
the k mirror images.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from disclosure.gaussian_measure.exponential_sums import SMALL_LEVEL, anywhere, near_zero
from disclosure.gaussian_measure.sharpness import Ends, rounding_of_log, set_sharpness
from disclosure.numerics import ordered_sums
from disclosure.numerics.errors import ConvergenceError
from disclosure.numerics.rounding import UNIT
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["MOST_STEPS", "Sublevel", "doubtful_sublevel", "sublevel", "sublevel_between"]

# Steps of Newton's method. Random problems take 8 and the worst ones that were found 60.
MOST_STEPS = 200
# Relative error of an end, or its error itself below 1.
_PRECISION = 1e-15
# A step that is longer than this many times the position that it leads to leaves the rounding of where it began, and that is
# 8 times the precision.
_LONG_STEP = 8 * _PRECISION / UNIT
# From positions, shape (n,), and terms, to log g less a level, and its slope, each of shape (n,).
_Evaluate = Callable[..., tuple[FloatArray, FloatArray]]


class Sublevel(NamedTuple):
    """The intervals {log g < level} along k lines, and what rounding may do to them; each array has the shape (k,)."""

    left: FloatArray  # inf if the interval is empty
    right: FloatArray  # -inf if it is empty
    # What rounding may have added to log g where that moves an end by more than normal tails can bear, or opens or shuts the
    # interval; 0 where both ends are sharp.
    doubt: FloatArray
    # Bound on the mass that the ends which are not sharp pass over where rounding moves them; inf where there is none.
    passed: FloatArray


def sublevel(
    slopes: FloatArray,
    offsets: FloatArray,
    weights: FloatArray,
    level: float,
    closed: bool = False,
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
    level : float
        -inf gives empty intervals.
    closed : bool, optional
        Whether positions with log g equal to the level belong to it. This matters only where log g is constant.
    outside : tuple of ndarray, shape (k,), optional
        Positions known to lie left and right of the interval, or -inf and inf. Close ones save steps.
    most_steps : int, optional
        Of Newton's method.

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
    level: float,
    closed: bool = False,
    outside: tuple[FloatArray, FloatArray] | None = None,
    most_steps: int = MOST_STEPS,
) -> Sublevel:
    """The interval of `sublevel`, of the same arguments, with what rounding may do to it."""
    lines = slopes.shape[1]
    ends = Ends(np.full(2 * lines, -np.inf))
    if level > -np.inf:
        starts = np.inf if outside is None else np.concatenate([outside[1], -outside[0]])
        _find_ends(ends, slopes, offsets, weights, level, closed, starts, most_steps)
    doubt, passed = ends.doubt.reshape(2, lines).max(axis=0), ends.passed.reshape(2, lines).sum(axis=0)
    # Where the slope has changed sign above the level, the other end may have stopped anywhere.
    passed[(doubt > 0) & np.isneginf(ends.places.reshape(2, lines)).any(axis=0)] = np.inf
    return Sublevel(*_interval(ends.places), doubt, passed)


def sublevel_between(
    slopes: FloatArray,
    offsets: FloatArray,
    weights: FloatArray,
    level: float,
    outside: tuple[FloatArray, FloatArray],
    most_steps: int = MOST_STEPS,
) -> tuple[FloatArray, FloatArray]:
    """Ends of the same interval within a range, for mixtures with weights of any sign, as those of `equal_terms.condensed`.

    Parameters
    ----------
    slopes, offsets : ndarray, shape (p, k)
    weights : ndarray, shape (p, k) or (p, 1)
        Of any sign, but with g positive and log g convex within the range.
    level : float
    outside : tuple of ndarray, shape (k,)
        Finite ends of the range. An end of the interval that lies beyond is moved there.
    most_steps : int, optional
        Of Newton's method.

    Returns
    -------
    left, right : ndarray, shape (k,)
        ``left = inf`` and ``right = -inf`` where the interval is empty.

    Raises
    ------
    disclosure.numerics.errors.ConvergenceError
        If Newton's method has not converged.
    """
    ends = Ends(np.concatenate([outside[1], -outside[0]]))
    mirrored = np.concatenate([-slopes, slopes], axis=1)
    weights = weights if weights.shape[1] == 1 else np.tile(weights, 2)
    if abs(level) < SMALL_LEVEL:
        _newton(
            near_zero, [mirrored, np.tile(offsets, 2), weights], level, ends, np.arange(ends.places.size), most_steps
        )
    else:
        terms = [mirrored, np.tile(-level - offsets, 2), weights]
        _newton(anywhere, terms, 0.0, ends, np.arange(ends.places.size), most_steps)
    return _interval(ends.places)


def _interval(ends: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The intervals between right ends and those of the mirror images; inf and -inf for the empty ones."""
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
    level: float,
    closed: bool,
    starts: FloatArray | float,
    most_steps: int,
) -> None:
    """Set the ends at one level."""
    # Relative to the level, so that nothing that matters underflows where the level is very low.
    exponents = np.log(weights) - offsets - level
    ends.places = np.minimum(_reached_alone(slopes, exponents), starts)
    chosen = np.flatnonzero(np.isfinite(ends.places))
    # Without a rising term log g falls to the weight of the constant ones, and may never pass the level.
    falling = np.flatnonzero(np.concatenate([(slopes >= 0).all(axis=0), (slopes <= 0).all(axis=0)]))
    if falling.size:
        lines = falling % slopes.shape[1]
        limit = _limit(slopes[:, lines], offsets[:, lines], weights if weights.shape[1] == 1 else weights[:, lines])
        ends.places[falling] = np.where(limit > level if closed else limit >= level, -np.inf, np.inf)
        # A limit that differs from the level by no more than its rounding does not tell whether it is reached.
        rounding = float(rounding_of_log(0.0, len(slopes))) * min(1.0, abs(level))
        close = np.flatnonzero((np.abs(limit - level) <= rounding) & (slopes[:, lines] != 0).any(axis=0))
        ends.doubt[falling[close]], ends.passed[falling[close]] = rounding, np.inf if rounding else 0.0
    if not chosen.size:
        return
    mirrored = np.concatenate([-slopes, slopes], axis=1)
    chosen = np.resize(chosen, max(2, chosen.size))
    if abs(level) < SMALL_LEVEL:
        terms = [mirrored, np.tile(offsets, 2), weights if weights.shape[1] == 1 else np.tile(weights, 2)]
        _newton(near_zero, ordered_sums.columns(terms, chosen), level, ends, chosen, most_steps)
    else:
        terms = [mirrored, np.tile(exponents, 2)]
        _newton(anywhere, ordered_sums.columns(terms, chosen), 0.0, ends, chosen, most_steps)


def _reached_alone(slopes: FloatArray, exponents: FloatArray) -> FloatArray:
    """The positions from which on one term alone is not below the level, nearest to the interval; inf without such a term."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        alone = exponents / slopes
    np.copyto(alone, np.inf, where=slopes == 0)
    # Only falling terms reach the level on the left, only rising ones on the right; choosing them by a mask would take
    # several times as long.
    others = -np.copysign(np.inf, 0.0 - slopes)
    # A term so flat that it reaches the level beyond all floats leaves the end there, on whichever side.
    return np.concatenate([np.maximum(alone, others).min(axis=0), -np.minimum(alone, others).max(axis=0)])


def _limit(slopes: FloatArray, offsets: FloatArray, weights: FloatArray) -> FloatArray:
    """Logarithm of the terms that stay when the others have died out."""
    # Through the complement, so that constant terms alone, without an offset, give exactly 0.
    dying = np.where(slopes != 0, weights, -weights * np.expm1(-offsets)).sum(axis=0)
    with np.errstate(divide="ignore"):
        return np.where((slopes != 0).all(axis=0), -np.inf, np.log1p(-np.minimum(dying, 1.0)))


# Lines that have arrived are moved on with the others, anywhere, and what comes of it is not looked at.
@np.errstate(divide="ignore", over="ignore", invalid="ignore")
def _newton(
    evaluate: _Evaluate, terms: list[FloatArray], level: float, ends: Ends, lines: IntArray, most_steps: int
) -> None:
    """Move the right ends of some lines inwards by Newton's method; -inf where the slope changes sign above the level."""
    places, half, every = ends.places, ends.places.size // 2, lines
    position, mirror_images = places[lines], lines - half
    lowest, highest = terms[0].min(axis=0), terms[0].max(axis=0)
    # The slopes are a distribution's whose variance, the second derivative of log g, is at most a quarter of this.
    spread, steepest, count = (highest - lowest) ** 2, np.maximum(highest, -lowest), len(terms[0])
    spread_of_all, steepness = spread, np.empty(places.size)
    going = np.ones(lines.size, dtype=bool)
    # Where the lines that are done have stopped, and the slopes there.
    stopped, last_slope = position.copy(), np.zeros_like(position)
    for _ in range(most_steps):
        value, slope = evaluate(position, *terms)
        above = value - level
        high = above > 0
        moving = high & (slope > 0)
        step = np.where(moving, above / slope, 0.0)
        position = position - step
        np.copyto(stopped, position, where=going)
        np.copyto(last_slope, slope, where=going)
        turned = going & high & ~moving
        if turned.any():
            stopped[turned] = -np.inf
        places[lines] = stopped
        distance = np.abs(position)
        size = np.maximum(distance, 1.0)
        # The error left by a step is at most its square times the second derivative over twice the slope.
        far = step * step * spread > 8 * _PRECISION * slope * size
        if (step > _LONG_STEP).any():
            far |= step > _LONG_STEP * size
        # Both ends come from outside: an interval whose ends have passed each other is empty. Its mirror image lies half
        # an array away.
        going &= far & (step > _PRECISION * distance) & ~(stopped < -places[mirror_images])
        left = np.count_nonzero(going)
        if not left:
            break
        # Dropping finished lines costs as much as evaluating them once more.
        if 1 < left < going.size / 2:
            steepness[lines] = last_slope
            kept = np.flatnonzero(going)
            lines, position, spread, mirror_images = lines[kept], position[kept], spread[kept], mirror_images[kept]
            stopped, last_slope, going = stopped[kept], last_slope[kept], going[kept]
            terms = ordered_sums.columns(terms, kept)
    else:
        raise ConvergenceError(f"Newton's method has not converged in {most_steps} steps")
    steepness[lines] = last_slope
    small_level = abs(level) if evaluate is near_zero else None
    set_sharpness(ends, every, np.abs(steepness[every]), steepest, spread_of_all, count, small_level)
