"""Mass of the standard normal distribution along rays, in closed form or by one rule on the window that matters."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfc

from disclosure.numerics.normal import FAR
from disclosure.numerics.types import FloatArray

__all__ = ["chi_tail", "ray_mass"]

# How far, in its logarithm, an integrand may fall below its largest value before it no longer counts: e^-36 is 2e-16.
_NEGLIGIBLE = 36.0
# On the window that is left, 12 widths of a bell curve at most, 40 nodes of Gauss's rule are good to 1e-13.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)


def chi_tail(radius: ArrayLike, dimension: int) -> FloatArray:
    """Probability that a standard normal vector is longer than a radius, accurate however small it is.

    The regularised incomplete gamma function of dimension / 2 at radius^2 / 2, by its recurrence: a sum of positive terms, and
    two to three times as fast as `scipy.special.gammaincc`.

    Parameters
    ----------
    radius : array_like
        In [0, inf].
    dimension : int
        Of the vector, at least 1.

    Returns
    -------
    ndarray
        Of the shape of ``radius``.
    """
    half_square = np.minimum(radius, FAR) ** 2 / 2
    term = np.exp(-half_square)
    if dimension % 2:
        tail, term, first = erfc(np.sqrt(half_square)), term * 2 * np.sqrt(half_square / np.pi), 1.5
    else:
        tail, first = np.zeros_like(half_square), 1.0
    for order in range((dimension + 1) // 2 - dimension % 2):
        tail = tail + term
        term = term * (half_square / (first + order))
    return np.asarray(tail)


def ray_mass(points: FloatArray, directions: FloatArray, ends: FloatArray) -> FloatArray:
    """Integral of r^(q - 1) exp(-|a + r v|^2 / 2) over r from 0 to an end, along rays a + r v in q dimensions.

    The integrand is log-concave. Let s = |v|^2, t = <a, v>, and P its peak, where (q - 1) / P = s P + t. To the left of the top
    of the window, P or the end, its logarithm falls by at least the slope there times the distance, plus half of the curvature
    s + (q - 1) / P^2 times its square; the curvature only grows. To the right of P it falls by at least s (r - P)^2 / 2, and
    with x = r / P - 1 by at least (q - 1) (x - log(1 + x)) >= (q - 1) x^2 / (2 + 2 x). Each bound is solved for the place at
    which the fall is `_NEGLIGIBLE`.

    Parameters
    ----------
    points, directions : ndarray, shape (..., q)
        a and v, in units of the noise, with q >= 2; v of any length but 0.
    ends : ndarray, shape (...)
        In [0, inf], in units of the length of v.

    Returns
    -------
    ndarray, shape (...)
    """
    power = directions.shape[-1] - 1
    square, product = (directions**2).sum(axis=-1), (points * directions).sum(axis=-1)
    root = np.sqrt(product**2 + 4 * square * power)
    # The two forms of the positive root: of each the one that does not cancel.
    peak = np.where(product > 0, 2 * power / (product + root), (root - product) / (2 * square))
    top = np.minimum(ends, peak)
    with np.errstate(divide="ignore", invalid="ignore"):
        rise = np.where(top < peak, np.maximum(power / top - square * top - product, 0.0), 0.0)
    curvature = square + power / peak**2
    low = np.maximum(top - 2 * _NEGLIGIBLE / (rise + np.sqrt(rise**2 + 2 * _NEGLIGIBLE * curvature)), 0.0)
    share = 2 * _NEGLIGIBLE / power
    widest = peak * (share + np.sqrt(share**2 + 4 * share)) / 2
    high = np.minimum(ends, peak + np.minimum(widest, np.sqrt(2 * _NEGLIGIBLE / square)))
    half = (high - low) / 2
    r = ((high + low) / 2)[..., None] + half[..., None] * _NODES
    exponents = -(square[..., None] * r + 2 * product[..., None]) * r / 2 - (points**2).sum(axis=-1)[..., None] / 2
    return np.asarray(half * (r**power * np.exp(exponents) * _WEIGHTS).sum(axis=-1))
