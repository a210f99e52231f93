"""What is left of the bounds (24) over the size of households that enter the data together."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from disclosure.numerics.types import Columns
from disclosure.plots.style import BLUE, GREY, RED, new_figure

__all__ = ["figure"]

_LIMIT = ("limit", "limit for every adversary", GREY, "", (0, (6, 2, 1, 2)))
_FAILURES = (
    ("failure_largest", "ones against zeros, all else known", RED, "s", "-"),
    ("failure_alike_informed", "members alike, all else known (mean)", BLUE, "o", "-"),
    ("failure_alike_uninformed", "members alike, nothing known (mean)", BLUE, "^", (0, (1, 1.5))),
    ("failure_mixed_informed", "members independent, all else known (mean)", BLUE, "v", (0, (5, 2))),
)


def figure(table: Columns) -> Figure:
    """Failure probabilities, and the epsilon that is left, over the number of members of a household.

    Parameters
    ----------
    table : dict of str to ndarray
        Of the question ``households``.

    Returns
    -------
    matplotlib.figure.Figure
    """

    def draw(figure: Figure, axes: list[Axes]) -> None:
        failures, kept = axes
        members = table["members"]
        for column, label, colour, marker, style in (_LIMIT, *_FAILURES):
            failures.plot(
                members, table[column], color=colour, marker=marker, markersize=4, linestyle=style, label=label
            )
        failures.set_yscale("log")
        failures.set_ylabel("probability that the bounds (24) fail (logarithmic axis)")
        kept.plot(members, table["epsilon_left"], color=RED, marker="s", markersize=4, label="normal noise")
        one = table["epsilon_left"][members.argmin()] / members.min()
        kept.plot(members, one * members, color=GREY, linestyle=(0, (6, 2, 1, 2)), label="pure privacy")
        kept.set_ylabel("$\\varepsilon$ that a household is left with (logarithmic axis)")
        kept.set_yscale("log")
        for axis in axes:
            axis.set_xlabel("members of a household")
            axis.set_xticks(members)
            axis.legend(loc="lower right", fontsize="small")
        figure.suptitle("Households that enter the data together; noise for one person", fontsize="medium")

    return new_figure(2, draw)
