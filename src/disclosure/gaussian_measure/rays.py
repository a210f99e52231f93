"""Mass of the standard normal distribution along rays: in closed form from the origin, by Gauss's rule from other points."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfc

from disclosure.numerics.normal import FAR
from disclosure.numerics.types import FloatArray

__all__ = ["chi_tail", "ray_mass"]

# Natural logarithm. An integrand is left out where it is smaller than its largest value by more than e^36: e^-36 is 2e-16.
_NEGLIGIBLE = 36.0
# Nodes of Gauss's rule. The part of an integrand that is not left out is at most 12 standard deviations of a bell curve wide;
# on that the rule is good to a relative 1e-13.
_ORDER = 40
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(_ORDER)


def chi_tail(radius: ArrayLike, dimension: int) -> FloatArray:
    """Probability that a standard normal vector is longer than a radius, accurate however small it is.

    It is the regularised upper incomplete gamma function Q(dimension / 2, radius^2 / 2). The recurrence of Q in its first
    argument gives it as a sum of positive terms, two to three times as fast as `scipy.special.gammaincc`.

    Parameters
    ----------
    radius : array_like
        In [0, inf], in standard deviations.
    dimension : int
        Number of coordinates of the vector, at least 1.

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

    Gauss's rule is applied to a window, outside of which the integrand is negligible. Let s = |v|^2 and t = <a, v>. The
    logarithm of the integrand is concave, and largest at the peak P with (q - 1) / P = s P + t. The top is P, or the end if
    that is smaller. At a distance d to the left of the top the logarithm has fallen by at least d times the slope at the top
    plus d^2 / 2 times the curvature s + (q - 1) / P^2, since the curvature grows to the left. To the right of P it has fallen
    by at least s (r - P)^2 / 2, and with x = r / P - 1 also by at least (q - 1) (x - log(1 + x)) >= (q - 1) x^2 / (2 + 2 x).
    Each of these bounds, set to `_NEGLIGIBLE`, is solved for r; that gives the ends of the window.

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
    # The positive root of s P^2 + t P = q - 1, in whichever of its two forms does not cancel.
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
