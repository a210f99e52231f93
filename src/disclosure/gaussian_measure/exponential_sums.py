"""log g along lines, and its slope: the two forms that Newton's method of `crossings` evaluates.

Along a line the mixture g of `terms` is a sum of exponentials of affine functions of the position. One form holds at any level;
the other one keeps the relative accuracy of a log g near 0. Terms may overflow on the way, and sums underflow: callers let
numpy pass over that (`numpy.errstate`), once for all steps.
"""

import numpy as np

from disclosure.numerics import ordered_sums
from disclosure.numerics.types import FloatArray

__all__ = ["SMALL_LEVEL", "anywhere", "near_zero"]

# Below this level log g is evaluated as log1p of a sum of expm1, which keeps its relative accuracy near 0.
SMALL_LEVEL = 0.05
# Exponentials, and their products with slopes, stay finite up to this exponent.
_LARGEST_EXPONENT = 700.0
_LARGEST = float(np.exp(_LARGEST_EXPONENT))


def anywhere(
    position: FloatArray, slopes: FloatArray, exponents: FloatArray, weights: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """log g, relative to the level, and its slope, from the exponents a + b r of its terms, and weights beside them.

    Parameters
    ----------
    position : ndarray, shape (n,)
        r, one for each of n lines.
    slopes, exponents : ndarray, shape (p, n)
        b and a of the p terms; two lines at least, since numpy adds up a single column in another order.
    weights : ndarray, shape (p, n) or (p, 1), optional
        Of any sign; 1 by default.

    Returns
    -------
    value, slope : ndarray, shape (n,)
    """
    total, rise = _sums(position, slopes, exponents, weights)
    value = np.log(total)
    # To the right of the interval one term at least is not small, so the sum does not underflow. Against overflow the exponents
    # are shifted by the largest. Only the lines that need it are shifted, so that no line's digits depend on the others.
    large = total > _LARGEST
    if large.any():
        tables = [slopes, exponents] if weights is None else [slopes, exponents, weights]
        chosen = np.flatnonzero(large)
        chosen = np.resize(chosen, max(2, chosen.size))
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


def near_zero(
    position: FloatArray, slopes: FloatArray, offsets: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """log g and its slope with full relative accuracy where log g is small.

    Parameters
    ----------
    position, slopes
        As in `anywhere`.
    offsets : ndarray, shape (p, n)
        The terms are exp(b r - d).
    weights : ndarray, shape (p, n) or (p, 1)
        Each column sums to 1.

    Returns
    -------
    value, slope : ndarray, shape (n,)
    """
    terms = weights * np.expm1(np.minimum(slopes * position - offsets, _LARGEST_EXPONENT))
    total = terms.sum(axis=0)
    return np.log1p(total), ((terms + weights) * slopes).sum(axis=0) / (1 + total)
