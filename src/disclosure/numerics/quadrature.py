"""Integrals of functions of one variable: Gauss rules on panels, adaptive integration, and panels that follow a demand.

A panel is an interval on which one Gauss rule is applied.
"""

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from disclosure.numerics import errors
from disclosure.numerics.types import FloatArray

__all__ = ["MOST_PANELS", "Integral", "Work", "adaptive", "composite", "every_second", "gauss", "graded", "partition"]

# The positive half of the 15 nodes of Kronrod's rule, with their weights; every second node belongs to the Gauss rule of 7
# nodes. They stand here since scipy keeps its table private: `scipy.integrate.cubature(rule="gk15")` offers whole
# integrals only, and `every_second` wants the Gauss rule alone on the panels that were found.
_KRONROD_NODES = np.array(
    [
        0.991455371120812639206854697526329,
        0.949107912342758524526189684047851,
        0.864864423359769072789712788640926,
        0.741531185599394439863864773280788,
        0.586087235467691130294144045693990,
        0.405845151377397166906606412076961,
        0.207784955007898467600689403773245,
        0.0,
    ]
)
_KRONROD_WEIGHTS = np.array(
    [
        0.022935322010529224963732008058970,
        0.063092092629978553290700663189204,
        0.104790010322250183839876322541518,
        0.140653259715525918745189590510238,
        0.169004726639267902826583426598550,
        0.190350578064785409913256402421014,
        0.204432940075298892414161999234649,
        0.209482141084727828012999174891714,
    ]
)
_NODES = np.concatenate([-_KRONROD_NODES, _KRONROD_NODES[-2::-1]])
_WEIGHTS = np.concatenate([_KRONROD_WEIGHTS, _KRONROD_WEIGHTS[-2::-1]])
_GAUSS_WEIGHTS = np.zeros(15)
_GAUSS_WEIGHTS[1::2] = np.polynomial.legendre.leggauss(7)[1]
# Panels at which `adaptive` ends. With more, its rules are likely to differ by the rounding errors of the function itself,
# which halving does not lessen.
MOST_PANELS = 80
# Slope that `partition` adds to a demand, in panels over all points: it keeps the inversion of a flat demand defined, and
# moves an end of a panel by a billionth of what the points span at most.
_LEAST_SLOPE = 1e-9


class Integral(NamedTuple):
    """An integral, an estimate of its absolute error, and the ends of the panels on which it was found."""

    value: float
    error: float
    ends: FloatArray


class Work:
    """Counts the work done for one answer, and ends it when it becomes too much.

    Work is counted in evaluations, not in seconds, so that it ends at the same place on every machine.

    Parameters
    ----------
    most : float, optional
        Work allowed, in units of about half a millisecond.
    what : str, optional
        Name of the answer, for the message of the error.
    """

    def __init__(self, most: float = np.inf, what: str = "the number") -> None:
        self.most, self.what, self.done = most, what, 0.0

    def spend(self, amount: float) -> None:
        """Add to the work done, or raise `ConvergenceError` if that is more than is allowed."""
        self.done += amount
        if self.done > self.most:
            raise errors.ConvergenceError(
                f"{self.what} was not found within the work allowed ({self.most:.3g} units of about half a millisecond); "
                "a larger rtol, more noise or fewer neighbours take less"
            )


