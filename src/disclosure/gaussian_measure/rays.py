"""Where a mixture of exponentials along a line lies below a level.

Along a line the mixture g of `ratio` is a sum of exponentials of affine functions of the position r,

    g(r) = sum_j w_j exp(-(r b_j + d_j)),

and log g is convex. So {log g < level} is an open interval. Newton's method, started where one term alone already
reaches the level, stays outside the interval and moves monotonically to its end; where the slope changes sign before
the level is reached, the interval is empty.
"""

import numpy as np
from scipy.special import erfc

from disclosure.numerics.errors import ConvergenceError

__all__ = ["chi_tail", "doubtful_sublevel", "ray_mass", "sublevel", "sublevel_between"]

_MOST_STEPS = 200
_PRECISION = 1e-15
_UNIT = np.finfo(float).eps
# A step this many times longer than what is left of the position leaves the rounding of where it began.
_LONG_STEP = 8 * _PRECISION / _UNIT
# An end is doubtful if the rounding of log g may move it by more than this, over its distance from 0 where that is above 1: a
# third of the 1e-11 that a normal tail is good for.
_SHARP = 3e-12
# How many roundings of a product of slope and position go into an exponent and its exponential, at most.
_ROUNDINGS = 8
# Below this level log g is evaluated as log1p of a sum of expm1, which keeps its relative accuracy near 0.
_SMALL_LEVEL = 0.05
# Columns longer than this are kept in one piece each; the rows of shorter ones are added up side by side.
_LONG = 1000
_LARGEST_EXPONENT = 700.0
# The normal distribution has no mass beyond this distance in floating point.
_FAR = 40.0
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
# What is smaller than the largest value of an integrand by this exponent does not count.
_NEGLIGIBLE = 36.0


