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

from disclosure.numerics import ordered_sums
from disclosure.numerics.errors import ConvergenceError
from disclosure.numerics.normal import FAR, density
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["MOST_STEPS", "SMALL_LEVEL", "Sublevel", "doubtful_sublevel", "sublevel", "sublevel_between"]

# Steps of Newton's method after which it is given up. Random problems take 8 and the worst ones that were found 60.
MOST_STEPS = 200
# Error of an end at which Newton's method stops: relative where the end is farther than 1 from the origin, else absolute.
_PRECISION = 1e-15
# How many times the precision the last step may leave as the error of an end.
_PRECISIONS_LEFT = 8
# Relative rounding that is counted for one operation, 2^-52: twice what it is at most.
_UNIT = float(np.finfo(float).eps)
# A step from r to a much smaller r' leaves the rounding of r, about `_UNIT` times the step, as an error of r'. If the step is
# longer than this many times max(|r'|, 1), that error is more than `_PRECISIONS_LEFT` allows, and another step is made.
_LONG_STEP = _PRECISIONS_LEFT * _PRECISION / _UNIT
# An end r is sharp if the rounding of log g moves it by at most this over max(|r|, 1). The normal tail beyond a sharp end
# changes by a relative 3e-12 at most, a third of the 1e-11 that `terms.rounding` allows.
_SHARP = 3e-12
# If rounding moves an end r by at most `_STEADY` over max(|r|, 1), the normal density changes by less than the factor
# `_CHANGE_OF_DENSITY` on the way. So the mass that the end passes over has a bound.
_STEADY, _CHANGE_OF_DENSITY = 0.1, 1.2
# Roundings that go into a term of the mixture at most, each of them relative to 1 + |slope times position|.
_ROUNDINGS = 8
# Below this level log g is evaluated as log1p of a sum of expm1, which keeps its relative accuracy near 0.
SMALL_LEVEL = 0.05
# Exponentials, and their products with slopes, stay finite up to this exponent.
_LARGEST_EXPONENT = 700.0
_LARGEST = float(np.exp(_LARGEST_EXPONENT))

# From positions, shape (n,), and terms, to log g less a level, and its slope, each of shape (n,).
_Evaluate = Callable[..., tuple[FloatArray, FloatArray]]


class Sublevel(NamedTuple):
    """The intervals {log g < level} along k lines, and what rounding may do to them.

    Attributes
    ----------
    left, right : ndarray, shape (k,)
        Ends of the intervals, in units of r; inf and -inf if the interval is empty.
    doubt : ndarray, shape (k,)
        Bound on the rounding error of log g at the ends that are not sharp: there it moves an end by more than `_SHARP` allows,
        or may open or shut the interval. 0 if both ends are sharp.
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
    # An end at -inf says that the interval is empty. If only rounding has emptied it, the other end, which may have stopped
    # anywhere on its way, tells nothing about how long the true interval is.
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
    """Right ends of k intervals and of their k mirror images, and what rounding may do to them; see `Sublevel`.

    Each array has the shape (2 k,).
    """

    def __init__(self, places: FloatArray) -> None:
        self.places = places  # inf if the interval is unbounded, -inf if it is empty
        self.doubt = np.zeros(places.size)
        self.passed = np.zeros(places.size)


def _interval(ends: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Left and right ends of the intervals from the 2 k right ends of `_Ends`; inf and -inf for empty intervals."""
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
    """Set the ends of the intervals {log g < level}; ``starts`` are positions, shape (2 k,), known to lie outside of them."""
    # Exponents of the terms at r = 0, less the level: where the level is very low, a term that reaches it does not underflow.
    exponents = np.log(weights) - offsets - level
    ends.places = np.minimum(_reached_alone(slopes, exponents), starts)
    chosen = np.flatnonzero(np.isfinite(ends.places))
    # Without a term that rises to the right, log g falls to a limit, the logarithm of its constant terms, and may never get
    # below the level (proposition 2): then the interval is empty, otherwise unbounded.
    falling = np.flatnonzero(np.concatenate([(slopes >= 0).all(axis=0), (slopes <= 0).all(axis=0)]))
    if falling.size:
        lines = falling % slopes.shape[1]
        limit = _limit(slopes[:, lines], offsets[:, lines], weights if weights.shape[1] == 1 else weights[:, lines])
        ends.places[falling] = np.where(limit > level if closed else limit >= level, -np.inf, np.inf)
        # Where limit and level differ by no more than the rounding of the limit, either case may hold.
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
    """For each line and mirror image the least position to the right of which one term alone reaches the level; shape (2 k,).

    inf without a term that rises to the right. This is the start r_0 of proposition 3.
    """
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        alone = exponents / slopes
    np.copyto(alone, np.inf, where=slopes == 0)
    # A term exp(-r b) with b < 0 rises to the right, and reaches the level for all larger r; one with b > 0 for all smaller r.
    # ``others`` is inf for b > 0 and -inf for b < 0: it takes the terms of the wrong sign out of the minimum and the maximum. A
    # mask would take several times as long.
    others = -np.copysign(np.inf, 0.0 - slopes)
    # A term so flat that its position overflows gives inf here, on whichever side: the end stays at infinity.
    return np.concatenate([np.maximum(alone, others).min(axis=0), -np.minimum(alone, others).max(axis=0)])


