"""Figures of paper B: the odds risk profile, epsilon by prior odds ratio, and what a case-control release reveals."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from disclosure.beliefs import case_control, profiles
from disclosure.mechanisms.neighbours import ADD_REMOVE_ONE
from disclosure.numerics.rounding import round_down
from disclosure.plots.axes import formula
from disclosure.plots.style import BLUE, GREY, RED, new_figure

__all__ = ["Adversary", "epsilon_figure", "profile_figure", "release_figure"]

_PRIOR = r"prior odds ratio $P_{10}$"
# Points at which a curve is evaluated, on a linear axis and on a logarithmic one over several decades.
_PLACES, _PLACES_OF_DECADES = 801, 1201
# Multiple of its last knot up to which a profile is drawn; at least up to 1 beyond that knot.
_BEYOND = 1.6
# Decades of the prior odds ratio on each side of 1, at least; and decades that are added beyond the farthest mark.
_DECADES, _ROOM = 3.0, 0.5
# Epsilon. A smallest epsilon above the first has room for a label below it; the axis reaches to the second at least.
_HIGH, _LEAST_TOP = 0.2, 0.1
# Scales 1 / epsilon of Laplace noise, on each side of the true number, that the axis of released numbers shows. The noise is
# larger with probability e^-12 = 6e-6.
_REACH = 12
# Knots of a profile that a title lists; of a longer profile it lists the first and the last two.
_LISTED = 5


class Adversary(NamedTuple):
    """Somebody whose prior odds ratio is known, by name or without one."""

    name: str
    prior_odds_ratio: float


def profile_figure(profile: profiles.RiskProfile) -> Figure:
    """The largest tolerated increase of the odds ratio for each prior odds ratio (paper B, Figure 1).

    Parameters
    ----------
    profile : disclosure.beliefs.profiles.RiskProfile

    Returns
    -------
    matplotlib.figure.Figure
    """
    first, last = profile.knots[0][0], profile.knots[-1][0]
    logarithmic = profile.scale == "log"
    if logarithmic:
        ratio = np.geomspace(first / 10**_ROOM, last * 10**_ROOM, _PLACES)
    else:
        ratio = np.linspace(0, max(_BEYOND * last, last + 1), _PLACES)

    def draw(figure: Figure, axes: list[Axes]) -> None:
        (axis,) = axes
        axis.plot(ratio, profile(ratio), color=BLUE, linewidth=1.6)
        axis.plot(*np.array(profile.knots).T, "o", color=BLUE, markersize=4)
        axis.axhline(1.0, color=GREY, linestyle="--", linewidth=0.9)
        axis.annotate(
            "no increase", (ratio[-1], 1.0), xytext=(0, 3), textcoords="offset points", ha="right", va="bottom"
        )
        least = profiles.epsilon_for_any_prior(profile)
        axis.annotate(
            f"smallest: {least.bound:g} at $P_{{10}} = {formula(least.prior_odds_ratio, 6)}$",
            (least.prior_odds_ratio, least.bound),
            xytext=(24, -4),
            textcoords="offset points",
            arrowprops={"arrowstyle": "-", "color": GREY},
            va="top",
        )
        axis.set_ylim(0, None)
        if logarithmic:
            axis.set_xscale("log")
        axis.set_xlabel(f"{_PRIOR} (logarithmic axis)" if logarithmic else _PRIOR)
        axis.set_ylabel("tolerated increase of the odds ratio $B(P_{10})$")
        figure.suptitle(_title("Odds risk profile", profile), fontsize="medium")

    return new_figure(1, draw)


def epsilon_figure(
    profile: profiles.RiskProfile, adversaries: Sequence[Adversary] = (), relation: str = ADD_REMOVE_ONE
) -> Figure:
    """The largest epsilon for each prior odds ratio (paper B, equation (16) and Figure 2).

    Parameters
    ----------
    profile : disclosure.beliefs.profiles.RiskProfile
    adversaries : sequence of Adversary, optional
        Those that are marked.
    relation : {"add/remove-one", "replace-one"}, optional
        By which datasets are neighbours.

    Returns
    -------
    matplotlib.figure.Figure
    """
    least = profiles.epsilon_for_any_prior(profile, relation)
    decades = max([_DECADES, *(abs(np.log10(known.prior_odds_ratio)) + _ROOM for known in adversaries)])
    inner = [place for place, _ in profile.knots if place > 0]
    decades = max(decades, *(abs(np.log10(place)) + _ROOM for place in (*inner, 1.0)))
    marked = min(max(least.prior_odds_ratio, 10**-decades), 10**decades)  # a limit is marked at the end of the axis
    ratio = np.unique(np.concatenate([np.logspace(-decades, decades, _PLACES_OF_DECADES), inner]))

    def draw(figure: Figure, axes: list[Axes]) -> None:
        (axis,) = axes
        epsilon = profiles.epsilon_for(profile, ratio, relation).epsilon
        axis.plot(ratio, epsilon, color=BLUE, linewidth=1.6)
        axis.axhline(least.epsilon, color=RED, linestyle="--", linewidth=1.0)
        axis.plot(marked, least.epsilon, "s", color=RED, markersize=6, clip_on=False)
        axis.annotate(
            rf"smallest: $\varepsilon = {_floor(least.epsilon)}\ldots$ at $P_{{10}} = {formula(least.prior_odds_ratio, 6)}$",
            (marked, least.epsilon),
            xytext=(0, -8 if least.epsilon > _HIGH else 22),
            textcoords="offset points",
            ha="center" if abs(np.log10(marked)) < decades / 2 else "left" if marked < 1 else "right",
            va="top",
        )
        for place, known in enumerate(adversaries):
            odds = known.prior_odds_ratio
            if odds != least.prior_odds_ratio:
                own = float(profiles.epsilon_for(profile, odds, relation).epsilon)
                axis.plot(odds, own, "o", color=GREY, markersize=5)
                axis.annotate(
                    rf"{known.name}: $P_{{10}} = {formula(odds, 6)}$"
                    if known.name
                    else rf"$P_{{10}} = {formula(odds, 6)}$",
                    (odds, own),
                    xytext=(8, 8 + 12 * place),
                    textcoords="offset points",
                    ha="right" if odds > 1 else "left",
                )
        axis.set_xscale("log")
        axis.set_xlim(ratio[0], ratio[-1])
        axis.set_ylim(0, max(1.1 * epsilon.max(), _LEAST_TOP))
        axis.set_xlabel(f"{_PRIOR} (logarithmic axis)")
        axis.set_ylabel(rf"largest allowed $\varepsilon$ ({relation})")
        figure.suptitle(_title("Privacy budget for every adversary", profile), fontsize="medium")

    return new_figure(1, draw)


def release_figure(design: case_control.Study, epsilon: float) -> Figure:
    """Exact posterior odds ratio over the released number of cases, beside what epsilon alone guarantees.

    Parameters
    ----------
    design : disclosure.beliefs.case_control.Study
        The adversary's q0 is its prevalence.
    epsilon : float
        Of the release.

    Returns
    -------
    matplotlib.figure.Figure
    """
    half = (design.participants - 1) // 2
    reach = _REACH / epsilon
    released = np.unique(np.concatenate([np.linspace(half - reach, half + 1 + reach, _PLACES), [half, half + 1]]))
    knows_others = case_control.odds_ratio_knowing_others(released, design.participants, epsilon, design.prevalence)
    knows_design = case_control.odds_ratio_knowing_design(released, design.participants, epsilon, design.prevalence)
    prior = float(knows_design.prior_odds_ratio)

    def draw(figure: Figure, axes: list[Axes]) -> None:
        (axis,) = axes
        band = axis.fill_between(released, knows_design.lower, knows_design.upper, color="#e8e8e8")
        band.set_label(r"guaranteed by $\varepsilon$ alone: $e^{-2\varepsilon} P_{10}$ to $e^{2\varepsilon} P_{10}$")
        (others,) = axis.plot(released, knows_others.odds_ratio, color=RED, linewidth=1.6)
        others.set_label(f"adversary who knows everybody else, {half} cases among them")
        (design_only,) = axis.plot(released, knows_design.odds_ratio, color=BLUE, linestyle="--", linewidth=1.6)
        design_only.set_label("adversary who knows the design only")
        axis.axvline(half, color=GREY, linewidth=0.7, linestyle=":")
        axis.axvline(half + 1, color=GREY, linewidth=0.7, linestyle=":")
        axis.set_yscale("log")
        axis.set_xlim(released[0], released[-1])
        ticks = prior * np.exp(epsilon * np.arange(-2, 3))
        axis.set_yticks(ticks, [f"{tick:.0f}" if tick >= 10 else f"{tick:.3g}" for tick in ticks])
        axis.minorticks_off()
        axis.set_xlabel(f"released number of cases $t^*$ (true number: {half} or {half + 1})")
        axis.set_ylabel("posterior odds ratio $R_{10}$ (logarithmic axis)")
        figure.legend(handles=[band, others, design_only], loc="outside lower center")
        numbers = rf"$\varepsilon = {formula(epsilon, 6)}$, prior odds ratio $P_{{10}} = {formula(prior, 6)}$"
        figure.suptitle(f"{design.participants:,} people, {numbers}", fontsize="medium")

    return new_figure(1, draw)


def _title(what: str, profile: profiles.RiskProfile) -> str:
    """Which profile it is, by its knots: readings of one formula, and profiles of one's own, differ in nothing else."""
    knots = [f"({place:g}, {bound:g})" for place, bound in profile.knots]
    if len(knots) > _LISTED:
        knots = [*knots[:2], "...", *knots[-2:]]
    scale = "" if profile.scale == "linear" else " on the logarithmic scale"
    return f"{what}\n$B(P_{{10}})$ linear{scale} between {', '.join(knots)}"


def _floor(epsilon: float) -> str:
    """Digits of epsilon, cut off and not rounded."""
    return f"{round_down(epsilon, 4):.4f}"
