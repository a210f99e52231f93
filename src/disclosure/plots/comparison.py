"""Figure of risk against the error of a statistic, for datasets of several sizes."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from disclosure.numerics.types import Columns
from disclosure.plots.style import BLUE, GREY, RED, new_figure

__all__ = ["comparison_figure"]

# Colours by lightness and markers of the sizes, and line styles of the probabilities: further ones begin again.
_SIZES = ((BLUE, "o"), (RED, "s"), ("#86b7e0", "^"), (GREY, "D"), ("#f0a58a", "v"), ("#999999", "P"))
# Every so many points a curve has a small mark of its size.
_MARKED = 8
# What is drawn, each in a panel.
_LIMITS = {
    "rise_limit": "belief in anybody's presence rises by at most a factor",
    "posterior_limit": "belief in presence after the release, at most",
}
_LINES: "tuple[Literal['-', '--', ':', '-.'], ...]" = ("-", "--", ":", "-.")


def comparison_figure(rises: Columns, statistic: str, population: float) -> Figure:
    """How far belief in anybody's presence rises against the error of a statistic, and what belief is then.

    Sizes are compared by the latter, for priors differ. In an infinite population belief stays 0, and the factors, all from
    the same prior, stand alone.

    Parameters
    ----------
    rises : dict of str to ndarray
        Of `disclosure.people.comparison.compare`.
    statistic : str
        What is released, for the title and the axis.
    population : float
        People in the population, for the title.

    Returns
    -------
    matplotlib.figure.Figure
    """

    def draw(figure: Figure, axes: list[Axes]) -> None:
        samples, probabilities = (list(dict.fromkeys(rises[name].tolist())) for name in ("sample", "probability"))
        for size, sample in enumerate(samples):
            for line, probability in enumerate(probabilities):
                chosen = (rises["sample"] == sample) & (rises["probability"] == probability)
                part = {name: values[chosen] for name, values in rises.items()}
                for axis, limit in zip(axes, _LIMITS, strict=False):
                    _curve(axis, part, limit, size, line)
        for axis, label in zip(axes, _LIMITS.values(), strict=False):
            axis.set_xscale("log")
            axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.3g}%"))
            axis.set_xlabel(f"error by noise, as a share of {statistic}")
            axis.set_ylabel(label)
        _factors(axes[0])
        for belief in axes[1:]:
            belief.set_ylim(0, 1.02)
            for size, sample in enumerate(samples):
                prior = rises["prior"][rises["sample"] == sample].min()
                belief.axhline(prior, color=_SIZES[size % len(_SIZES)][0], linestyle=(0, (1, 2)), linewidth=1.0)
        figure.legend(handles=_entries(samples, probabilities, len(axes) > 1), loc="outside lower center", ncols=2)
        people = "infinitely many" if np.isinf(population) else f"{population:,.0f}"
        figure.suptitle(
            f"{statistic}, of datasets out of {people} people\n"
            "left of a large mark the noise is smaller than the sampling error",
            fontsize="medium",
        )

    return new_figure(2 if rises["prior"].any() else 1, draw)


def _factors(axis: Axes) -> None:
    """A logarithmic axis of factors from 1 on."""
    axis.set_yscale("log")
    axis.set_ylim(1, None)
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.yaxis.set_minor_formatter(NullFormatter())


def _curve(axis: Axes, rises: Columns, limit: str, size: int, line: int) -> None:
    """One size and one probability, with a mark where the noise is as large as the sampling error."""
    colour, marker = _SIZES[size % len(_SIZES)]
    x, y = rises["relative_error"], rises[limit]
    style = _LINES[line % len(_LINES)]
    axis.plot(
        x,
        y,
        style,
        color=colour,
        linewidth=1.3,
        marker=marker,
        markersize=3.5,
        markerfacecolor="white",
        markevery=_MARKED,
    )
    at = np.isclose(x, rises["relative_sampling_error"])
    axis.plot(x[at], y[at], marker, color=colour, markersize=8)


def _entries(samples: Sequence[int], probabilities: Sequence[float], priors: bool) -> list[Line2D]:
    """What the colours and marks stand for, and the lines: sizes in the first column, probabilities in the second."""
    sizes = [
        Line2D([], [], color=colour, marker=marker, markersize=6, label=f"{sample:,} people in the dataset")
        for sample, (colour, marker) in zip(samples, _SIZES * len(samples), strict=False)
    ]
    lines = [
        Line2D([], [], color="black", linestyle=style, label=f"except with probability {probability:g}")
        for probability, style in zip(probabilities, _LINES * len(probabilities), strict=False)
    ]
    if priors:
        lines.append(
            Line2D([], [], color="black", linestyle=(0, (1, 2)), linewidth=1.0, label="belief before, by size")
        )
    blank = Line2D([], [], linestyle="", label=" ")
    rows = max(len(sizes), len(lines))
    return [*sizes, *[blank] * (rows - len(sizes)), *lines, *[blank] * (rows - len(lines))]
