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

from disclosure.numerics import ordered_sums
from disclosure.numerics.errors import ConvergenceError
from disclosure.numerics.normal import FAR, density
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["MOST_STEPS", "SMALL_LEVEL", "Sublevel", "doubtful_sublevel", "sublevel", "sublevel_between"]

# Steps of Newton's method. Random problems take 8 and the worst ones that were found 60.
MOST_STEPS = 200
# Relative error of an end, or its error itself below 1.
_PRECISION = 1e-15
# Half of the last digit of 1 is what one operation rounds by at most; the whole digit is counted.
_UNIT = float(np.finfo(float).eps)
# A step that is longer than this many times the position that it leads to leaves the rounding of where it began, and that is
# 8 times the precision.
_LONG_STEP = 8 * _PRECISION / _UNIT
# An end is sharp if the rounding of log g moves it by no more than this, over its distance from 0 where that is above 1. A
# normal tail beyond it then changes by a third of its relative error `line.ROUNDING` of 1e-11.
_SHARP = 3e-12
# An end may be moved by rounding by up to this, over its distance from 0 where that is above 1, and still have a bound on the
# mass that it passes over: on the way the density changes by less than this factor.
_STEADY, _CHANGE_OF_DENSITY = 0.1, 1.2
# How many roundings of a product of slope and position go into an exponent and its exponential, at most.
_ROUNDINGS = 8
# Below this level log g is evaluated as log1p of a sum of expm1, which keeps its relative accuracy near 0.
SMALL_LEVEL = 0.05
# Exponentials, and their products with slopes, stay finite up to this exponent.
_LARGEST_EXPONENT = 700.0
_LARGEST = float(np.exp(_LARGEST_EXPONENT))

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
    ends = _Ends(np.full(2 * lines, -np.inf))
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
    ends = _Ends(np.concatenate([outside[1], -outside[0]]))
    mirrored = np.concatenate([-slopes, slopes], axis=1)
    weights = weights if weights.shape[1] == 1 else np.tile(weights, 2)
    if abs(level) < SMALL_LEVEL:
        _newton(
            _near_zero, [mirrored, np.tile(offsets, 2), weights], level, ends, np.arange(ends.places.size), most_steps
        )
    else:
        terms = [mirrored, np.tile(-level - offsets, 2), weights]
        _newton(_anywhere, terms, 0.0, ends, np.arange(ends.places.size), most_steps)
    return _interval(ends.places)


class _Ends:
    """Right ends of k intervals and of their k mirror images, and what rounding may do to them; see `Sublevel`."""

    def __init__(self, places: FloatArray) -> None:
        self.places = places  # inf where unbounded, -inf where the interval is empty
        self.doubt = np.zeros(places.size)
        self.passed = np.zeros(places.size)


