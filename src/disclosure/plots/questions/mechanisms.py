"""How far a release moves the posterior-to-prior ratio, mechanism by mechanism, over the error of the release."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from disclosure.numerics.types import Columns, FloatArray
from disclosure.plots.style import BLUE, GREY, RED, new_figure

__all__ = ["figure"]

# Name, colour, line style and marker of each mechanism. Noise on the whole numbers and what is simulated has marks.
_MECHANISMS = {
    "laplace": ("Laplace", BLUE, "-", ""),
    "geometric": ("geometric", BLUE, "", "o"),
    "gaussian": ("Gaussian", RED, "--", ""),
    "discrete_gaussian": ("discrete Gaussian", RED, "", "s"),
    "exponential": ("exponential mechanism, simulated", "black", "", "x"),
    "subsampled_gaussian": ("subsampled Gaussian, simulated", "black", "", "D"),
    "randomised_response": ("randomised response, simulated", GREY, ":", "^"),
}


def figure(table: Columns) -> Figure:
    """The ratio's upper and lower quantile over the root mean square error, with 95% intervals of what is simulated.

    Parameters
    ----------
    table : dict of str to ndarray
        Of the question ``mechanisms``.

    Returns
    -------
    matplotlib.figure.Figure
    """
    probability = float(table["probability"][0])

    def draw(figure: Figure, axes: list[Axes]) -> None:
        for axis, side, words in zip(axes, ("upper", "lower"), ("exceeded", "undercut"), strict=True):
            for name in (name for name in _MECHANISMS if name in table["mechanism"]):
                _curve(axis, table, name, side)
            axis.axhline(1.0, color=GREY, linewidth=0.6)
            axis.set_xscale("log")
            axis.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            axis.xaxis.set_major_formatter("{x:g}")
            axis.xaxis.set_minor_formatter("")
            axis.set_xlabel("root mean square error of the release, people (logarithmic axis)")
            axis.set_ylabel(f"ratio $R$, {words} with probability {probability:g}")
        axes[0].set_title("belief in the target's presence rises", fontsize="medium")
        axes[1].set_title("belief in the target's presence falls", fontsize="medium")
        axes[1].set_ylim(0, None)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=4)
        figure.suptitle("Number of ones in the data, by mechanism: the posterior-to-prior ratio", fontsize="medium")

    return new_figure(2, draw)


def _curve(axis: Axes, table: Columns, name: str, side: str) -> None:
    """Draw one mechanism's quantiles, with intervals where they have a length."""
    words, colour, style, marker = _MECHANISMS[name]
    chosen = np.flatnonzero(table["mechanism"] == name)
    chosen = chosen[np.argsort(table["error"][chosen])]
    error, value, low, high = (table[column][chosen] for column in ("error", side, f"{side}_low", f"{side}_high"))
    kept: dict[str, Any] = {"color": colour, "linestyle": style or "None", "marker": marker, "markersize": 3.5}
    if marker != "x":
        kept["markerfacecolor"] = "white"
    axis.plot(error, value, label=words, **kept)
    for place, ends in _long(error, low, high):
        axis.plot(place, ends, color=colour, linewidth=0.9, scalex=False)


def _long(error: FloatArray, low: FloatArray, high: FloatArray) -> list[tuple[list[float], list[float]]]:
    """Intervals that have a length, as lines."""
    found = zip(error.tolist(), low.tolist(), high.tolist(), strict=True)
    return [([place, place], [least, most]) for place, least, most in found if most > least]
