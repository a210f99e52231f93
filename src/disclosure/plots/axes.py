"""What figures over a sweep share: the parameter that they run over, its axis, and points in order."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from disclosure.numerics.errors import DomainError
from disclosure.numerics.types import Columns, FloatArray
from disclosure.study import points

__all__ = ["LABELS", "SYMBOLS", "formula", "in_order", "placed", "positive", "scale"]

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
# Where infinity stands: on a logarithmic axis at so many times the largest finite value, on a linear one so much of the length
# of the axis beyond it.
_BEYOND_RATIO, _BEYOND_SHARE = 10.0, 0.1
# Most ticks of decades beside that of infinity.
_MOST_DECADES = 9


def formula(value: float, digits: int = 4) -> str:
    r"""A number within a formula, an exponent written as a power of ten.

    Examples
    --------
    >>> print(*map(formula, (0.25, 1e-6, 25000.0)), sep=", ")
    0.25, 10^{-6}, 2.5 \times 10^{4}
    """
    factor, _, exponent = f"{value:.{digits}g}".partition("e")
    if not exponent:
        return factor
    power = f"10^{{{int(exponent)}}}"
    return power if factor == "1" else rf"{factor} \times {power}"


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


def placed(x: NDArray[Any]) -> NDArray[Any]:
    """Places of values along an axis: infinity, if it is among them, comes after the largest finite value."""
    infinite = np.isinf(x)
    if not infinite.any() or infinite.all():
        return x
    finite = x[~infinite]
    span = np.ptp(finite) or finite.max()
    beyond = finite.max() * _BEYOND_RATIO if _spans_decades(finite) else finite.max() + _BEYOND_SHARE * span
    return np.where(infinite, beyond, x)


def scale(axis: Axes, x: NDArray[Any]) -> None:
    """Make the x-axis logarithmic if the finite values span two decades or more, and name the place of an infinite one."""
    finite = x[np.isfinite(x)]
    if finite.size and _spans_decades(finite):
        axis.set_xscale("log")
    if 0 < finite.size < x.size:
        _name_infinity(axis, finite, float(placed(x).max()))


def _spans_decades(x: NDArray[Any]) -> bool:
    return bool(x.min() > 0 and x.max() >= _LOGARITHMIC * x.min())


def _name_infinity(axis: Axes, finite: NDArray[Any], place: float) -> None:
    """Ticks at finite values as usual, one at infinity, and a line between the two parts of the axis."""
    if axis.get_xscale() == "log":
        decades = np.arange(np.ceil(np.log10(finite.min())), np.floor(np.log10(finite.max())) + 1).astype(int)
        decades = decades[:: -(-len(decades) // _MOST_DECADES)]
        ticks, labels = (10.0**decades).tolist(), [f"$10^{{{decade}}}$" for decade in decades]
        between = float(np.sqrt(finite.max() * place))
    else:
        ticks = [float(tick) for tick in axis.get_xticks() if finite.min() <= tick <= finite.max()]
        labels, between = [f"{tick:g}" for tick in ticks], float(finite.max() + place) / 2
    axis.set_xticks([*ticks, place], labels=[*labels, r"$\infty$"])
    axis.set_xticks([], minor=True)
    axis.axvline(between, color="0.7", linewidth=0.8, linestyle=(0, (1, 2)))
