"""Figures of a table of people: who is exposed and why, and risk beside utility over a sweep."""

import math
import textwrap
from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from disclosure.numerics.types import BoolArray, Columns, FloatArray
from disclosure.people.summary import Summary, by_exposure
from disclosure.people.targets import SAMPLED
from disclosure.plots.axes import LABELS, SYMBOLS, formula, in_order, scale
from disclosure.plots.style import BLUE, GREY, RED, new_figure

__all__ = ["people_figure", "sweep_figure"]

# Share of the smallest T above 0. The axis of probabilities begins at the power of 10 below that, and at 1e-12 at the lowest;
# far smaller failure probabilities would take up all of the axis. They and those of 0 stand below it, so much of its length
# apart.
_DEPTH, _LOWEST, _APART = 1e-4, -12, 0.07
# Decades between two ticks are so many that there are no more ticks than this.
_MOST_TICKS = 8
# Room on an axis beside the marks, so that none is cut, as a share of its length.
_MARGIN = 0.03
# Factors from which on their axis is logarithmic.
_LARGE = 100.0
# Factors that are drawn are below this.
_HIGHEST = 1e280
# Lines and marks of how far belief rises, for each probability; further ones begin again.
_RISES = ("-", "--", "-.", "-^", "--v")
# The most exposed people, whose marks carry their row numbers, and how far apart two of these are, as shares of the axes.
_NAMED, _ROOM = 3, (0.15, 0.06)
# How pale the marks of people are who were sampled, beside those who were picked.
_PALE = 0.3
# Letters of a line of the title.
_LONGEST = 100
_DISTANCES = {"centre": "distance from the mean of the others", "farthest": "distance from the farthest person"}
_SUPREMA = {"exact": "largest over all datasets", "bound": "bound over all datasets", "none": "not known"}


def people_figure(people: Columns, summary: Summary, released: str) -> Figure:
    """How far belief in every person's presence rises, and how often the bounds fail, over the distance from the others.

    Parameters
    ----------
    people : dict of str to ndarray
        The columns of `disclosure.people.exposure.exposures`, of one point.
    summary : Summary
        Of these.
    released : str
        Table, query and columns, for the title.

    Returns
    -------
    matplotlib.figure.Figure
    """
    picked = people["chosen"] != SAMPLED

    def draw(figure: Figure, axes: list[Axes]) -> None:
        left, right = axes
        entries = _rises(left, people, picked) + _failures(right, people, picked, summary)
        for axis, distance in ((left, "centre"), (right, "farthest")):
            length = people[distance].max() or 1.0
            axis.set_xlim(-_MARGIN * length, (1 + _MARGIN) * length)
            axis.set_xlabel(f"{_DISTANCES[distance]}\n(in diagonals of the stated ranges)")
        _name(left, people)
        if 0 < np.count_nonzero(picked) < len(picked):
            for alpha, words in ((1.0, "picked: they stick out"), (_PALE, "pale: a random sample of the others")):
                entries.append(Line2D([], [], marker="o", color=GREY, linestyle="", alpha=alpha, label=words))
        figure.legend(handles=entries, loc="outside lower center", ncols=2)
        figure.suptitle(_title(summary, released), fontsize="medium")

    return new_figure(2, draw)


def _marks(axis: Axes, x: FloatArray, y: FloatArray, picked: BoolArray, marker: str, colour: str, label: str) -> Line2D:
    """Marks of people, pale where they were sampled; squares are full and others hollow. Returns one for the legend."""
    inside = colour if marker == "s" else "none"
    for chosen, alpha in ((~picked, _PALE), (picked, 1.0)):
        if chosen.any():
            axis.plot(
                x[chosen],
                y[chosen],
                marker,
                color=colour,
                markerfacecolor=inside,
                markersize=3.5,
                alpha=alpha,
                label=label,
            )
    return Line2D(
        [], [], linestyle="", marker=marker, color=colour, markerfacecolor=inside, markersize=3.5, label=label
    )


def _rises(axis: Axes, people: Columns, picked: BoolArray) -> list[Line2D]:
    """Draw the factors by which belief in presence rises, except with the probability that was asked."""
    x, limit, found = people["centre"], people["rise_limit"], people["rise_found"]
    probability = f"{people['probability'][0]:g}"
    entries = [
        _marks(axis, x, limit, picked, "s", RED, f"belief rises by no more, except with probability {probability}"),
        _marks(axis, x, found, picked, "o", BLUE, "the same, in the worst dataset found, where computed"),
    ]
    # Of infinitely many candidates belief may rise without limit; such factors have no place on an axis.
    top = float(limit[limit < _HIGHEST].max(initial=1.0))
    if top >= _LARGE:
        axis.set_yscale("log")
        axis.set_ylim(top**-_MARGIN, top ** (1 + _MARGIN))
    else:
        axis.set_ylim(1 - _MARGIN * (top - 1 or 1), top + _MARGIN * (top - 1 or 1))
    axis.set_ylabel("belief in presence, after over before")
    return entries


def _failures(axis: Axes, people: Columns, picked: BoolArray, summary: Summary) -> list[Line2D]:
    """Draw T and the mean failure probability, those of 0 and tiny ones where the axis says so."""
    x, upper_limit, probability = people["farthest"], people["union_mass_supremum"], people["failure_probability_mean"]
    place = _probability_axis(axis, _DEPTH * _least(upper_limit), [upper_limit, probability])
    axis.set_ylabel("probability that the ratio leaves its bounds")
    mean = rf"$\rho$, failure probability: mean of {_datasets(summary.datasets)}"
    return [
        _marks(axis, x, place(upper_limit), picked, "s", RED, f"$T$, upper limit: {_SUPREMA[summary.supremum]}"),
        _marks(axis, x, place(probability), picked, "o", BLUE, mean),
    ]


