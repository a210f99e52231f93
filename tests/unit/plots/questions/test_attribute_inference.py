"""The figure of attribute inference beside presence."""

import numpy as np

from disclosure.plots import style
from disclosure.plots.questions import attribute_inference

GUESSES = ("half_line", "interval", "tails", "presence")


def table(**columns):
    """Two epsilons of every guess, the larger one first."""
    rows = {
        "guess": np.repeat(GUESSES, 2),
        "epsilon": np.tile([4.0, 1.0], 4),
        "sigma": np.ones(8),
        "factor": np.full(8, 3.0),
        "probability": np.full(8, 0.01),
        "change_probability_mean": np.full(8, 0.1),
        "change_probability_largest": np.linspace(0.2, 0.3, 8),
        "odds_factor_lower": np.full(8, 0.25),
        "odds_factor_upper": np.full(8, 5.0),
    }
    return rows | columns


def test_every_guess_is_drawn_twice_in_both_panels_and_named():
    figure = attribute_inference.figure(table())
    assert [len(axis.lines) for axis in figure.axes] == [8, 8]
    assert all(line.get_xdata().tolist() == [1.0, 4.0] for axis in figure.axes for line in axis.lines)
    left, right = figure.axes
    assert sorted(line.get_ydata()[0] for line in right.lines) == [4.0] * 4 + [5.0] * 4
    assert left.lines[0].get_ydata().tolist() == [0.3, np.linspace(0.2, 0.3, 8)[6]]
    svg = style.rendered(figure, "svg").decode()
    for words in ("presence", "half-line", "interval", "change by more than 3", "except with probability 0.01"):
        assert words in svg


def test_what_a_logarithmic_axis_cannot_show_is_left_out():
    shown = attribute_inference.figure(
        table(change_probability_mean=np.zeros(8), odds_factor_upper=np.array([np.inf, 2.0] * 4))
    )
    left, right = shown.axes
    assert np.isnan(left.lines[1].get_ydata()).all()
    assert np.isnan(right.lines[0].get_ydata()).tolist() == [False, True]