def _interval(ends: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The intervals between right ends and those of the mirror images; inf and -inf for the empty ones."""
    lines = ends.size // 2
    left, right = -ends[lines:], ends[:lines]
    empty = ~(left < right)
    left[empty], right[empty] = np.inf, -np.inf
    return left, right


def _find_ends(
    ends: _Ends,
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
        rounding = (_ROUNDINGS + len(slopes)) * _UNIT * min(1.0, abs(level))
        close = np.flatnonzero((np.abs(limit - level) <= rounding) & (slopes[:, lines] != 0).any(axis=0))
        ends.doubt[falling[close]], ends.passed[falling[close]] = rounding, np.inf if rounding else 0.0
    if not chosen.size:
        return
    mirrored = np.concatenate([-slopes, slopes], axis=1)
    chosen = np.resize(chosen, max(2, chosen.size))
    if abs(level) < SMALL_LEVEL:
        terms = [mirrored, np.tile(offsets, 2), weights if weights.shape[1] == 1 else np.tile(weights, 2)]
        _newton(_near_zero, ordered_sums.columns(terms, chosen), level, ends, chosen, most_steps)
    else:
        terms = [mirrored, np.tile(exponents, 2)]
        _newton(_anywhere, ordered_sums.columns(terms, chosen), 0.0, ends, chosen, most_steps)


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
    evaluate: _Evaluate, terms: list[FloatArray], level: float, ends: _Ends, lines: IntArray, most_steps: int
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
    small_level = abs(level) if evaluate is _near_zero else None
    _set_sharpness(ends, every, np.abs(steepness[every]), steepest, spread_of_all, count, small_level)


def _set_sharpness(
    ends: _Ends,
    lines: IntArray,
    steepness: FloatArray,
    steepest: FloatArray,
    spread: FloatArray,
    count: int,
    small_level: float | None,
) -> None:
    """Set what rounding may do to some ends.

    Let eta be the rounding of log g, s the slope at an end, and D^2 the ``spread`` of the slopes, so that no second derivative
    is above D^2 / 4. Outwards the end moves by no more than eta / s, since log g is convex; inwards by no more than 2 eta / s
    if D^2 eta <= 2 s^2. And two ends that have passed each other leave an interval no longer than the sum of their eta / s.
    There is no bound if the rounding at the largest distance might shut the interval, s^2 <= D^2 eta.

    Parameters
    ----------
    ends : _Ends
    lines : ndarray of int, shape (n,)
        The ends that are looked at.
    steepness, steepest, spread : ndarray, shape (n,)
        |s|; the largest size of a slope of a term; D^2.
    count : int
        Of terms.
    small_level : float or None
        The size of the level if log g is known relative to its own size.
    """
    # Where one end has met a rising slope, the other one has passed a minimum and is flat.
    distance = np.minimum(np.abs(ends.places[lines]), FAR)
    # Few are not sharp, and for the others the rounding of a log g that is not small tells enough.
    rounding = _rounding(steepest * distance, count)
    some = np.flatnonzero((rounding * np.maximum(distance, 1.0) > _SHARP * steepness) & (distance < FAR))
    if not some.size:
        return
    rounding, distance, steepness, steepest = rounding[some], distance[some], steepness[some], steepest[some]
    size = np.maximum(distance, 1.0)
    if small_level is not None:
        rounding *= np.minimum(steepest * distance + small_level, 1.0)
    move = 2 * rounding / steepness
    bounded = (steepness**2 > spread[some] * _rounding(steepest * FAR, count)) & (move * size <= _STEADY)
    passed = np.where(bounded, _CHANGE_OF_DENSITY * move * density(distance), np.inf)
    unsure = rounding * size > _SHARP * steepness
    chosen = lines[some[unsure]]
    ends.doubt[chosen], ends.passed[chosen] = rounding[unsure], passed[unsure]


def _rounding(exponents: FloatArray, count: int) -> FloatArray:
    """What rounding may do to log g, a sum of so many exponentials with exponents up to these."""
    return _UNIT * (_ROUNDINGS * (1 + exponents) + count)


def _anywhere(
    position: FloatArray, slopes: FloatArray, exponents: FloatArray, weights: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """log g, relative to the level, and its slope, from the exponents a + b r of its terms, and weights beside them."""
    total, rise = _sums(position, slopes, exponents, weights)
    value = np.log(total)
    # To the right of the interval one term at least is not small; a shift is needed only against overflow. It is made where a
    # line needs it, so that its digits do not depend on the lines beside it.
    large = np.flatnonzero(total > _LARGEST)
    if large.size:
        tables = [slopes, exponents] if weights is None else [slopes, exponents, weights]
        chosen = np.resize(large, max(2, large.size))
        steep, high, *others = ordered_sums.columns(tables, chosen)
        shift = (steep * position[chosen] + high).max(axis=0)
        total[chosen], rise[chosen] = _sums(position[chosen], steep, high - shift, *others)
        value[chosen] = shift + np.log(total[chosen])
    return value, rise / total


def _sums(
    position: FloatArray, slopes: FloatArray, exponents: FloatArray, weights: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Sums of terms, and of terms times their slopes."""
    terms = slopes * position
    terms += exponents
    np.exp(terms, out=terms)
    if weights is not None:
        terms *= weights
    total = terms.sum(axis=0)
    terms *= slopes
    return total, terms.sum(axis=0)


def _near_zero(
    position: FloatArray, slopes: FloatArray, offsets: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """log g and its slope with full relative accuracy where log g is small."""
    terms = weights * np.expm1(np.minimum(slopes * position - offsets, _LARGEST_EXPONENT))
    total = terms.sum(axis=0)
    return np.log1p(total), ((terms + weights) * slopes).sum(axis=0) / (1 + total)
