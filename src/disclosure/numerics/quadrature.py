"""Adaptive integration of functions of one variable that are dear to evaluate, and panels that follow a demand."""

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from disclosure.numerics import errors
from disclosure.numerics.types import FloatArray

__all__ = ["Integral", "Work", "adaptive", "every_second", "gauss", "graded", "partition"]

# The 15 nodes of Kronrod's rule and its weights, and those of the Gauss rule on every second node (positive half).
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


class Integral(NamedTuple):
    """An integral, an estimate of its error, and the panels on which it was found."""

    value: float
    error: float
    ends: FloatArray


class Work:
    """Work that is left for one answer, counted by what is evaluated, so that it ends at the same place on every machine.

    Parameters
    ----------
    most : float, optional
        In units of about half a millisecond.
    what : str, optional
        What is looked for, for the message.
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


def adaptive(
    function: Callable[[FloatArray], FloatArray], ends: ArrayLike, rtol: float, most_panels: int = 80
) -> Integral:
    """Integral of a positive function by Gauss-Kronrod rules on panels that are halved until they agree.

    Parameters
    ----------
    function : callable
        From an array of points to the array of values there.
    ends : array_like, shape (k + 1,)
        Ends of the first panels, increasing.
    rtol : float
        Wanted relative error.
    most_panels : int, optional
        Where to give up: beyond, the noise of the function itself is likely to be what keeps the two rules apart.

    Returns
    -------
    Integral
        ``error`` is the sum over panels of the differences of the two rules, which is far above the error of the better
        one wherever the function is smooth.
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
        # The largest ones that together make up the excess, and all that are as large as a fair share.
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
    """Integral by the Gauss rules of degree 13 that `adaptive` compares with, on given panels."""
    middle, half = (ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2
    values = function((middle[:, None] + half[:, None] * _NODES[1::2]).ravel()).reshape(len(middle), -1)
    return float(half @ (values @ _GAUSS_WEIGHTS[1::2]))


def _panels(
    function: Callable[[FloatArray], FloatArray], low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    middle, half = (low + high) / 2, (high - low) / 2
    values = function((middle[:, None] + half[:, None] * _NODES).ravel()).reshape(len(low), -1)
    return half * (values @ _WEIGHTS), half * np.abs(values @ (_WEIGHTS - _GAUSS_WEIGHTS))


def graded(point: float, shortest: float, low: float, high: float, ratio: float = 3.0) -> FloatArray:
    """Ends of panels that grow geometrically away from a point, both ways, from a shortest length."""
    reach = max(high - low, shortest)
    steps = shortest * ratio ** np.arange(0, max(1.0, np.ceil(np.log(reach / shortest) / np.log(ratio))) + 1)
    ends = np.concatenate([point - steps[::-1], [point], point + steps])
    return ends[(ends > low) & (ends < high)]


def partition(points: FloatArray, demand: FloatArray, breaks: ArrayLike = ()) -> FloatArray:
    """Ends of panels on each of which an increasing demand, known at some points, grows by at most about 1.

    Parameters
    ----------
    points : ndarray, shape (k,)
        Increasing; the first and last are the outer ends.
    demand : ndarray, shape (k,)
        Not decreasing.
    breaks : array_like, optional
        Further ends.
    """
    growth = demand[-1] - demand[0]
    levels = demand[0] + growth * np.linspace(0, 1, max(1, int(np.ceil(growth))) + 1)[1:-1]
    # Where the demand is flat any point will do; a slope of next to nothing keeps the inversion defined.
    rising = demand + 1e-9 * np.arange(len(points)) / len(points)
    ends = np.concatenate([points[[0, -1]], np.interp(levels, rising, points), np.asarray(breaks, dtype=float)])
    return np.unique(np.clip(ends, points[0], points[-1]))