def _limit(slopes: FloatArray, offsets: FloatArray, weights: FloatArray) -> FloatArray:
    """Logarithm of the sum of the constant terms, which is what log g tends to where all others fall to 0; -inf of none."""
    # One minus what is missing from the weights' sum of 1: if all terms are constant and have no offset, exactly 0 comes out.
    dying = np.where(slopes != 0, weights, -weights * np.expm1(-offsets)).sum(axis=0)
    with np.errstate(divide="ignore"):
        return np.where((slopes != 0).all(axis=0), -np.inf, np.log1p(-np.minimum(dying, 1.0)))


# Lines whose ends are found stay in the arrays until enough of them are; their later values are not used, and may overflow.
@np.errstate(divide="ignore", over="ignore", invalid="ignore")
def _newton(
    evaluate: _Evaluate, terms: list[FloatArray], level: float, ends: _Ends, lines: IntArray, most_steps: int
) -> None:
    """Move right ends inwards by Newton's method, to where log g is the level; to -inf if the interval is empty.

    The interval is empty if the slope of log g is not positive where log g is still above the level (proposition 3).

    Parameters
    ----------
    evaluate : callable
        `_anywhere` or `_near_zero`.
    terms : list of ndarray, shape (p, n) or (p, 1)
        What ``evaluate`` takes beside positions; the first has the slopes, which rise to the right if positive.
    level : float
        What is subtracted from the value of ``evaluate``.
    ends : _Ends
    lines : ndarray of int, shape (n,)
        Which of the 2 k ends are moved.
    most_steps : int
    """
    places, half, every = ends.places, ends.places.size // 2, lines
    # Numbers below 0 count from the end of an array, so that lines - half is the mirror image of either half.
    position, mirror_images = places[lines], lines - half
    lowest, highest = terms[0].min(axis=0), terms[0].max(axis=0)
    # The second derivative of log g is a variance of the slopes (proposition 1), which is at most a quarter of ``spread``.
    spread, steepest, count = (highest - lowest) ** 2, np.maximum(highest, -lowest), len(terms[0])
    spread_of_all, steepness = spread, np.empty(places.size)
    going = np.ones(lines.size, dtype=bool)
    # Position and slope of log g after a line's last step.
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
        # The error left by a step is at most its square times the second derivative over twice the slope, hence the square
        # times ``spread`` over 8 times the slope. If that is below the precision, this step is the last.
        far = step * step * spread > 8 * _PRECISION * slope * size
        if (step > _LONG_STEP).any():
            far |= step > _LONG_STEP * size
        # Both ends of an interval come from outside. If they have passed each other, the interval is empty.
        going &= far & (step > _PRECISION * distance) & ~(stopped < -places[mirror_images])
        left = np.count_nonzero(going)
        if not left:
            break
        # To drop finished lines costs as much as to evaluate them once more, so it pays when half of them are finished. One
        # line alone would be summed in another order (`ordered_sums.columns`).
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
    """Set ``doubt`` and ``passed`` of some ends; see `Sublevel`.

    Let eta be a bound on the rounding error of log g, s the slope of log g at an end, and D^2 the ``spread`` of the slopes, so
    that the second derivative of log g is at most D^2 / 4. Rounding moves the end outwards by at most eta / s, since log g is
    convex, and inwards by at most 2 eta / s if D^2 eta <= 2 s^2. If two ends have passed each other, the true interval is no
    longer than the sum of their eta / s. If s^2 <= D^2 eta, with eta at the largest distance, rounding might shut the interval:
    then there is no bound (docs/method.md, "log g is convex").

    Parameters
    ----------
    ends : _Ends
    lines : ndarray of int, shape (n,)
        The ends that are looked at.
    steepness, steepest, spread : ndarray, shape (n,)
        |s|; the largest absolute slope of a term; D^2.
    count : int
        Number of terms.
    small_level : float or None
        |level| if log g was evaluated by `_near_zero`, whose error is relative to log g; None if by `_anywhere`.
    """
    # Ends at infinity, of empty or unbounded intervals, count as at `FAR`, beyond which there is no mass.
    distance = np.minimum(np.abs(ends.places[lines]), FAR)
    # Nearly all ends are sharp already by the larger, absolute bound on the rounding, and need no closer look.
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
    """Bound on the absolute rounding error of log g, a sum of ``count`` exponentials with exponents up to ``exponents``."""
    return _UNIT * (_ROUNDINGS * (1 + exponents) + count)


def _anywhere(
    position: FloatArray, slopes: FloatArray, exponents: FloatArray, weights: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """log g less the level, and its slope, from exponents a + b r of the terms, with ``exponents`` a and ``slopes`` b.

    The level and, unless ``weights`` are given, the logarithms of the weights are parts of a.
    """
    total, rise = _sums(position, slopes, exponents, weights)
    value = np.log(total)
    # To the right of the interval one term at least is not small, so the sum does not underflow. Against overflow the exponents
    # are shifted by the largest. Only the lines that need it are shifted, so that no line's digits depend on the others.
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
    """Sums over the terms, and over the terms times their slopes, each of shape (n,)."""
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
    """log g and its slope, with log g accurate relative to itself where it is near 0; exponents are r b - d, weights apart."""
    terms = weights * np.expm1(np.minimum(slopes * position - offsets, _LARGEST_EXPONENT))
    total = terms.sum(axis=0)
    return np.log1p(total), ((terms + weights) * slopes).sum(axis=0) / (1 + total)
