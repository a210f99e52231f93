"""Figure of what normal noise leaves to somebody who must tell two neighbouring datasets apart."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.special import ndtr

from disclosure.mechanisms import privacy
from disclosure.plots.style import BLUE, GREY, RED, new_figure

__all__ = ["trade_off_figure"]

# Points of the curve, at false positive rates with equidistant normal quantiles, to 5 standard deviations on either side of the
# test with the largest advantage.
_POINTS, _REACH = 801, 5.0


def trade_off_figure(mu: float, false_positive_rate: float) -> Figure:
    """The smallest false negative rate over the false positive rate, with two tests marked.

    Parameters
    ----------
    mu : float
        In (0, inf).
    false_positive_rate : float
        Of one of the marked tests, in (0, 1); the other is the one with the largest advantage.

    Returns
    -------
    matplotlib.figure.Figure
    """
    half = mu / 2
    ends = ndtr(np.linspace(-half - _REACH, _REACH - half, _POINTS))
    rate = np.unique(np.concatenate([[0.0], ends, [false_positive_rate, ndtr(-half), 1.0]]))
    best, missed = float(ndtr(-half)), float(privacy.false_negative_rate(false_positive_rate, mu))
    caught = float(privacy.true_positive_rate(false_positive_rate, mu))

    def draw(figure: Figure, axes: list[Axes]) -> None:
        (axis,) = axes
        axis.fill_between(rate, privacy.false_negative_rate(rate, mu), 1 - rate, color="#e8eef7")
        (blind,) = axis.plot([0, 0.5, 1], [1, 0.5, 0], color=GREY, linestyle="--", linewidth=1.0)
        blind.set_label("without the release")
        (curve,) = axis.plot(rate, privacy.false_negative_rate(rate, mu), color=BLUE, linewidth=1.6)
        curve.set_label("best test of the release")
        (most,) = axis.plot(best, best, "s", color=RED, markersize=6, clip_on=False)
        most.set_label(f"largest advantage {float(privacy.advantage(mu)):.4g}")
        (stated,) = axis.plot(false_positive_rate, missed, "o", color=BLUE, markersize=6, clip_on=False)
        stated.set_label(f"true positive rate {caught:.4g}\nat false positive rate {false_positive_rate:g}")
        # The upper right half has room: a test there is worse than none.
        axis.legend(handles=[stated, most], loc="upper right")
        axis.set_xlim(0, 1)
        axis.set_ylim(0, 1)
        axis.set_aspect("equal")
        axis.set_xlabel("false positive rate")
        axis.set_ylabel("false negative rate")
        figure.legend(handles=[curve, blind], loc="outside lower center", ncols=2)
        figure.suptitle(
            f"Telling two datasets apart that differ in one record\nnormal noise, mu = {mu:.4g}", fontsize="medium"
        )

    return new_figure(1, draw)
