"""Figures 1-3 of paper A: theoretical upper limit and failure probability over a sweep."""

import numpy as np
from matplotlib.ticker import PercentFormatter

from disclosure.plots.style import BLUE, GREY, RED, new_figure
from disclosure.study import points

__all__ = ["sweep_figure"]

_LABELS = {
    "population": "population size $n$",
    "sample": "sample size $m$",
    "epsilon": r"privacy budget $\varepsilon$",
    "delta": r"$\delta$",
}
_ATTRIBUTES = {"uniform": "", "binary": "; attributes 0 or 1 at even odds"}
# Up to so many points of a curve without estimates each is marked: they stand 3 mm apart or more on half a figure of 24 cm.
_FEW_POINTS = 30
_SYMBOLS = {"population": "n", "sample": "m", "epsilon": r"\varepsilon", "delta": r"\delta"}


def sweep_figure(summary, attributes="uniform"):
    """Draw a sweep's summary.

    Parameters
    ----------
    summary : dict of str to ndarray
        Table of `disclosure.workflow.tables.SUMMARY`.
    attributes : {"uniform", "binary"}, optional
        Of the people, for the title.

    Returns
    -------
    matplotlib.figure.Figure
        On a logarithmic axis, since the curves lie orders of magnitude apart. Where T of sampled datasets comes near 1 a second
        panel shows the same on a linear axis; without datasets it shows T over the failure probability.
    """
    parameter = points.varied(summary)
    if parameter is None:
        raise ValueError("a figure needs a sweep of at least two points")
    order = np.argsort(summary[parameter], kind="stable")
    summary = {name: values[order] for name, values in summary.items()}
    sampled = not np.isnan(summary["union_mass_mean"]).all()
    second = _linear_panel if sampled else _ratio_panel
    panels = 2 if not sampled or np.nanmax(summary["union_mass_mean"]) > 0.5 else 1

    def draw(figure, axes):
        entries = _curves(axes[0], summary, parameter)
        axes[0].set_ylabel("probability")
        axes[0].set_yscale("log")
        if panels == 2:
            second(axes, summary, parameter)
        x, label = _abscissa(summary, parameter)
        for axis in axes:
            axis.set_xlabel(label)
            if x.min() > 0 and x.max() >= 100 * x.min():
                axis.set_xscale("log")
        figure.legend(handles=entries, loc="outside lower center", ncols=2)
        figure.suptitle(_title(summary, parameter) + _ATTRIBUTES[attributes], fontsize="medium")

    return new_figure(panels, draw)


def _linear_panel(axes, summary, parameter):
    _curves(axes[1], summary, parameter)
    axes[1].set_ylabel("probability")
    axes[0].set_title("logarithmic axis", fontsize="medium")
    axes[1].set_title("linear axis", fontsize="medium")
    axes[1].yaxis.set_major_formatter(PercentFormatter(1.0))


def _ratio_panel(axes, summary, parameter):
    x, _ = _abscissa(summary, parameter)
    ratio = summary["union_mass_expected"] / summary["failure_probability_expected"]
    axes[1].plot(x, ratio, color=GREY, linewidth=1.4, **_marked(summary, "D"))
    axes[1].set_ylabel("upper limit / failure probability, $E[T] / E[\\rho]$")
    axes[1].set_yscale("log")


def _abscissa(summary, parameter):
    """What a figure runs over, and its name: a sample size that comes close to a large population by who is left."""
    neighbours = summary["population"] - summary["sample"]
    if parameter == "sample" and neighbours.min() > 0 and neighbours.max() >= 1000 * neighbours.min():
        return neighbours, "number of neighbours $n - m$"
    return summary[parameter], _LABELS[parameter]


def _curves(axis, summary, parameter):
    x, _ = _abscissa(summary, parameter)
    square, dot, triangle = (_marked(summary, marker) for marker in "so^")
    entries = [
        _estimate(axis, x, summary, "union_mass", RED, "s", r"$\bar{T}$, theoretical upper limit"),
        _line(axis, x, summary["union_mass_expected"], RED, "--", "$E[T]$, expected upper limit", **square),
        _estimate(axis, x, summary, "failure_share", BLUE, "o", r"$\bar{F}$, share of releases that fail"),
        _line(axis, x, summary["failure_probability_mean"], BLUE, "-", "exact failure probability, same datasets"),
        _line(
            axis,
            x,
            summary["failure_probability_expected"],
            "black",
            ":",
            r"$E[\rho]$, expected failure probability",
            **dot,
        ),
    ]
    if parameter == "population":
        limit = np.minimum((summary["population"] - summary["sample"]) * summary["delta"], 1.0)
        entries.append(_line(axis, x, limit, GREY, "-.", r"subadditive limit $\min(1, (n - m)\,\delta)$", **triangle))
    return [entry for entry in entries if entry is not None]


def _estimate(axis, x, summary, name, colour, marker, label):
    mean, error = _positive(summary[f"{name}_mean"]), summary[f"{name}_se"]
    if np.isnan(mean).all():
        return None
    # An error bar that reaches 0 has no end on a logarithmic axis.
    low = np.minimum(np.nan_to_num(error), mean * 0.999)
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


def _positive(values):
    """Zeros left out, for which a logarithmic axis has no place."""
    return np.where(values > 0, values, np.nan)


def _marked(summary, marker):
    """How the points of a line are marked: not at all beside estimates, which have marks of their own."""
    few = len(summary["point"]) <= _FEW_POINTS and np.isnan(summary["union_mass_mean"]).all()
    return {"marker": marker, "markersize": 3.0} if few else {}


def _line(axis, x, values, colour, style, label, **marked):
    values = _positive(values)
    if np.isnan(values).all():
        return None
    return axis.plot(x, values, color=colour, linestyle=style, linewidth=1.0, label=label, **marked)[0]


def _title(summary, parameter):
    parts = [_fixed(summary, name) for name in points.PARAMETERS if name != parameter]
    datasets, releases = summary["datasets"].max(), summary["releases"].max()
    effort = f"; {datasets:,} datasets a point" if datasets else ""
    return ", ".join(parts) + effort + (f", {releases:,} releases each" if releases else "")


def _fixed(summary, name):
    """A parameter that stays what it is, or, of the sample size, its share of the population."""
    values = summary[name]
    if len(np.unique(values)) == 1:
        return f"${_SYMBOLS[name]} = {_number(values[0])}$"
    shares = values / summary["population"]
    if name == "sample" and np.allclose(shares, shares[0]):
        return f"$m = {shares[0]:.4g}\\,n$"
    return f"${_SYMBOLS[name]}$ from {_number(values[0])} to {_number(values[-1])}"


def _number(value):
    return f"{value:,}".replace(",", "{,}") if isinstance(value, np.integer) else f"{value:.4g}"
