"""Figure of risk against the error of a statistic."""

import numpy as np
import pytest

from disclosure.people.comparison import compare
from disclosure.plots import comparison, style
from tests.unit.people.tables import random_people


@pytest.fixture(scope="module")
def rises():
    return compare(random_people(30, 1), "mean", [10, 25], [1e-2, 1e-6])


def test_each_size_and_probability_has_a_curve_and_a_mark(rises):
    figure = comparison.comparison_figure(rises, "the mean of a", 30)
    axis, belief = figure.axes
    curves, marks = axis.lines[::2], axis.lines[1::2]
    # Beliefs after, which sizes are compared by, and at the end the belief before of each size.
    last = (rises["sample"] == 25) & (rises["probability"] == 1e-6)
    assert belief.lines[6].get_ydata().tolist() == rises["posterior_limit"][last].tolist()
    assert [line.get_ydata()[0] for line in belief.lines[8:]] == [1 / 21, 1 / 6]
    assert len(curves) == len(marks) == 4
    first = (rises["sample"] == 10) & (rises["probability"] == 1e-2)
    assert curves[0].get_ydata().tolist() == rises["rise_limit"][first].tolist()
    for mark in marks:
        (x,) = mark.get_xdata().tolist()
        assert np.isclose(x, np.unique(rises["relative_sampling_error"])).any()
    assert len({(line.get_linestyle(), line.get_color()) for line in curves}) == 4
    text = style.rendered(figure, "svg").decode()
    for words in ("10 people in the dataset", "except with probability 1e-06", "out of 30 people", "sampling error"):
        assert words in text, words
    assert text == style.rendered(comparison.comparison_figure(rises, "the mean of a", 30), "svg").decode()


def test_more_sizes_than_colours_and_an_infinite_population_are_drawn(rises):
    many = {name: np.concatenate([values] * 8) for name, values in rises.items()}
    many["sample"] = np.repeat(np.arange(16) + 5, len(rises["sample"]) // 2)
    many["prior"] = np.zeros_like(many["prior"])
    figure = comparison.comparison_figure(many, "the mean of a", np.inf)
    # Belief stays 0, so that there are factors only, all from the same prior.
    assert len(figure.axes) == 1
    assert "infinitely many" in figure.get_suptitle()
    assert len(figure.axes[0].lines) == 2 * 16 * 2
