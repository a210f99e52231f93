"""Figures of a table of people: who is exposed and why, and risk beside utility over a sweep."""

import math

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from disclosure.numerics.types import Columns, FloatArray
from disclosure.people.summary import Summary
from disclosure.plots.axes import LABELS, SYMBOLS, in_order, positive, scale
from disclosure.plots.style import BLUE, GREY, RED, new_figure

__all__ = ["people_figure", "sweep_figure"]

# Share of the smallest T above 0. The axis of probabilities begins at the power of 10 below that; far smaller failure
# probabilities would take up all of the axis.
_DEPTH = 1e-4
# Length of the axis of distances over the largest distance, so that the mark there is not cut.
_MARGIN = 1.03
# Lines and marks of how far belief rises, for each probability; further ones begin again.
_RISES = ("-", "--", "-.", "-^", "--v")
# The most exposed people, whose marks carry their row numbers.
_NAMED = 3
_DISTANCES = {"centre": "distance from the mean of the others", "farthest": "distance from the farthest person"}
_SUPREMA = {"exact": "largest over all datasets", "bound": "bound over all datasets", "none": "not known"}


def people_figure(people: Columns, summary: Summary, query: str) -> Figure:
    """Risk of every person over the distance from the others.

    Parameters
    ----------
    people : dict of str to ndarray
        The columns of `disclosure.people.exposure.exposures`, of one point.
    summary : Summary
        Of these.
    query : str
        What is released, for the title.

    Returns
    -------
    matplotlib.figure.Figure
    """
    upper_limit = people["union_mass_supremum"]
    exponent = math.floor(math.log10(_DEPTH * upper_limit[upper_limit > 0].min(initial=1.0)))
    floor = 10.0**exponent
    low = people["failure_probability_mean"] < floor

    def draw(figure: Figure, axes: list[Axes]) -> None:
        left, right = axes
        _risks(left, people, "centre", floor)
        upper, mean, lower = _risks(right, people, "farthest", floor)
        _name(left, people, "centre", floor)
        left.set_ylabel("probability")
        upper.set_label(f"$T$, upper limit: {_SUPREMA[summary.supremum]}")
        mean.set_label(rf"$\rho$, failure probability: mean of {_datasets(summary.datasets)}")
        lower.set_label(rf"$\rho$ below $10^{{{exponent}}}$: {people['people'][low].sum():,} people")
        entries = [upper, mean, *([lower] if low.any() else [])]
        figure.legend(handles=entries, loc="outside lower center", ncols=3)
        figure.suptitle(_title(summary, query), fontsize="medium")

    return new_figure(2, draw)


def _risks(axis: Axes, people: Columns, distance: str, floor: float) -> tuple[Line2D, Line2D, Line2D]:
    """Draw T, mean failure probability, and, at the floor, failure probabilities below it, over a distance."""
    x, upper_limit, probability = people[distance], people["union_mass_supremum"], people["failure_probability_mean"]
    shown, low = upper_limit > 0, probability < floor

    def hollow(marker: str, place: FloatArray, values: FloatArray, clip: bool = True) -> Line2D:
        (line,) = axis.plot(
            place,
            values,
            marker=marker,
            color=BLUE,
            markersize=3.5,
            markerfacecolor="none",
            linestyle="",
            clip_on=clip,
        )
        return line

    (upper,) = axis.plot(x[shown], upper_limit[shown], "s", color=RED, markersize=3.5)
    mean = hollow("o", x[~low], probability[~low])
    lower = hollow("v", x[low], np.full(np.count_nonzero(low), floor), clip=False)
    # Not cut off and without points, it would count as endlessly large.
    lower.set_in_layout(False)
    axis.set_yscale("log")
    axis.set_ylim(floor, None)
    axis.set_xlim(0, _MARGIN * (x.max() or 1.0))
    axis.set_xlabel(f"{_DISTANCES[distance]}\n(in diagonals of the stated ranges)")
    return upper, mean, lower


def _datasets(number: int) -> str:
    return f"{number:,} datasets" if number else "all datasets"


def _name(axis: Axes, people: Columns, distance: str, floor: float) -> None:
    """Row numbers of the people with the largest failure probabilities."""
    for place in np.argsort(-people["failure_probability_mean"], kind="stable")[:_NAMED]:
        if people["failure_probability_mean"][place] >= floor:
            axis.annotate(
                f"row {people['person'][place]}",
                (people[distance][place], people["failure_probability_mean"][place]),
                xytext=(0, -7),
                textcoords="offset points",
                ha="right",
                va="top",
                fontsize="small",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8},
            )


