"""How sharply the ends of intervals are known, that is, what the rounding of log g may do to them."""

import numpy as np

from disclosure.numerics.normal import FAR, density
from disclosure.numerics.rounding import UNIT
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["Ends", "least_surely_above", "rounding_of_log", "set_sharpness"]

# An end r is sharp if the rounding of log g moves it by at most this over max(|r|, 1). The normal tail beyond a sharp end
# changes by a relative 3e-12 at most, a third of the 1e-11 that `terms.rounding` allows.
_SHARP = 3e-12
# If rounding moves an end r by at most `_STEADY` over max(|r|, 1), the normal density changes by less than the factor
# `_CHANGE_OF_DENSITY` on the way. So the mass that the end passes over has a bound.
_STEADY, _CHANGE_OF_DENSITY = 0.1, 1.2
# Roundings that go into a term of the mixture at most, each of them relative to 1 + |slope times position|.
_ROUNDINGS = 8


class Ends:
    """Right ends of k intervals and of their k mirror images, and what rounding may do to them; see `crossings.Sublevel`.

    Each array has the shape (2 k,).
    """

    def __init__(self, places: FloatArray) -> None:
        self.places = places  # inf if the interval is unbounded, -inf if it is empty
        self.doubt = np.zeros(places.size)
        self.passed = np.zeros(places.size)
        self.surely_empty = np.zeros(places.size, dtype=bool)  # not by rounding alone


def set_sharpness(
    ends: Ends,
    lines: IntArray,
    steepness: FloatArray,
    steepest: FloatArray,
    spread: FloatArray,
    count: int,
    small_levels: FloatArray | None,
) -> None:
    """Set ``doubt`` and ``passed`` of some ends; see `crossings.Sublevel`.

    Let eta be a bound on the rounding error of log g, s the slope of log g at an end, and D^2 the ``spread`` of the slopes, so
    that the second derivative of log g is at most D^2 / 4. Rounding moves the end outwards by at most eta / s, since log g is
    convex, and inwards by at most 2 eta / s if D^2 eta <= 2 s^2. If two ends have passed each other, the true interval is no
    longer than the sum of their eta / s. If s^2 <= D^2 eta, with eta at the largest distance, rounding might shut the interval:
    then there is no bound (docs/method.md, "log g is convex").

    Parameters
    ----------
    ends : Ends
    lines : ndarray of int, shape (n,)
        The ends that are looked at.
    steepness, steepest, spread : ndarray, shape (n,)
        |s|; the largest absolute slope of a term; D^2.
    count : int
        Number of terms.
    small_levels : ndarray, shape (n,), or None
        |level| if log g was evaluated by `exponential_sums.near_zero`, whose error is relative to log g; None if by `anywhere`.
    """
    # Ends at infinity, of empty or unbounded intervals, count as at `FAR`, beyond which there is no mass.
    distance = np.minimum(np.abs(ends.places[lines]), FAR)
    # Nearly all ends are sharp already by the larger, absolute bound on the rounding, and need no closer look.
    rounding = rounding_of_log(steepest * distance, count)
    some = np.flatnonzero((rounding * np.maximum(distance, 1.0) > _SHARP * steepness) & (distance < FAR))
    if not some.size:
        return
    rounding, distance, steepness, steepest = rounding[some], distance[some], steepness[some], steepest[some]
    size = np.maximum(distance, 1.0)
    if small_levels is not None:
        rounding *= np.minimum(steepest * distance + small_levels[some], 1.0)
    move = 2 * rounding / steepness
    bounded = (steepness**2 > spread[some] * rounding_of_log(steepest * FAR, count)) & (move * size <= _STEADY)
    passed = np.where(bounded, _CHANGE_OF_DENSITY * move * density(distance), np.inf)
    unsure = rounding * size > _SHARP * steepness
    chosen = lines[some[unsure]]
    ends.doubt[chosen], ends.passed[chosen] = rounding[unsure], passed[unsure]


def rounding_of_log(exponents: FloatArray | float, count: int) -> FloatArray:
    """Bound on the absolute rounding error of log g, a sum of ``count`` exponentials with exponents up to ``exponents``."""
    return np.asarray(UNIT * (_ROUNDINGS * (1 + exponents) + count))


def least_surely_above(steepest: FloatArray, count: int) -> FloatArray:
    """How far log g must be above a level where its slope has changed sign, so that it is above it in truth and everywhere.

    That is more than the rounding of log g, and of its slope over the largest distance.
    """
    farthest = steepest * FAR
    return np.asarray((1 + farthest) * rounding_of_log(farthest, count))
