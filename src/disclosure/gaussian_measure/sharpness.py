"""How sharply the ends of intervals are known, that is, what the rounding of log g may do to them."""

import numpy as np

from disclosure.numerics.normal import FAR, density
from disclosure.numerics.rounding import UNIT
from disclosure.numerics.types import FloatArray, IntArray

__all__ = ["Ends", "rounding_of_log", "set_sharpness"]

# An end is sharp if the rounding of log g moves it by no more than this, over its distance from 0 where that is above 1. A
# normal tail beyond it then changes by a third of the relative error 1e-11 that `terms.rounding` grants a probability.
_SHARP = 3e-12
# An end may be moved by rounding by up to this, over its distance from 0 where that is above 1, and still have a bound on the
# mass that it passes over: on the way the density changes by less than this factor.
_STEADY, _CHANGE_OF_DENSITY = 0.1, 1.2
# How many roundings of a product of slope and position go into an exponent and its exponential, at most.
_ROUNDINGS = 8


class Ends:
    """Right ends of k intervals and of their k mirror images, and what rounding may do to them; see `crossings.Sublevel`."""

    def __init__(self, places: FloatArray) -> None:
        self.places = places  # inf where unbounded, -inf where the interval is empty
        self.doubt = np.zeros(places.size)
        self.passed = np.zeros(places.size)


def set_sharpness(
    ends: Ends,
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
    ends : Ends
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
    rounding = rounding_of_log(steepest * distance, count)
    some = np.flatnonzero((rounding * np.maximum(distance, 1.0) > _SHARP * steepness) & (distance < FAR))
    if not some.size:
        return
    rounding, distance, steepness, steepest = rounding[some], distance[some], steepness[some], steepest[some]
    size = np.maximum(distance, 1.0)
    if small_level is not None:
        rounding *= np.minimum(steepest * distance + small_level, 1.0)
    move = 2 * rounding / steepness
    bounded = (steepness**2 > spread[some] * rounding_of_log(steepest * FAR, count)) & (move * size <= _STEADY)
    passed = np.where(bounded, _CHANGE_OF_DENSITY * move * density(distance), np.inf)
    unsure = rounding * size > _SHARP * steepness
    chosen = lines[some[unsure]]
    ends.doubt[chosen], ends.passed[chosen] = rounding[unsure], passed[unsure]


def rounding_of_log(exponents: FloatArray | float, count: int) -> FloatArray:
    """What rounding may do to log g, a sum of so many exponentials with exponents up to these."""
    return np.asarray(UNIT * (_ROUNDINGS * (1 + exponents) + count))
