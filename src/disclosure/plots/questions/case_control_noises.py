"""What kinds of noise do to the odds in the case-control study: over the release, and over the error of the noise."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from disclosure.numerics.types import Columns, FloatArray
from disclosure.plots.style import BLUE, GREY, RED, new_figure

__all__ = ["figure"]

# Name, colour, line style and marker of each kind of noise; those on whole numbers have marks.
_NOISES = {
    "laplace": ("Laplace", BLUE, "-", ""),
    "geometric": ("geometric", BLUE, "", "o"),
    "gaussian": ("Gaussian", RED, "--", ""),
    "discrete_gaussian": ("discrete Gaussian", RED, "", "s"),
}


def figure(table: Columns) -> Figure:
    """R10 / P10 over the release, and its upper quantile over the root mean square error.

    Parameters
    ----------
    table : dict of str to ndarray
        Of the question ``case_control_noises``.

    Returns
    -------
    matplotlib.figure.Figure
    """
    released = table["kind"] == "release"
    error = float(table["error"][released][0])
    probability = float(table["probability"][~released][0])

    def draw(figure: Figure, axes: list[Axes]) -> None:
        left, right = axes
        for name, (words, colour, style, marker) in _NOISES.items():
            kept: dict[str, Any] = {
                "color": colour,
                "linestyle": style or "None",
                "marker": marker,
                "markersize": 3.5,
                "markerfacecolor": "white",
            }
            left.plot(*_curve(table, name, "release", "knows_others", "released"), label=words, **kept)
            right.plot(*_curve(table, name, "quantile", "knows_others", "error"), **kept)
        left.plot(
            *_curve(table, "laplace", "release", "knows_design", "released"),
            color=GREY,
            linewidth=0.9,
            linestyle=":",
            label="any of these, for an adversary who knows the design only",
        )
        left.set_yscale("log")
        right.set_yscale("log")
        left.set_xlabel("released number of cases, less $n$")
        left.set_ylabel("$R_{10} / P_{10}$ (logarithmic axis)")
        left.set_title(f"after a release, error {error:.3g}", fontsize="medium")
        right.set_xscale("log")
        right.set_xlabel("root mean square error of the release, cases (logarithmic axis)")
        right.set_ylabel(f"$R_{{10}} / P_{{10}}$ except with probability {probability:g}")
        right.set_title("for a case, but for the rarest releases", fontsize="medium")
        for scale in (left.yaxis, right.yaxis, right.xaxis):
            scale.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            scale.set_major_formatter("{x:g}")
            scale.set_minor_formatter("")
        figure.legend(loc="outside lower center", ncols=3)
        figure.suptitle(
            "Who knows everybody else's status: four kinds of noise on the number of cases", fontsize="medium"
        )

    return new_figure(2, draw)


def _curve(table: Columns, noise: str, kind: str, adversary: str, over: str) -> tuple[FloatArray, FloatArray]:
    chosen = (table["noise"] == noise) & (table["kind"] == kind) & (table["adversary"] == adversary)
    order = np.argsort(table[over][chosen])
    return table[over][chosen][order], table["upper"][chosen][order]
