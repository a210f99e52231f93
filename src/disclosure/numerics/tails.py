"""Mills' ratio, masses of intervals over a density, and ratios of normal tails, without cancellation however short."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfcx, log_ndtr, ndtr

from disclosure.numerics.normal import interval_mass
from disclosure.numerics.types import FloatArray

__all__ = ["log_shifted_tail_ratio", "mass_over_density", "mills", "mills_drop"]

# Nodes of Gauss's rule. It integrates to the last digit the derivative of Mills' ratio over an interval from x of a length up
# to x + 1, and the normal density over an interval of a length up to 1, or up to 1 / x at a distance x.
_ORDER = 16
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(_ORDER)


def mills(x: ArrayLike) -> FloatArray:
    """Mills' ratio, the upper tail of the standard normal distribution over its density.

    Parameters
    ----------
    x : array_like
        In [0, inf).

    Returns
    -------
    ndarray

    Examples
    --------
    >>> float(mills(0.0))
    1.25331...
    """
    return np.asarray(np.sqrt(np.pi / 2) * erfcx(np.asarray(x, dtype=float) / np.sqrt(2)))


def mills_drop(x: ArrayLike, shift: ArrayLike) -> FloatArray:
    """By which share of itself Mills' ratio is lower after a shift, 1 - m(x + shift) / m(x).

    Parameters
    ----------
    x, shift : array_like
        In [0, inf), broadcast against each other.

    Returns
    -------
    ndarray
        In [0, 1]; for x up to 40 with a relative error below 1e-12, beyond which the cancellation in m' = x m - 1
        costs digits in proportion to x^2.

    Examples
    --------
    >>> float(mills_drop(0.0, 1e-9))
    7.978845...e-10
    """
    x, shift = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(shift, dtype=float))
    start = mills(x)
    far = 1 - mills(x + shift) / start
    points = x[..., None] + shift[..., None] * (_NODES + 1) / 2
    near = shift / 2 * ((1 - points * mills(points)) @ _WEIGHTS) / start
    # The difference of two close values cancels; the integral of the derivative does not.
    return np.where(shift > x + 1, far, near)


def mass_over_density(start: ArrayLike, width: ArrayLike) -> FloatArray:
    """Normal mass of an interval over the density at its start, the integral of exp(-start v - v^2 / 2) for v up to a width.

    `decimal_tails.mass_over_density` is the same in decimal arithmetic.

    Parameters
    ----------
    start, width : array_like
        In [0, inf), in standard deviations, broadcast against each other.

    Returns
    -------
    ndarray
        With a relative error below 1e-14.

    Examples
    --------
    >>> float(mass_over_density(0.0, 1.0))
    0.85562439...
    """
    start, width = np.broadcast_arrays(np.asarray(start, dtype=float), np.asarray(width, dtype=float))
    far = mills(start) - np.exp(-width * (start + width / 2)) * mills(start + width)
    narrow = width * np.maximum(1.0, start) < 1
    # The difference of two close values cancels; the integral of the ratio of densities does not.
    points = np.where(narrow, width, 0.0)[..., None] * (_NODES + 1) / 2
    near = width / 2 * (np.exp(-points * (start[..., None] + points / 2)) @ _WEIGHTS)
    return np.where(narrow, near, far)


def log_shifted_tail_ratio(a: ArrayLike, shift: ArrayLike) -> FloatArray:
    """Log of Phi(a - shift) / Phi(a), with Phi the standard normal distribution function.

    Parameters
    ----------
    a : array_like
        In (-inf, inf).
    shift : array_like
        In [0, inf).

    Returns
    -------
    ndarray
        In [-inf, 0], with full relative accuracy in the tails and for small shifts.

    Examples
    --------
    >>> float(log_shifted_tail_ratio(0.0, 1.0))
    -1.14787...
    >>> float(log_shifted_tail_ratio(-30.0, 1e-9))
    -3.00332...e-08
    """
    a, shift = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(shift, dtype=float))
    x = np.maximum(-a, 0.0)
    with np.errstate(divide="ignore"):
        # Phi(-x) = phi(x) m(x): below 0 the ratio's logarithm is a sum of negative terms.
        lower = -shift * (x + shift / 2) + np.log1p(-mills_drop(x, shift))
        share = _mass_below(np.maximum(a, 0.0), shift) / ndtr(np.maximum(a, 0.0))
        upper = np.where(share < 0.5, np.log1p(-np.minimum(share, 0.5)), log_ndtr(a - shift) - log_ndtr(a))
    return np.asarray(np.where(a > 0, upper, lower))


def _mass_below(a: FloatArray, shift: FloatArray) -> FloatArray:
    """Phi(a) - Phi(a - shift), also for a shift that a itself would swallow."""
    points = a[..., None] - shift[..., None] * (_NODES + 1) / 2
    near = shift / 2 * (np.exp(-(points**2) / 2) @ _WEIGHTS) / np.sqrt(2 * np.pi)
    return np.where(shift > 1, interval_mass(a - shift, a), near)