def _least(values: FloatArray) -> float:
    """The smallest of some probabilities that are not 0."""
    return float(values[values > 0].min(initial=1.0))


def _probability_axis(axis: Axes, least: float, shown: Sequence[FloatArray]) -> Callable[[FloatArray], FloatArray]:
    """A logarithmic axis down to a probability, with places below for what is smaller and for 0; returns the places."""
    exponent = max(math.floor(math.log10(least)), _LOWEST)
    values = np.concatenate(shown)
    floor, top = 10.0**exponent, max(values.max(), 10.0 ** (exponent + 1))
    apart = (top / floor) ** -_APART
    places = {rf"$<10^{{{exponent}}}$": floor * apart, "0": floor * apart**2}
    kinds = {rf"$<10^{{{exponent}}}$": ((values > 0) & (values < floor)).any(), "0": (values == 0).any()}
    decades = np.arange(exponent, math.floor(math.log10(top)) + 1)
    decades = decades[:: -(-len(decades) // _MOST_TICKS)]
    below = {label: place for label, place in places.items() if kinds[label]}
    axis.set_yscale("log")
    axis.set_yticks([*below.values(), *10.0**decades], labels=[*below, *(f"$10^{{{decade}}}$" for decade in decades)])
    axis.set_yticks([], minor=True)
    lowest = min(below.values(), default=floor)
    axis.set_ylim(lowest * apart**0.5, top * apart**-0.5)
    if below:
        axis.axhline(floor * apart**0.5, color=GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    tiny, zero = places.values()
    return lambda values: np.where(values == 0, zero, np.where(values < floor, tiny, values))


def _datasets(number: int) -> str:
    return f"{number:,} datasets" if number else "all datasets"


def _name(axis: Axes, people: Columns) -> None:
    """Row numbers beside the marks of the most exposed people, one for those who are near each other."""
    shares = axis.transAxes.inverted()
    named: list[FloatArray] = []
    for place in by_exposure(people)[:_NAMED]:
        at = people["centre"][place], people["rise_limit"][place]
        share = shares.transform(axis.transData.transform(at))
        if any((np.abs(share - other) < _ROOM).all() for other in named):
            continue
        named.append(share)
        side = -1 if share[0] > 0.5 else 1
        axis.annotate(
            f"row {people['person'][place]}",
            at,
            xytext=(6 * side, 0),
            textcoords="offset points",
            ha="right" if side < 0 else "left",
            va="bottom" if share[1] < _ROOM[1] else "top" if share[1] > 1 - _ROOM[1] else "center",
            fontsize="small",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8},
        )


def _shortened(released: str) -> str:
    """A line of a title, in which a dollar begins no formula."""
    return textwrap.shorten(released, _LONGEST, placeholder=" ...").replace("$", r"\$")


def _title(summary: Summary, released: str) -> str:
    """What is released of which table, and with which noise."""
    people = _number(summary.population)
    looked = f", {summary.targets:,} of them looked at" if (summary.targets < summary.population < math.inf) else ""
    return (
        f"{_shortened(released)}\n{summary.sample:,} of {people} people{looked}; $\\varepsilon = {formula(summary.epsilon)}$, "
        f"$\\delta = {formula(summary.delta)}$, noise $\\sigma = {formula(summary.sigma)}$"
    )


def _number(population: float) -> str:
    return "infinitely many" if population == math.inf else f"{population:,}"


def sweep_figure(summary: Columns, released: str) -> Figure:
    """Risk over a sweep, beside the error of the release.

    Parameters
    ----------
    summary : dict of str to ndarray
        The columns of `disclosure.people.summary.Summary`, for at least two points a row for each probability that was asked.
    released : str
        Table, query and columns, for the title.

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
        figure.suptitle(f"{_shortened(released)}\n{_sweep_title(summary, parameter)}", fontsize="medium")

    return new_figure(2, draw)


def _risk_panel(axis: Axes, x: FloatArray, summary: Columns) -> list[Line2D]:
    exact = (summary["supremum"] == "exact").all()
    kind = "exact over all datasets" if exact else "a bound over all datasets"
    sampled = "sampled " if summary["datasets"].any() else ""
    curves = (
        ("union_mass_supremum", "-s", RED, f"largest $T$, {kind}"),
        ("union_mass_mean", "--s", RED, r"mean $T$ over people and datasets"),
        ("failure_probability_largest", "-o", BLUE, rf"largest $\rho$ over people and {sampled}datasets"),
        ("failure_probability_mean", "--o", BLUE, r"mean $\rho$ over people and datasets"),
    )
    shown = [summary[name] for name, *_ in curves]
    place = _probability_axis(axis, _least(np.concatenate(shown)), shown)
    entries = [
        axis.plot(x, place(summary[name]), style, color=colour, linewidth=1.3, markersize=4, label=label)[0]
        for name, style, colour, label in curves
    ]
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
        f"${SYMBOLS[name]} = {formula(summary[name][0])}$"
        for name in ("sample", "epsilon", "delta")
        if name != parameter and len(np.unique(summary[name])) == 1
    ]
    return ", ".join(
        [
            f"{_number(summary['population'][0])} people",
            *parts,
            f"{summary['targets'][0]:,} targets, {_datasets(summary['datasets'].max())} each",
        ]
    )
