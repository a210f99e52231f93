"""The figure of adversaries who know some of the other members."""

import numpy as np
import pytest

from disclosure.plots import style
from disclosure.plots.questions import less_informed
from disclosure.workflow.questions.less_informed import rows


@pytest.mark.parametrize("populations", [[[6, 4, 3]], [[6, 4, 3], [8, 5, 2]]])
def test_every_population_has_a_panel_with_all_curves(populations):
    table = rows({"populations": populations, "epsilon": 1.0, "delta": 0.1})
    figure = less_informed.figure({name: np.asarray(values) for name, values in table.items()})
    assert len(figure.axes) == len(populations)
    for axis, (population, sample, _) in zip(figure.axes, populations, strict=True):
        assert f"n = {population}, m = {sample}" in axis.get_title()
        assert len(axis.lines) == 5
        assert all(line.get_xdata().tolist() == list(range(sample)) for line in axis.lines)
    svg = style.rendered(figure, "svg").decode()
    for words in ("known other members k", "mean failure probability", "middle 95%", "limit for every adversary"):
        assert words in svg


def test_probabilities_of_zero_leave_the_axis_alone():
    # With one person outside, many datasets never fail.
    table = rows({"populations": [[6, 5, 3]], "epsilon": 1.0, "delta": 0.1})
    assert 0.0 in table["dataset_low"]
    axis = less_informed.figure({name: np.asarray(values) for name, values in table.items()}).axes[0]
    assert axis.get_ylim()[0] == pytest.approx(min(table["failure_probability"]) / 100)