def sublevel(slopes, offsets, weights, level, closed=False, outside=None):
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

    Returns
    -------
    left, right : ndarray, shape (k,)
        Possibly infinite; ``left = inf`` and ``right = -inf`` where the interval is empty.

    Raises
    ------
    disclosure.numerics.errors.ConvergenceError
        If Newton's method has not converged.
    """
    return doubtful_sublevel(slopes, offsets, weights, level, closed, outside)[:2]


def doubtful_sublevel(slopes, offsets, weights, level, closed=False, outside=None):
    """The interval of `sublevel`, and where rounding leaves doubt about it.

    Returns
    -------
    left, right, doubt : ndarray, shape (k,)
        What rounding may have added to log g where that moves an end, or opens or shuts the interval; 0 where the ends are
        sharp.
    """
    lines = slopes.shape[1]
    if level == -np.inf:
        return np.full(lines, np.inf), np.full(lines, -np.inf), np.zeros(lines)
    starts = np.inf if outside is None else np.concatenate([outside[1], -outside[0]])
    ends, doubt = _right_ends(slopes, offsets, weights, level, closed, starts)
    return *_interval(ends), np.maximum(doubt[:lines], doubt[lines:])


def sublevel_between(slopes, offsets, weights, level, outside):
    """Ends of the same interval within a range, for mixtures with weights of any sign, as those of `condense`.

    Parameters
    ----------
    slopes, offsets : ndarray, shape (p, k)
    weights : ndarray, shape (p, k) or (p, 1)
        Of any sign, but with g positive and log g convex within the range.
    level : float
    outside : tuple of ndarray, shape (k,)
        Finite ends of the range. An end of the interval that lies beyond is moved there.

    Returns
    -------
    left, right : ndarray, shape (k,)
        ``left = inf`` and ``right = -inf`` where the interval is empty.

    Raises
    ------
    disclosure.numerics.errors.ConvergenceError
        If Newton's method has not converged.
    """
    ends = np.concatenate([outside[1], -outside[0]])
    mirrored = np.concatenate([-slopes, slopes], axis=1)
    weights = weights if weights.shape[1] == 1 else np.tile(weights, 2)
    doubt = np.zeros(ends.size)
    every = np.arange(ends.size)
    if abs(level) < _SMALL_LEVEL:
        _newton(_near_zero, [mirrored, np.tile(offsets, 2), weights], level, ends, every, doubt, True)
    else:
        _newton(_anywhere, [mirrored, np.tile(-level - offsets, 2), weights], 0.0, ends, every, doubt, False)
    return _interval(ends)


def _interval(ends):
    """The intervals between right ends and those of the mirror images; inf and -inf for the empty ones."""
    lines = ends.size // 2
    left, right = -ends[lines:], ends[:lines]
    empty = ~(left < right)
    left[empty], right[empty] = np.inf, -np.inf
    return left, right


def chi_tail(radius, dimension):
    """Probability that a standard normal vector is longer than ``radius``, in [0, inf], accurate however small it is."""
    half_square = np.minimum(radius, _FAR) ** 2 / 2
    term = np.exp(-half_square)
    if dimension % 2:
        tail, term, first = erfc(np.sqrt(half_square)), term * 2 * np.sqrt(half_square / np.pi), 1.5
    else:
        tail, first = 0.0, 1.0
    # The incomplete gamma function of dimension / 2 by its recurrence, a sum of positive terms.
    for order in range((dimension + 1) // 2 - dimension % 2):
        tail = tail + term
        term = term * (half_square / (first + order))
    return tail


def ray_mass(points, directions, ends):
    """Integral of r^(q - 1) exp(-|a + r v|^2 / 2) over r from 0 to an end, along rays from points a.

    Parameters
    ----------
    points, directions : ndarray, shape (..., q)
        a and v, any length of v.
    ends : ndarray, shape (...)
        In [0, inf].

    Returns
    -------
    ndarray, shape (...)
    """
    power = directions.shape[-1] - 1
    square, product = (directions**2).sum(axis=-1), (points * directions).sum(axis=-1)
    root = np.sqrt(product**2 + 4 * square * power)
    # The integrand is log-concave and largest at the peak; beyond the window it is negligible.
    peak = np.where(product > 0, 2 * power / (product + root), (root - product) / (2 * square))
    top = np.minimum(ends, peak)
    with np.errstate(divide="ignore", invalid="ignore"):
        rise = np.where(top < peak, np.maximum(power / top - square * top - product, 0.0), 0.0)
    curvature = square + power / peak**2
    low = np.maximum(top - 2 * _NEGLIGIBLE / (rise + np.sqrt(rise**2 + 2 * _NEGLIGIBLE * curvature)), 0.0)
    # With x = r / peak - 1 the logarithm has fallen by (q - 1) (x - log(1 + x)), of which x^2 / (2 + 2 x) is less, and more.
    share = 2 * _NEGLIGIBLE / power
    widest = peak * (share + np.sqrt(share**2 + 4 * share)) / 2
    high = np.minimum(ends, peak + np.minimum(widest, np.sqrt(2 * _NEGLIGIBLE / square)))
    half = (high - low) / 2
    r = ((high + low) / 2)[..., None] + half[..., None] * _NODES
    exponents = -(square[..., None] * r + 2 * product[..., None]) * r / 2 - (points**2).sum(axis=-1)[..., None] / 2
    return half * (r**power * np.exp(exponents) * _WEIGHTS).sum(axis=-1)


def _right_ends(slopes, offsets, weights, level, closed, starts):
    """Right ends of the k intervals and of their k mirror images: inf where unbounded, -inf where the interval is empty.

    And the doubt about them, of `doubtful_sublevel`.
    """
    # Relative to the level, so that nothing that matters underflows where the level is very low.
    exponents = np.log(weights) - offsets - level
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        alone = exponents / slopes
    np.copyto(alone, np.inf, where=slopes == 0)
    # Only falling terms reach the level on the left, only rising ones on the right; choosing them by a mask would take
    # several times as long.
    others = -np.copysign(np.inf, 0.0 - slopes)
    # A term so flat that it reaches the level beyond all floats leaves the end there, on whichever side.
    ends = [np.maximum(alone, others).min(axis=0), -np.minimum(alone, others).max(axis=0)]
    ends = np.minimum(np.concatenate(ends), starts)
    doubt = np.zeros(ends.size)
    chosen = np.flatnonzero(np.isfinite(ends))
    # Without a rising term log g falls to the weight of the constant ones, and may never pass the level.
    falling = np.flatnonzero(np.concatenate([(slopes >= 0).all(axis=0), (slopes <= 0).all(axis=0)]))
    if falling.size:
        lines = falling % slopes.shape[1]
        limit = _limit(slopes[:, lines], offsets[:, lines], weights if weights.shape[1] == 1 else weights[:, lines])
        ends[falling] = np.where(limit > level if closed else limit >= level, -np.inf, np.inf)
        # A limit that differs from the level by no more than its rounding does not tell whether it is reached.
        rounding = (_ROUNDINGS + len(slopes)) * _UNIT * min(1.0, abs(level))
        close = np.flatnonzero(np.abs(limit - level) <= rounding)
        doubt[falling[close]] = np.where((slopes[:, lines[close]] != 0).any(axis=0), rounding, 0.0)
    if chosen.size:
        mirrored = np.concatenate([-slopes, slopes], axis=1)
        small = abs(level) < _SMALL_LEVEL
        if small:
            evaluate, goal = _near_zero, level
            terms = mirrored, np.tile(offsets, 2), weights if weights.shape[1] == 1 else np.tile(weights, 2)
        else:
            evaluate, goal = _anywhere, 0.0
            terms = mirrored, np.tile(exponents, 2)
        # Two columns at least: numpy adds up a single one in another order than those of a table.
        chosen = np.resize(chosen, max(2, chosen.size))
        _newton(evaluate, _columns(terms, chosen), goal, ends, chosen, doubt, small)
    return ends, doubt


def _columns(terms, chosen):
    """Some columns of the terms, in a layout that depends on their length alone, and with it the order of sums."""
    if len(terms[0]) > _LONG:
        return [term if term.shape[1] == 1 else term.T[chosen].T for term in terms]
    return [term if term.shape[1] == 1 else term.take(chosen, axis=1) for term in terms]


def _limit(slopes, offsets, weights):
    """Logarithm of the terms that stay when the others have died out."""
    # Through the complement, so that constant terms alone, without an offset, give exactly 0.
    dying = np.where(slopes != 0, weights, -weights * np.expm1(-offsets)).sum(axis=0)
    with np.errstate(divide="ignore"):
        return np.where((slopes != 0).all(axis=0), -np.inf, np.log1p(-np.minimum(dying, 1.0)))


# Lines that have arrived are moved on with the others, anywhere, and what comes of it is not looked at.
@np.errstate(over="ignore", invalid="ignore")
def _newton(evaluate, terms, level, ends, lines, doubt, small):
    """Move the right ends of some lines inwards by Newton's method; -inf where the slope changes sign above the level.

    ``doubt`` is set for the ends that rounding may move, ``small`` tells whether log g is known relative to its size.
    """
    position, half = ends[lines], ends.size // 2
    every, steepness = lines, np.empty(ends.size)
    lowest, highest = terms[0].min(axis=0), terms[0].max(axis=0)
    # The slopes are a distribution's whose variance, the second derivative of log g, is at most a quarter of this.
    spread, steepest, count = (highest - lowest) ** 2, np.maximum(highest, -lowest), len(terms[0])
    going = np.ones(lines.size, dtype=bool)
    # Where the lines that are done have stopped, and the slopes there.
    stopped, last_slope = position.copy(), np.zeros_like(position)
    for _ in range(_MOST_STEPS):
        value, slope = evaluate(position, *terms)
        above = value - level
        turned = (slope <= 0) & (above > 0)
        step = np.divide(above, slope, out=np.zeros_like(slope), where=(above > 0) & (slope > 0))
        position = position - step
        np.copyto(stopped, np.where(turned, -np.inf, position), where=going)
        np.copyto(last_slope, slope, where=going)
        ends[lines] = stopped
        distance = np.abs(position)
        size = np.maximum(distance, 1.0)
        # The error left by a step is at most its square times the second derivative over twice the slope.
        far = step * step * spread > 8 * _PRECISION * slope * size
        if (step > _LONG_STEP).any():
            far |= step > _LONG_STEP * size
        # Both ends come from outside: an interval whose ends have passed each other is empty. Its mirror image lies half
        # an array away.
        passed = stopped < -ends[lines - half]
        going &= far & ~turned & ~passed & (step > _PRECISION * distance)
        left = np.count_nonzero(going)
        if not left:
            break
        # Dropping finished lines costs as much as evaluating them once more.
        if 1 < left < going.size / 2:
            steepness[lines] = last_slope
            kept = np.flatnonzero(going)
            lines, position, spread, terms = lines[kept], position[kept], spread[kept], _columns(terms, kept)
            stopped, last_slope, going = stopped[kept], last_slope[kept], going[kept]
    else:
        raise ConvergenceError(f"Newton's method has not converged in {_MOST_STEPS} steps")
    steepness[lines] = last_slope
    # Where one end has met a rising slope, the other one has passed a minimum and is flat.
    steepness = np.abs(steepness[every])
    distance = np.minimum(np.abs(ends[every]), _FAR)
    # Few are, and for the others the rounding of a log g that is not small tells enough.
    flat = np.flatnonzero(_rounding(steepest * distance, count) * np.maximum(distance, 1.0) > _SHARP * steepness)
    flat = flat[distance[flat] < _FAR]
    exponents, distance = steepest[flat] * distance[flat], distance[flat]
    rounding = _rounding(exponents, count)
    if small:
        rounding *= np.minimum(exponents + abs(level), 1.0)
    unsure = rounding * np.maximum(distance, 1.0) > _SHARP * steepness[flat]
    doubt[every[flat[unsure]]] = rounding[unsure]


def _rounding(exponents, count):
    """What rounding may do to log g, a sum of so many exponentials with exponents up to these."""
    return _UNIT * (_ROUNDINGS * (1 + exponents) + count)


def _anywhere(position, slopes, exponents, weights=None):
    """log g, relative to the level, and its slope, from the exponents a + b r of its terms, and weights beside them."""
    terms = slopes * position
    terms += exponents
    # To the right of the interval one term at least is not small; a shift is needed only against overflow.
    largest = 0.0
    if terms.max() > _LARGEST_EXPONENT:
        largest = terms.max(axis=0)
        terms -= largest
    np.exp(terms, out=terms)
    if weights is not None:
        terms *= weights
    total = terms.sum(axis=0)
    terms *= slopes
    return largest + np.log(total), terms.sum(axis=0) / total


def _near_zero(position, slopes, offsets, weights):
    """The same with full relative accuracy where log g is small."""
    terms = weights * np.expm1(np.minimum(slopes * position - offsets, _LARGEST_EXPONENT))
    total = terms.sum(axis=0)
    return np.log1p(total), ((terms + weights) * slopes).sum(axis=0) / (1 + total)
