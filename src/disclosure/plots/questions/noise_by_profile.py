"""The Gaussian noise that keeps an odds risk profile, over the prior odds ratio: paper B's Figure 2 without pure privacy."""

import math
from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from disclosure.numerics.types import Columns, FloatArray
from disclosure.plots.style import BLUE, GREY, RED, new_figure

__all__ = ["figure"]

# Line styles of the probabilities of failure, the rarest first: lengths of dashes and gaps, in line widths.
_Style: TypeAlias = tuple[float, tuple[float, ...]]
_STYLES: tuple[_Style, ...] = ((0, ()), (0, (5, 2)), (0, (6, 2, 1, 2)), (0, (1, 1.5)))
# A panel of its own, if it has some points, for prior odds ratios up to so many times 1 and 1 over that, where curves rise
# steeply.
_NEAR, _TELLING = 2.0, 5
_TICKS = (0.5, 0.7, 1.0, 1.4, 2.0)
_ADVERSARIES = {
    "any": ("every adversary", BLUE, 1.8),
    "zcdp": ("every adversary, by zero-concentrated privacy alone", GREY, 0.9),
    "informed": ("an adversary who knows everybody else", RED, 1.2),
}


def figure(table: Columns) -> Figure:
    """Least noise over the prior odds ratio, for each adversary and each probability.

    Parameters
    ----------
    table : dict of str to ndarray
        Of the question ``noise_by_profile``.

    Returns
    -------
    matplotlib.figure.Figure
    """
    failures = dict(zip(np.unique(table["failure"]).tolist(), _STYLES, strict=False))
    places = np.unique(table["prior_odds_ratio"])
    near = (places >= 1 / _NEAR) & (places <= _NEAR)
    panels = 2 if _TELLING <= np.count_nonzero(near) < len(places) else 1

    def draw(figure: Figure, axes: list[Axes]) -> None:
        for axis in axes:
            _draw(axis, table, failures)
        axes[0].set_ylabel(r"smallest noise $\sigma$, in sensitivities (replace-one)")
        for axis in axes[1:]:
            axis.set_xlim(1 / _NEAR, _NEAR)
            axis.set_title("the same near 1", fontsize="medium")
            axis.set_xticks([], minor=True)
            axis.set_xticks(_TICKS, labels=[f"{tick:g}" for tick in _TICKS])
        handles = [
            Line2D([], [], color=colour, linewidth=width, label=words) for words, colour, width in _ADVERSARIES.values()
        ]
        title, (rarest, *others) = "Gaussian noise that keeps the odds risk profile", failures
        if others:
            handles += [
                Line2D([], [], color="black", linestyle=style, label=f"except with probability {_shown(failure)}")
                for failure, style in failures.items()
            ]
        else:
            title += f", except with probability {_shown(rarest)}"
        figure.legend(handles=handles, loc="outside lower center", ncols=2 if others else 1)
        figure.suptitle(title, fontsize="medium")

    return new_figure(panels, draw)


def _draw(axis: Axes, table: Columns, failures: Mapping[float, _Style]) -> None:
    for name, (words, colour, width) in _ADVERSARIES.items():
        for failure, style in failures.items():
            place, sigma = _curve(table, name, failure)
            label = f"{words}, except with probability {_shown(failure)}"
            axis.plot(place, sigma, linestyle=style, color=colour, linewidth=width, label=label)
    axis.set_xscale("log")
    axis.set_ylim(0, None)
    axis.set_xlabel("prior odds ratio $P_{10}$ (logarithmic axis)")


def _curve(table: Columns, adversary: str, failure: float) -> tuple[FloatArray, FloatArray]:
    """Prior odds ratios in order, and the least noise at each, NaN where no noise is enough."""
    chosen = (table["adversary"] == adversary) & (table["failure"] == failure)
    order = np.argsort(table["prior_odds_ratio"][chosen])
    place, sigma = (table[column][chosen][order] for column in ("prior_odds_ratio", "sigma"))
    return place, np.where(np.isfinite(sigma), sigma, np.nan)


def _shown(probability: float) -> str:
    """A probability in a label, a power of ten as such."""
    exponent = round(math.log10(probability))
    return f"$10^{{{exponent}}}$" if f"{probability:g}" == f"{10.0**exponent:g}" else f"{probability:g}"
