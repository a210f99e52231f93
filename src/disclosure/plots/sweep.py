"""Figures 1-3 of paper A: theoretical upper limit and failure probability over a sweep."""

import numpy as np
from matplotlib.ticker import PercentFormatter

from disclosure.pipeline import sweeps
from disclosure.plots.style import BLUE, GREY, RED, new_figure

__all__ = ["sweep_figure"]

_LABELS = {
    "population": "population size $n$",
    "sample": "sample size $m$",
    "epsilon": r"privacy budget $\varepsilon$",
    "delta": r"$\delta$",
}
_SYMBOLS = {"population": "n", "sample": "m", "epsilon": r"\varepsilon", "delta": r"\delta"}


def sweep_figure(summary):
    """Draw a sweep's summary.

    Parameters
    ----------
    summary : dict of str to ndarray
        Table of `disclosure.pipeline.tables.SUMMARY`.

    Returns
    -------
    matplotlib.figure.Figure
        On a logarithmic axis, since the curves lie orders of magnitude apart; where T comes near 1 a second panel shows
        the same on a linear axis.
    """
    parameter = sweeps.varied(summary)
    if parameter is None:
        raise ValueError("a figure needs a sweep of at least two points")
    panels = 2 if np.nanmax(summary["T_mean"]) > 0.5 else 1

    def draw(figure, axes):
        for axis in axes:
            entries = _curves(axis, summary, parameter)
            axis.set_xlabel(_LABELS[parameter])
            axis.set_ylabel("probability")
        axes[0].set_yscale("log")
        if panels == 2:
            axes[0].set_title("logarithmic axis", fontsize="medium")
            axes[1].set_title("linear axis", fontsize="medium")
            axes[1].yaxis.set_major_formatter(PercentFormatter(1.0))
        figure.legend(handles=entries, loc="outside lower center", ncols=2)
        figure.suptitle(_title(summary, parameter), fontsize="medium")

    return new_figure(panels, draw)


def _curves(axis, summary, parameter):
    x = summary[parameter]
    entries = [
        _estimate(axis, x, summary, "T", RED, "s", r"$\bar{T}$, theoretical upper limit"),
        _line(axis, x, summary["T_expected"], RED, "--", "$E[T]$, expected over all datasets"),
        _estimate(axis, x, summary, "F", BLUE, "o", r"$\bar{F}$, share of releases that fail"),
        _line(axis, x, summary["rho_mean"], BLUE, "-", "exact failure probability, same datasets"),
        _line(axis, x, summary["rho_expected"], GREY, ":", "expected failure probability over all datasets"),
    ]
    return [entry for entry in entries if entry is not None]


def _estimate(axis, x, summary, name, colour, marker, label):
    mean, error = summary[f"{name}_mean"], summary[f"{name}_se"]
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


def _line(axis, x, values, colour, style, label):
    if np.isnan(values).all():
        return None
    return axis.plot(x, values, color=colour, linestyle=style, linewidth=1.0, label=label)[0]


def _title(summary, parameter):
    fixed = [f"${_SYMBOLS[n]} = {summary[n][0]:.4g}$" for n in sweeps.PARAMETERS if n != parameter]
    releases = summary["releases"].max()
    effort = f"{summary['datasets'][0]:,} datasets a point" + (f", {releases:,} releases each" if releases else "")
    return f"{', '.join(fixed)}; {effort}"
