"""Figures 1-3 of paper A: theoretical upper limit and failure probability over a sweep."""

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from disclosure.numerics.types import Columns, FloatArray
from disclosure.plots.axes import LABELS, SYMBOLS, formula, in_order, placed, positive, scale
from disclosure.plots.style import BLUE, GREY, RED, new_figure
from disclosure.study.points import PARAMETERS

__all__ = ["sweep_figure"]

_ATTRIBUTES = {"uniform": "", "binary": "; attributes 0 or 1 at even odds"}
_NOISES = {
    "gaussian": "",
    "laplace": "\nLaplace noise",
    "geometric": "\ngeometric noise",
    "discrete_gaussian": "\ndiscrete Gaussian noise",
}
# Points of a curve without estimates up to which each point is marked: these then stand 3 mm apart or more on a panel, half of
# a figure of 24 cm.
_FEW_POINTS = 30
# Mean T above which a second panel with a linear axis is drawn: near 1 a logarithmic axis hides differences.
_NEAR_ONE = 0.5
# Largest over smallest number of neighbours n - m, above which the figure runs over n - m in place of m: most points would lie
# at the end of an axis of m.
_MANY_NEIGHBOURS = 1000
# Largest length of an error bar downwards, as a share of the mean: a bar down to 0 would have no end on a logarithmic axis.
_LONGEST_BAR = 0.999


def sweep_figure(summary: Columns, attributes: str = "uniform") -> Figure:
    """Draw a sweep's summary.

    Parameters
    ----------
    summary : dict of str to ndarray
        The columns of a sweep's summary.csv, of at least two points.
    attributes : {"uniform", "binary"}, optional
        Of the people, for the title.

    Returns
    -------
    matplotlib.figure.Figure
        On a logarithmic axis, since the curves lie orders of magnitude apart. Where T of sampled datasets comes near 1 a second
        panel shows the same on a linear axis; without datasets it shows T over the failure probability.
    """
    parameter, summary = in_order(summary)
    sampled = not np.isnan(summary["union_mass_mean"]).all()
    second = _linear_panel if sampled else _ratio_panel
    panels = 2 if not sampled or np.nanmax(summary["union_mass_mean"]) > _NEAR_ONE else 1

    def draw(figure: Figure, axes: list[Axes]) -> None:
        entries = _curves(axes[0], summary, parameter)
        axes[0].set_ylabel("probability")
        axes[0].set_yscale("log")
        if not entries:
            words = "All probabilities are 0,\nwhich has no place on a logarithmic axis."
            axes[0].text(0.5, 0.5, words, ha="center", va="center", transform=axes[0].transAxes)
            axes[0].set_xlim(*np.quantile(_abscissa(summary, parameter)[0], (0, 1)))
        if panels == 2:
            second(axes, summary, parameter)
        x, label = _abscissa(summary, parameter)
        for axis in axes:
            axis.set_xlabel(label)
            scale(axis, x)
        figure.legend(handles=entries, loc="outside lower center", ncols=2)
        setting = _ATTRIBUTES[attributes] + _guarantee(summary) + _NOISES[str(summary["mechanism"][0])]
        figure.suptitle(_title(summary, parameter) + setting, fontsize="medium")

    return new_figure(panels, draw)


def _linear_panel(axes: list[Axes], summary: Columns, parameter: str) -> None:
    _curves(axes[1], summary, parameter)
    axes[1].set_ylabel("probability")
    axes[0].set_title("logarithmic axis", fontsize="medium")
    axes[1].set_title("linear axis", fontsize="medium")
    axes[1].yaxis.set_major_formatter(PercentFormatter(1.0))


def _ratio_panel(axes: list[Axes], summary: Columns, parameter: str) -> None:
    x = placed(_abscissa(summary, parameter)[0])
    ratio = summary["union_mass_expected"] / summary["failure_probability_expected"]
    axes[1].plot(x, ratio, color=GREY, linewidth=1.4, **_marked(summary, "D"))
    axes[1].set_ylabel("upper limit / failure probability, $E[T] / E[\\rho]$")
    axes[1].set_yscale("log")


def _abscissa(summary: Columns, parameter: str) -> tuple[NDArray[Any], str]:
    """What a figure runs over, and its name: a sample size that comes close to a large population by who is left."""
    neighbours = summary["population"] - summary["sample"]
    finite = np.isfinite(neighbours).all()
    if (
        parameter == "sample"
        and finite
        and neighbours.min() > 0
        and neighbours.max() >= _MANY_NEIGHBOURS * neighbours.min()
    ):
        return neighbours, "number of neighbours $n - m$"
    return summary[parameter], LABELS[parameter]