def _title(summary: Summary, query: str) -> str:
    looked = "" if summary.targets == summary.population else f" ({summary.targets:,} sampled people)"
    people = "infinitely many" if summary.population == math.inf else f"{summary.population:,}"
    return (
        f"{query} of {summary.sample:,} of {people} people{looked}: "
        rf"$\varepsilon = {summary.epsilon:.4g}$, $\delta = {summary.delta:.4g}$, noise $\sigma = {summary.sigma:.4g}$"
    )


def sweep_figure(summary: Columns) -> Figure:
    """Risk over a sweep, beside the error of the release.

    Parameters
    ----------
    summary : dict of str to ndarray
        The columns of `disclosure.people.summary.Summary`, for at least two points a row for each probability that was asked.

    Returns
    -------
    matplotlib.figure.Figure
    """
    probabilities = dict.fromkeys(summary["probability"].tolist())
    parts = [
        in_order({name: values[summary["probability"] == probability] for name, values in summary.items()})
        for probability in probabilities
    ]
    # All but how far belief moves is the same for each probability.
    parameter, summary = parts[0]

    def draw(figure: Figure, axes: list[Axes]) -> None:
        risk, utility = axes
        x = summary[parameter]
        entries = _risk_panel(risk, x, summary)
        entries += _utility_panel(utility, x, [part for _, part in parts])
        for axis in (risk, utility):
            axis.set_xlabel(LABELS[parameter])
            scale(axis, x)
        risk.set_title("how often bounds fail that move with $\\varepsilon$", fontsize="medium")
        utility.set_title("error, and how far belief in anybody's presence rises", fontsize="medium")
        figure.legend(handles=entries, loc="outside lower center", ncols=2)
        figure.suptitle(_sweep_title(summary, parameter), fontsize="medium")

    return new_figure(2, draw)


def _risk_panel(axis: Axes, x: FloatArray, summary: Columns) -> list[Line2D]:
    exact = (summary["supremum"] == "exact").all()
    kind = "exact over all datasets" if exact else "a bound over all datasets"
    sampled = "sampled " if summary["datasets"].any() else ""
    entries = [
        axis.plot(x, positive(summary[name]), style, color=colour, linewidth=1.3, markersize=4, label=label)[0]
        for name, style, colour, label in (
            ("union_mass_supremum", "-s", RED, f"largest $T$, {kind}"),
            ("union_mass_mean", "--s", RED, r"mean $T$ over people and datasets"),
            ("failure_probability_largest", "-o", BLUE, rf"largest $\rho$ over people and {sampled}datasets"),
            ("failure_probability_mean", "--o", BLUE, r"mean $\rho$ over people and datasets"),
        )
    ]
    axis.set_yscale("log")
    axis.set_ylabel("probability that the ratio leaves its bounds")
    return entries


def _utility_panel(axis: Axes, x: FloatArray, parts: list[Columns]) -> list[Line2D]:
    """Draw the error of the release, and on an axis to the right how far belief in anybody's presence rises."""
    summary = parts[0]
    (error,) = axis.plot(x, summary["sigma"], "-d", color=GREY, linewidth=1.3, markersize=4, label="expected error")
    axis.set_ylabel(r"expected error $\sigma$, in the columns' units")
    axis.set_ylim(0, None)
    ratios = axis.twinx()
    ratios.grid(False)
    ratios.spines["right"].set_visible(True)
    limits = [
        (part["rise_limit"], style, RED, f"belief rises by no more, except with probability {part['probability'][0]:g}")
        for part, style in zip(parts, _RISES * len(parts), strict=False)
    ]
    found = [(part["rise_found"], "x", RED, "the same, in the worst dataset found") for part in parts]
    drawn = [
        ratios.plot(x, values, style, color=colour, linewidth=1.3, markersize=4, label=label)[0]
        for values, style, colour, label in (
            *limits,
            *found,
            (summary["ratio_upper"], ":", "black", "largest ratio within the bounds (24)"),
        )
        if not np.isnan(values).all()
    ]
    lines = list({line.get_label(): line for line in drawn}.values())
    ratios.set_ylabel("posterior-to-prior ratio")
    ratios.set_ylim(1, None)
    return [error, *lines]


def _sweep_title(summary: Columns, parameter: str) -> str:
    parts = [
        f"${SYMBOLS[name]} = {summary[name][0]:.4g}$"
        for name in ("sample", "epsilon", "delta")
        if name != parameter and len(np.unique(summary[name])) == 1
    ]
    return ", ".join(
        [
            f"{summary['population'][0]:,} people",
            *parts,
            f"{summary['targets'][0]:,} targets, {_datasets(summary['datasets'].max())} each",
        ]
    )
