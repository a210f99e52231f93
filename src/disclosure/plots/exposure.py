"""Figures of a table of people: who is exposed and why, and risk beside utility over a sweep."""

import math

import numpy as np

from disclosure.plots.style import BLUE, GREY, RED, new_figure
from disclosure.study import points

__all__ = ["people_figure", "sweep_figure"]

_LABELS = {
    "sample": "sample size $m$",
    "epsilon": r"privacy budget $\varepsilon$",
    "delta": r"$\delta$",
}
# Failure probabilities that lie so far below the smallest T would leave an axis with nothing else to see.
_DEPTH = 1e-4


def people_figure(people, summary, query):
    """Risk of every person over the distance from the others.

    Parameters
    ----------
    people : dict of str to ndarray
        Rows of `disclosure.workflow.tables.EXPOSURE` of one point.
    summary : dict
        Their row of `disclosure.workflow.tables.EXPOSURE_SUMMARY`.
    query : str
        What is released, for the title.

    Returns
    -------
    matplotlib.figure.Figure
    """
    upper_limit, probability = people["union_mass_supremum"], people["failure_probability_mean"]
    positive = upper_limit[upper_limit > 0]
    exponent = math.floor(math.log10(_DEPTH * positive.min(initial=1.0)))
    floor = 10.0**exponent
    low = probability < floor

    def draw(figure, axes):
        left, right = axes
        for axis, distance, label in (
            (left, "centre", "distance from the mean of the others"),
            (right, "farthest", "distance from the farthest person"),
        ):
            x, hollow = people[distance], {"color": BLUE, "markersize": 3.5, "markerfacecolor": "none", "linestyle": ""}
            (upper,) = axis.plot(x[upper_limit > 0], positive, "s", color=RED, markersize=3.5)
            (mean,) = axis.plot(x[~low], probability[~low], marker="o", **hollow)
            (lower,) = axis.plot(x[low], np.full(np.count_nonzero(low), floor), marker="v", **hollow, clip_on=False)
            # Not cut off and without points, it would count as endlessly large.
            lower.set_in_layout(False)
            axis.set_yscale("log")
            axis.set_ylim(floor, None)
            axis.set_xlim(0, 1.03 * (x.max() or 1.0))
            axis.set_xlabel(f"{label}\n(in diagonals of the stated ranges)")
        _name(left, people, "centre", floor)
        left.set_ylabel("probability")
        upper.set_label(f"$T$, upper limit: {_SUPREMA[summary['supremum']]}")
        mean.set_label(rf"$\rho$, failure probability: mean of {_datasets(summary['datasets'])}")
        lower.set_label(rf"$\rho$ below $10^{{{exponent}}}$: {people['people'][low].sum():,} people")
        entries = [upper, mean, *([lower] if low.any() else [])]
        figure.legend(handles=entries, loc="outside lower center", ncols=3)
        figure.suptitle(_title(summary, query), fontsize="medium")

    return new_figure(2, draw)


def _datasets(number):
    return f"{number:,} datasets" if number else "all datasets"


_SUPREMA = {"exact": "largest over all datasets", "bound": "bound over all datasets", "none": "not known"}


def _name(axis, people, distance, floor):
    """Row numbers of the three people with the largest failure probability."""
    for place in np.argsort(-people["failure_probability_mean"], kind="stable")[:3]:
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


def _title(summary, query):
    looked = "" if summary["targets"] == summary["population"] else f" ({summary['targets']:,} sampled people)"
    return (
        f"{query} of {summary['sample']:,} of {summary['population']:,} people{looked}: "
        rf"$\varepsilon = {summary['epsilon']:.4g}$, $\delta = {summary['delta']:.4g}$, noise $\sigma = {summary['sigma']:.4g}$"
    )


def sweep_figure(summary):
    """Risk over a sweep, beside the error of the release.

    Parameters
    ----------
    summary : dict of str to ndarray
        Table of `disclosure.workflow.tables.EXPOSURE_SUMMARY`, of at least two points.

    Returns
    -------
    matplotlib.figure.Figure
    """
    parameter = points.varied(summary)
    if parameter is None:
        raise ValueError("a figure needs a sweep of at least two points")
    order = np.argsort(summary[parameter], kind="stable")
    summary = {name: values[order] for name, values in summary.items()}
    x = summary[parameter]

    def draw(figure, axes):
        risk, utility = axes
        entries = [
            risk.plot(x, _positive(summary[name]), style, color=colour, linewidth=1.3, markersize=4, label=label)[0]
            for name, style, colour, label in (
                ("union_mass_supremum", "-s", RED, f"largest $T$, {_sweep_kind(summary)}"),
                ("union_mass_mean", "--s", RED, r"mean $T$ over people and datasets"),
                (
                    "failure_probability_largest",
                    "-o",
                    BLUE,
                    rf"largest $\rho$ over people and {_sampled(summary)}datasets",
                ),
                ("failure_probability_mean", "--o", BLUE, r"mean $\rho$ over people and datasets"),
            )
        ]
        risk.set_yscale("log")
        risk.set_ylabel("probability that the ratio leaves its bounds")
        utility.plot(x, summary["sigma"], "-d", color=GREY, linewidth=1.3, markersize=4)
        utility.set_ylabel(r"expected error $\sigma$, in the columns' units")
        utility.set_ylim(0, None)
        bound = utility.twinx()
        bound.grid(False)
        bound.spines["right"].set_visible(True)
        (ratio,) = bound.plot(x, summary["ratio_upper"], ":", color="black", linewidth=1.5)
        ratio.set_label("largest ratio within the bounds (24)")
        bound.set_ylabel("posterior-to-prior ratio")
        bound.set_ylim(1, None)
        utility.lines[0].set_label("expected error")
        for axis in (risk, utility):
            axis.set_xlabel(_LABELS[parameter])
            if x.min() > 0 and x.max() >= 100 * x.min():
                axis.set_xscale("log")
        risk.set_title("risk", fontsize="medium")
        utility.set_title("utility, and what the bounds allow", fontsize="medium")
        figure.legend(handles=[*entries, utility.lines[0], ratio], loc="outside lower center", ncols=2)
        figure.suptitle(_sweep_title(summary, parameter), fontsize="medium")

    return new_figure(2, draw)


def _sweep_kind(summary):
    return "exact over all datasets" if (summary["supremum"] == "exact").all() else "a bound over all datasets"


def _sampled(summary):
    return "sampled " if summary["datasets"].any() else ""


def _positive(values):
    return np.where(values > 0, values, np.nan)


def _sweep_title(summary, parameter):
    fixed = {"sample": "m", "epsilon": r"\varepsilon", "delta": r"\delta"}
    parts = [
        f"${symbol} = {summary[name][0]:.4g}$"
        for name, symbol in fixed.items()
        if name != parameter and len(np.unique(summary[name])) == 1
    ]
    return ", ".join(
        [
            f"{summary['population'][0]:,} people",
            *parts,
            f"{summary['targets'][0]:,} targets, {_datasets(summary['datasets'].max())} each",
        ]
    )
