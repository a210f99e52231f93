"""Where a density of an attribute on the unit interval is looked at: points dense enough to see all of its changes."""

import itertools
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from disclosure.numerics.types import FloatArray

__all__ = ["CLOSE", "LOWEST", "evenly", "log_table", "snapped", "support"]

# Distance from an end within which a rule in a root of the distance follows the density (`densities.Density.rule`), so that
# the table need not.
CLOSE = 1e-4
# Natural logarithm of the largest value of a density over the smallest that still gets panels: e^-700 of a mass is the
# least that a float can tell from 0 next to it.
LOWEST = 700.0
# Largest difference of a density's logarithm between two points next to each other: a factor of 4.5.
_STEP = 1.5
# Rounds in which intervals with a larger difference are halved; 2^-40 of the first ones is next to a float's resolution.
_HALVINGS = 40
# Points on the whole interval, and on each piece between two breaks, at which a density is looked at first.
_EVENLY, _ON_PIECE = 513, 65
# Distances from an end of the first points next to it: the least, the largest, and how many.
_NEAR_END = 1e-12, 1e-3, 40
# Distance from an end at which a density is looked at in place of the end itself, where it may be infinite.
_INSIDE = 1e-13
# Two points closer to each other than this are taken for one: a break that a caller gives, and an end that was found.
_SAME = 1e-9


def evenly(breaks: Sequence[float] | FloatArray, more: ArrayLike = ()) -> FloatArray:
    """Points of [0, 1] at which a density is looked at first: evenly spaced ones, denser towards both ends.

    Parameters
    ----------
    breaks : sequence of float
        From 0 to 1: the ends, and points at which the density is not smooth. Each piece between two gets points of its own.
    more : array_like, optional
        Further points.
    """
    near = np.concatenate([[0.0], np.geomspace(*_NEAR_END)])
    pieces = [np.linspace(*piece, _ON_PIECE) for piece in itertools.pairwise(breaks)] if len(breaks) > 2 else []
    return np.unique(np.concatenate([near, np.linspace(0, 1, _EVENLY), 1 - near, *pieces, breaks, np.asarray(more)]))


def log_table(
    function: Callable[[FloatArray], FloatArray], breaks: Sequence[float] | FloatArray, more: ArrayLike = ()
) -> tuple[FloatArray, FloatArray]:
    """Points of [0, 1], and a density's natural logarithm there, which changes by at most 1.5 from one to the next.

    Differences below e^-700 of the largest value, and within 1e-4 of an end, are left as they are.

    Parameters
    ----------
    function : callable
        From an array of points in (0, 1) to the density there.
    breaks, more
        As in `evenly`.
    """

    def logs(points: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return np.log(function(np.clip(points, _INSIDE, 1 - _INSIDE)))

    points = evenly(breaks, more)
    log = logs(points)
    for _ in range(_HALVINGS):
        seen = np.maximum(log, log.max() - LOWEST) if log.max() > -np.inf else np.zeros_like(log)
        middle = (points[1:] + points[:-1]) / 2
        wide = (np.abs(np.diff(seen)) > _STEP) & (middle > CLOSE) & (middle < 1 - CLOSE)
        wide &= (middle > points[:-1]) & (middle < points[1:])
        if not wide.any():
            break
        points, log = (
            np.insert(old, np.flatnonzero(wide) + 1, new)
            for old, new in ((points, middle[wide]), (log, logs(middle[wide])))
        )
    return points, log


def support(points: FloatArray, log: FloatArray) -> tuple[float, float]:
    """Last point before a density becomes positive, and first point after it has ended.

    Parameters
    ----------
    points, log : ndarray, shape (k,)
        A table of the density's logarithm, not everywhere -inf.
    """
    positive = np.flatnonzero(log > -np.inf)
    return float(points[max(positive[0] - 1, 0)]), float(points[min(positive[-1] + 1, len(points) - 1)])


def snapped(place: float, breaks: FloatArray) -> float:
    """The break nearest to a place if the two are closer than 1e-9, else the place."""
    nearest = breaks[np.argmin(np.abs(breaks - place))]
    return float(nearest if abs(nearest - place) < _SAME else place)
