"""Where a mixture of exponentials along a line lies below a level.

Along a line the mixture g of `ratio` is a sum of exponentials of affine functions of the position r,

    g(r) = sum_j w_j exp(-(r b_j + d_j)),

and log g is convex. So {log g < level} is an open interval. Newton's method, started where one term alone already
reaches the level, stays outside the interval and moves monotonically to its end; where the slope changes sign before
the level is reached, the interval is empty.
"""

import numpy as np

__all__ = ["sublevel"]

_MOST_STEPS = 200
_PRECISION = 1e-15
# Below this level log g is evaluated as log1p of a sum of expm1, which keeps its relative accuracy near 0.
_SMALL_LEVEL = 0.05
_LARGEST_EXPONENT = 700.0


def sublevel(slopes, offsets, weights, level, closed=False):
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

    Returns
    -------
    left, right : ndarray, shape (k,)
        Possibly infinite; ``left = inf`` and ``right = -inf`` where the interval is empty.

    Raises
    ------
    ArithmeticError
        If Newton's method has not converged.
    """
    lines = slopes.shape[1]
    if level == -np.inf:
        return np.full(lines, np.inf), np.full(lines, -np.inf)
    ends = _right_ends(slopes, offsets, weights, level, closed)
    left, right = -ends[lines:], ends[:lines]
    empty = ~(left < right)
    left[empty], right[empty] = np.inf, -np.inf
    return left, right


def _right_ends(slopes, offsets, weights, level, closed):
    """Right ends of the k intervals and of their k mirror images: inf where unbounded, -inf where the interval is empty."""
    exponents = np.log(weights) - offsets
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        alone = (exponents - level) / slopes
    # A term so flat that it reaches the level beyond all floats leaves the end there, on whichever side.
    starts = [
        np.where(side, reached, np.inf).min(axis=0) for side, reached in ((slopes < 0, alone), (slopes > 0, -alone))
    ]
    ends = np.concatenate(starts)
    chosen = np.flatnonzero(np.isfinite(ends))
    # Without a rising term log g falls to the weight of the constant ones, and may never pass the level.
    falling = np.flatnonzero(np.concatenate([(slopes >= 0).all(axis=0), (slopes <= 0).all(axis=0)]))
    if falling.size:
        lines = falling % slopes.shape[1]
        limit = _limit(slopes[:, lines], offsets[:, lines], weights if weights.shape[1] == 1 else weights[:, lines])
        ends[falling] = np.where(limit > level if closed else limit >= level, -np.inf, np.inf)
    if chosen.size:
        mirrored = np.concatenate([-slopes, slopes], axis=1)
        if abs(level) < _SMALL_LEVEL:
            evaluate, terms = (
                _near_zero,
                (mirrored, np.tile(offsets, 2), weights if weights.shape[1] == 1 else np.tile(weights, 2)),
            )
        else:
            evaluate, terms = _anywhere, (mirrored, np.tile(exponents, 2))
        _newton(evaluate, _columns(terms, chosen), level, ends, chosen)
    return ends


def _columns(terms, chosen):
    return [term if term.shape[1] == 1 else term[:, chosen] for term in terms]


def _limit(slopes, offsets, weights):
    """Logarithm of the terms that stay when the others have died out."""
    # Through the complement, so that constant terms alone, without an offset, give exactly 0.
    dying = np.where(slopes != 0, weights, -weights * np.expm1(-offsets)).sum(axis=0)
    with np.errstate(divide="ignore"):
        return np.where((slopes != 0).all(axis=0), -np.inf, np.log1p(-np.minimum(dying, 1.0)))


def _newton(evaluate, terms, level, ends, lines):
    """Move the right ends of some lines inwards by Newton's method; -inf where the slope changes sign above the level."""
    position = ends[lines]
    # The slopes are a distribution's whose variance, the second derivative of log g, is at most a quarter of this.
    spread = (terms[0].max(axis=0) - terms[0].min(axis=0)) ** 2
    going = np.ones(lines.size, dtype=bool)
    for _ in range(_MOST_STEPS):
        value, slope = evaluate(position, *terms)
        above = value - level
        turned = (slope <= 0) & (above > 0)
        step = np.divide(above, slope, out=np.zeros_like(slope), where=(above > 0) & (slope > 0))
        position = position - step
        ends[lines[going]] = np.where(turned, -np.inf, position)[going]
        # The error left by a step is at most its square times the second derivative over twice the slope.
        with np.errstate(over="ignore"):
            far = step * step * spread > 8 * _PRECISION * slope * np.maximum(np.abs(position), 1.0)
        # Both ends come from outside: an interval whose ends have passed each other is empty. Its mirror image lies half
        # an array away.
        passed = ends[lines] < -ends[lines - ends.size // 2]
        going &= far & ~turned & ~passed & (step > _PRECISION * np.abs(position))
        left = np.count_nonzero(going)
        if not left:
            return
        # Dropping finished lines costs as much as evaluating them once more.
        if left < going.size / 2:
            lines, position, spread, terms = lines[going], position[going], spread[going], _columns(terms, going)
            going = np.ones(left, dtype=bool)
    raise ArithmeticError(f"Newton's method has not converged in {_MOST_STEPS} steps for level {level}")


def _anywhere(position, slopes, exponents):
    """log g and its slope, from the exponents a + b r of its terms."""
    terms = slopes * position
    terms += exponents
    # To the right of the interval one term at least is not small; a shift is needed only against overflow.
    largest = 0.0
    if terms.max() > _LARGEST_EXPONENT:
        largest = terms.max(axis=0)
        terms -= largest
    np.exp(terms, out=terms)
    total = terms.sum(axis=0)
    terms *= slopes
    return largest + np.log(total), terms.sum(axis=0) / total


def _near_zero(position, slopes, offsets, weights):
    """The same with full relative accuracy where log g is small."""
    terms = weights * np.expm1(np.minimum(slopes * position - offsets, _LARGEST_EXPONENT))
    total = terms.sum(axis=0)
    return np.log1p(total), ((terms + weights) * slopes).sum(axis=0) / (1 + total)