def _curves(axis: Axes, summary: Columns, parameter: str) -> list[Artist | tuple[Artist, ...]]:
    """Draw all curves that have values, and return them for the legend."""
    x = placed(_abscissa(summary, parameter)[0])
    square, dot, triangle = (_marked(summary, marker) for marker in "so^")
    probability = summary["failure_probability_expected"]
    entries: list[Artist | tuple[Artist, ...] | None] = [
        _estimate(axis, x, summary, "union_mass", RED, "s", r"$\bar{T}$, theoretical upper limit"),
        _line(axis, x, summary["union_mass_expected"], RED, "--", "$E[T]$, expected upper limit", **square),
        _estimate(axis, x, summary, "failure_share", BLUE, "o", r"$\bar{F}$, share of releases that fail"),
        _line(axis, x, summary["failure_probability_mean"], BLUE, "-", "exact failure probability, same datasets"),
        _line(axis, x, probability, "black", ":", r"$E[\rho]$, expected failure probability", **dot),
    ]
    if parameter == "population":
        limit = np.minimum((summary["population"] - summary["sample"]) * summary["delta"], 1.0)
        entries.append(_line(axis, x, limit, GREY, "-.", r"subadditive limit $\min(1, (n - m)\,\delta)$", **triangle))
    return [entry for entry in entries if entry is not None]


def _estimate(
    axis: Axes, x: NDArray[Any], summary: Columns, name: str, colour: str, marker: str, label: str
) -> ErrorbarContainer | None:
    """Draw an estimate with its standard error; None if it has no values."""
    mean, error = positive(summary[f"{name}_mean"]), summary[f"{name}_se"]
    if np.isnan(mean).all():
        return None
    low = np.minimum(np.nan_to_num(error), mean * _LONGEST_BAR)
    return axis.errorbar(
        x,
        mean,
        yerr=[low, np.nan_to_num(error)],
        fmt=marker,
        color=colour,
        markersize=3.5,
        elinewidth=0.9,
        capsize=1.5,
        label=rf"{label} ($\pm$1 s.e.)",
    )


def _marked(summary: Columns, marker: str) -> dict[str, Any]:
    """How the points of a line are marked: not at all beside estimates, which have marks of their own."""
    few = len(summary["point"]) <= _FEW_POINTS and np.isnan(summary["union_mass_mean"]).all()
    return {"marker": marker, "markersize": 3.0} if few else {}


def _line(
    axis: Axes, x: NDArray[Any], values: FloatArray, colour: str, style: str, label: str, **marked: Any
) -> Line2D | None:
    """Draw a line; None if it has no values."""
    values = positive(values)
    if np.isnan(values).all():
        return None
    return axis.plot(x, values, color=colour, linestyle=style, linewidth=1.0, label=label, **marked)[0]


def _title(summary: Columns, parameter: str) -> str:
    parts = [_fixed(summary, name) for name in PARAMETERS if name != parameter]
    datasets, releases = summary["datasets"].max(), summary["releases"].max()
    effort = f"; {datasets:,} datasets a point" if datasets else ""
    return ", ".join(parts) + effort + (f", {releases:,} releases each" if releases else "")


def _guarantee(summary: Columns) -> str:
    """What epsilon and delta are about, if that is not paper A's definition."""
    if summary["definition"][0] == "probabilistic":
        return ""
    return f"; {summary['definition'][0]} privacy, $\\delta' = {_number(summary['delta_prime'][0])}$"


def _fixed(summary: Columns, name: str) -> str:
    """A parameter that stays what it is, or, of the sample size, its share of the population."""
    values = summary[name]
    if len(np.unique(values)) == 1:
        return f"${SYMBOLS[name]} = {_number(values[0])}$"
    shares = values / summary["population"]
    if name == "sample" and np.isfinite(summary["population"]).all() and np.allclose(shares, shares[0]):
        return f"$m = {formula(shares[0])}\\,n$"
    return f"${SYMBOLS[name]}$ from {_number(values[0])} to {_number(values[-1])}"


def _number(value: np.integer[Any] | np.floating[Any]) -> str:
    if np.isinf(value):
        return r"\infty"
    return f"{value:,}".replace(",", "{,}") if isinstance(value, np.integer) else formula(float(value))
