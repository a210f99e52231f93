"""How a released mean changes the odds of sensitive values, and those of presence, over epsilon."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from disclosure.numerics.types import Columns, FloatArray
from disclosure.plots.style import BLUE, GREY, RED, new_figure

__all__ = ["figure"]

# Words, colour and marker of each guess.
_GUESSES = {
    "presence": ("presence, of somebody whose income is known", "black", "s"),
    "half_line": ("a high income (a half-line)", RED, "o"),
    "tails": ("a low or a high income (two half-lines)", BLUE, "^"),
    "interval": ("a middling income (an interval)", GREY, "v"),
}
# Probabilities below this, and factors above that, are out of sight.
_LEAST, _MOST = 1e-9, 1e4


def figure(table: Columns) -> Figure:
    """Probability that the odds change by more than a factor, and factors exceeded with a probability only, over epsilon.

    Parameters
    ----------
    table : dict of str to ndarray
        Of the question ``attribute_inference``.

    Returns
    -------
    matplotlib.figure.Figure
    """
    factor, probability = float(table["factor"][0]), float(table["probability"][0])

    def draw(figure: Figure, axes: list[Axes]) -> None:
        left, right = axes
        for guess, (words, colour, marker) in _GUESSES.items():
            kept: dict[str, Any] = {"color": colour, "markersize": 3.5}
            left.plot(*_curve(table, guess, "change_probability_largest"), marker=marker, label=words, **kept)
            left.plot(
                *_curve(table, guess, "change_probability_mean"),
                linestyle="--",
                marker=marker,
                markerfacecolor="white",
                **kept,
            )
            right.plot(*_curve(table, guess, "odds_factor_upper"), marker=marker, **kept)
            epsilon, lower = _curve(table, guess, "odds_factor_lower")
            right.plot(epsilon, 1 / lower, linestyle="--", marker=marker, markerfacecolor="white", **kept)
        for axis in axes:
            axis.set_xscale("log")
            axis.set_yscale("log")
            axis.xaxis.set_major_formatter("{x:g}")
            axis.xaxis.set_minor_formatter("")
            axis.set_xlabel(r"$\varepsilon$ (logarithmic axis)")
        left.set_ylim(_LEAST, 2.0)
        right.set_ylim(1.0, _MOST)
        left.set_ylabel(f"probability that the odds change by more than {factor:g}")
        right.set_ylabel(f"factor of the odds except with probability {probability:g}")
        solid, dashed = (Line2D([], [], color="black", linestyle=style) for style in ("-", "--"))
        left.legend([solid, dashed], ["the person with the largest", "the mean over everybody"], loc="lower right")
        right.legend([solid, dashed], ["odds rise, at most", "odds fall, at most"], loc="upper left")
        figure.legend(handles=left.lines[::2], loc="outside lower center", ncols=2)
        figure.suptitle("What a released mean tells about one person's income", fontsize="medium")

    return new_figure(2, draw)


def _curve(table: Columns, guess: str, column: str) -> tuple[FloatArray, FloatArray]:
    """Epsilon in order, and a column at each, NaN where it is beyond what a figure can show."""
    chosen = table["guess"] == guess
    order = np.argsort(table["epsilon"][chosen])
    epsilon, values = (table[name][chosen][order] for name in ("epsilon", column))
    return epsilon, np.where((values > 0) & np.isfinite(values), values, np.nan)