@functools.cache
def gauss(order: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of the Gauss-Legendre rule on [-1, 1]."""
    return np.polynomial.legendre.leggauss(order)


def composite(ends: FloatArray, order: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss rules on panels.

    Parameters
    ----------
    ends : ndarray, shape (k + 1,)
        Increasing.
    order : int
        Nodes a panel.

    Returns
    -------
    nodes, weights : ndarray, shape (k * order,)
        Panel by panel.

    Examples
    --------
    >>> nodes, weights = composite(np.array([0.0, 1.0, 3.0]), 2)
    >>> round(float(weights @ nodes**3), 12)
    20.25
    """
    nodes, weights = gauss(order)
    half = np.diff(ends)[:, None] / 2
    return ((ends[1:, None] + ends[:-1, None]) / 2 + half * nodes).ravel(), (half * weights).ravel()


def adaptive(
    function: Callable[[FloatArray], FloatArray], ends: ArrayLike, rtol: float, most_panels: int = MOST_PANELS
) -> Integral:
    """Integral of a positive function by two rules on each panel: panels are halved until the two agree.

    The rules are Kronrod's with 15 nodes and Gauss's with 7 of these.

    Parameters
    ----------
    function : callable
        From an array of points to the array of values there.
    ends : array_like, shape (k + 1,)
        Ends of the first panels, increasing.
    rtol : float
        Wanted relative error.
    most_panels : int, optional
        Number of panels at which halving ends.

    Returns
    -------
    Integral
        ``error`` is the sum over panels of the differences of the two rules. It is far above the error of Kronrod's rule
        wherever the function is smooth.
    """
    ends = np.asarray(ends, dtype=float)
    low, high = ends[:-1], ends[1:]
    values, errors, done = np.empty(0), np.empty(0), np.empty((0, 2))
    while low.size:
        new_values, new_errors = _panels(function, low, high)
        values, errors = np.concatenate([values, new_values]), np.concatenate([errors, new_errors])
        done = np.concatenate([done, np.column_stack([low, high])])
        total = abs(values.sum())
        if errors.sum() <= rtol * total or len(done) >= most_panels:
            break
        # The panels with the largest errors, until those of the others sum to half of what is allowed.
        order = np.argsort(-errors, kind="stable")
        kept = np.cumsum(errors[order][::-1])[::-1]
        halve = order[(kept > rtol * total / 2) & (errors[order] > 0)]
        middle = done[halve].mean(axis=1)
        narrow = (middle <= done[halve, 0]) | (middle >= done[halve, 1])
        halve, middle = halve[~narrow], middle[~narrow]
        low, high = np.concatenate([done[halve, 0], middle]), np.concatenate([middle, done[halve, 1]])
        stay = np.setdiff1d(np.arange(len(done)), halve)
        values, errors, done = values[stay], errors[stay], done[stay]
    return Integral(float(values.sum()), float(errors.sum()), np.unique(done))


def every_second(function: Callable[[FloatArray], FloatArray], ends: FloatArray) -> float:
    """Integral on given panels by Gauss's rule with 7 nodes, which are every second node of `adaptive`'s on the same panel."""
    middle, half = (ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2
    values = function((middle[:, None] + half[:, None] * _NODES[1::2]).ravel()).reshape(len(middle), -1)
    return float(half @ (values @ _GAUSS_WEIGHTS[1::2]))


def _panels(
    function: Callable[[FloatArray], FloatArray], low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Integral on each panel by Kronrod's rule, and its difference from Gauss's."""
    middle, half = (low + high) / 2, (high - low) / 2
    values = function((middle[:, None] + half[:, None] * _NODES).ravel()).reshape(len(low), -1)
    return half * (values @ _WEIGHTS), half * np.abs(values @ (_WEIGHTS - _GAUSS_WEIGHTS))


def graded(point: float, shortest: float, low: float, high: float, ratio: float = 3.0) -> FloatArray:
    """Ends of panels that grow away from a point, on both sides of it.

    Parameters
    ----------
    point : float
    shortest : float
        Distance of the point from the ends nearest to it.
    low, high : float
        Only ends between these are returned.
    ratio : float, optional
        Of the distances of two successive ends from the point.
    """
    reach = max(high - low, shortest)
    steps = shortest * ratio ** np.arange(0, max(1.0, np.ceil(np.log(reach / shortest) / np.log(ratio))) + 1)
    ends = np.concatenate([point - steps[::-1], [point], point + steps])
    return ends[(ends > low) & (ends < high)]


def partition(points: FloatArray, demand: FloatArray, breaks: ArrayLike = ()) -> FloatArray:
    """Ends of panels, on each of which a demand grows by at most about 1.

    The demand at a point is the number of panels wanted up to there. It is interpolated between the points at which it is
    given.

    Parameters
    ----------
    points : ndarray, shape (k,)
        Increasing; the first and the last are ends of panels.
    demand : ndarray, shape (k,)
        Demand at the points, not decreasing.
    breaks : array_like, optional
        Further ends; those outside the points move to the nearest of them.
    """
    growth = demand[-1] - demand[0]
    levels = demand[0] + growth * np.linspace(0, 1, max(1, int(np.ceil(growth))) + 1)[1:-1]
    rising = demand + _LEAST_SLOPE * np.arange(len(points)) / len(points)
    ends = np.concatenate([points[[0, -1]], np.interp(levels, rising, points), np.asarray(breaks, dtype=float)])
    return np.unique(np.clip(ends, points[0], points[-1]))
