"""Failure probability over the number of members whom the adversary knows, a panel for each population."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from disclosure.numerics.types import Columns
from disclosure.plots.style import BLUE, GREY, RED, new_figure

__all__ = ["figure"]

# The axis goes down to this share of the smallest mean: lower failure probabilities of single datasets do not matter.
_BELOW = 1e-2


def figure(table: Columns) -> Figure:
    """Mean failure probability, the range over datasets, and the limits, over the number of known members.

    Parameters
    ----------
    table : dict of str to ndarray
        Of the question ``less_informed``, with one or two populations.

    Returns
    -------
    matplotlib.figure.Figure
    """
    populations = list(
        dict.fromkeys(zip(*(table[column].tolist() for column in ("population", "sample", "ones")), strict=True))
    )

    def draw(figure: Figure, axes: list[Axes]) -> None:
        for axis, (population, sample, ones) in zip(axes, populations, strict=True):
            of_it = (table["population"] == population) & (table["sample"] == sample) & (table["ones"] == ones)
            _draw(axis, {name: values[of_it] for name, values in table.items()})
            axis.set_title(f"n = {population}, m = {sample}, {ones} ones", fontsize="medium")
        axes[0].set_ylabel("probability (logarithmic axis)")
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=2)
        figure.suptitle("Adversaries who know k of the other members", fontsize="medium")

    return new_figure(len(populations), draw)


def _draw(axis: Axes, rows: Columns) -> None:
    known, bottom = rows["known"], rows["failure_probability"].min() * _BELOW
    axis.fill_between(
        known,
        np.maximum(rows["dataset_low"], bottom),
        np.maximum(rows["dataset_high"], bottom),
        color=BLUE,
        alpha=0.18,
        linewidth=0,
        label="failure probability of the middle 95% of datasets",
    )
    for column, label, colour, style, width in (
        ("failure_probability", "mean failure probability", BLUE, "-", 1.8),
        ("known_most", "the largest, given what is known", BLUE, (0, (1, 1.5)), 1.4),
        ("union_mass", "mean upper limit T of the dataset", RED, "-", 1.2),
        ("worlds_union_mass", "mean upper limit T of all worlds at once", RED, (0, (5, 2)), 1.2),
        ("limit", "limit for every adversary", GREY, (0, (6, 2, 1, 2)), 0.9),
    ):
        axis.plot(known, rows[column], color=colour, linestyle=style, linewidth=width, label=label)
    axis.set_yscale("log")
    axis.set_ylim(bottom, 1.5)
    axis.set_xlabel("known other members k")
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
