"""The figure of the noise that keeps an odds risk profile."""

import numpy as np
import pytest

from disclosure.plots import style
from disclosure.plots.questions import noise_by_profile
from disclosure.workflow.questions.noise_by_profile import rows

PROFILE = {"knots": [[0.1, 10], [1, 2], [2.5, 5]]}


@pytest.mark.parametrize("failures", [[0.01], [0.01, 1e-4, 1e-6, 0.3]])
def test_every_curve_is_drawn_and_named(failures):
    settings = {"failures": failures, "prior_odds": [10.0, 0.1, 1.0], "odds_risk_profile": PROFILE}
    figure = noise_by_profile.figure({name: np.asarray(values) for name, values in rows(settings).items()})
    (axis,) = figure.axes
    assert len(axis.lines) == 3 * len(failures)
    assert all(np.all(np.diff(line.get_xdata()) > 0) for line in axis.lines)
    svg = style.rendered(figure, "svg").decode()
    for words in ("every adversary", "zero-concentrated", "who knows everybody else", "prior odds ratio"):
        assert words in svg


def test_a_probability_that_is_no_power_of_ten_is_written_out():
    settings = {"failures": [0.3, 1e-4], "prior_odds": [1.0, 2.0], "odds_risk_profile": PROFILE}
    figure = noise_by_profile.figure({name: np.asarray(values) for name, values in rows(settings).items()})
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels[-2:] == ["except with probability $10^{-4}$", "except with probability 0.3"]


def test_infinite_noise_is_left_out():
    settings = {"failures": [0.01], "prior_odds": [0.5, 1.0, 2.0], "odds_risk_profile": {"knots": [[1, 1.0], [2, 3.0]]}}
    figure = noise_by_profile.figure({name: np.asarray(values) for name, values in rows(settings).items()})
    assert np.isnan(figure.axes[0].lines[0].get_ydata()).tolist() == [True, True, False]


def test_curves_that_merge_near_1_have_a_panel_of_their_own():
    settings = {"failures": [0.01, 1e-4], "odds_risk_profile": PROFILE}
    for prior_odds, panels in (
        ([0.01, 0.5, 0.8, 1.0, 1.5, 2.0], 2),
        ([0.01, 1.0, 100.0], 1),
        ([0.5, 0.8, 1.0, 1.5, 2.0], 1),
    ):
        table = rows({**settings, "prior_odds": prior_odds})
        figure = noise_by_profile.figure({name: np.asarray(values) for name, values in table.items()})
        assert len(figure.axes) == panels
        whole, near = (figure.axes[0], figure.axes[-1])
        assert [line.get_ydata().tolist() for line in whole.lines] == [line.get_ydata().tolist() for line in near.lines]
        assert panels == 1 or near.get_xlim() == (0.5, 2.0)


def test_the_legend_of_a_single_probability_fits_the_figure():
    settings = {"failures": [1e-3], "prior_odds": [0.1, 1.0, 10.0], "odds_risk_profile": PROFILE}
    figure = noise_by_profile.figure({name: np.asarray(values) for name, values in rows(settings).items()})
    assert figure.get_suptitle().endswith("except with probability $10^{-3}$")
    figure.canvas.draw()
    box, width = figure.legends[0].get_window_extent(), figure.bbox.width
    assert 0.02 * width < box.x0 < box.x1 < 0.98 * width
