"""What figures over a sweep share: the parameter that they run over, its axis, and points in order."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from disclosure.numerics.errors import DomainError
from disclosure.numerics.types import Columns, FloatArray
from disclosure.study import points

__all__ = ["LABELS", "SYMBOLS", "in_order", "positive", "scale"]

# The papers' symbols of the parameters, and their names along an axis.
SYMBOLS = {"population": "n", "sample": "m", "epsilon": r"\varepsilon", "delta": r"\delta"}
LABELS = {
    "population": "population size $n$",
    "sample": "sample size $m$",
    "epsilon": r"privacy budget $\varepsilon$",
    "delta": r"$\delta$",
}
# Largest over smallest value from which on an axis is logarithmic: two decades.
_LOGARITHMIC = 100


def in_order(summary: Columns) -> tuple[str, Columns]:
    """The parameter that a sweep varies, and its points in the order of that.

    Parameters
    ----------
    summary : dict of str to ndarray
        A row for each point.

    Returns
    -------
    parameter : str
    summary : dict of str to ndarray

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For a single point, of which nothing varies.
    """
    parameter = points.varied(summary)
    if parameter is None:
        raise DomainError("no parameter varies over the sweep; a figure needs a sweep of at least two points")
    order = np.argsort(summary[parameter], kind="stable")
    return parameter, {name: values[order] for name, values in summary.items()}


def positive(values: FloatArray) -> FloatArray:
    """Zeros left out, for which a logarithmic axis has no place."""
    return np.where(values > 0, values, np.nan)


def scale(axis: Axes, x: NDArray[Any]) -> None:
    """Make the x-axis logarithmic if the values span two decades or more."""
    if x.min() > 0 and x.max() >= _LOGARITHMIC * x.min():
        axis.set_xscale("log")
