"""Figures of odds risk profiles, and of the release of a case-control study."""

import numpy as np
import pytest

from disclosure.beliefs import case_control, profiles
from disclosure.plots import odds as odds_plots
from disclosure.plots import style
from disclosure.workflow.profile_files import read_profile

PROFILE = "{scale: linear, knots: [[0.1, 10], [1, 2], [2.5, 5]]}"
# What the words of paper B allow for its equation (13), which is missing from the text at hand.
READINGS = [
    PROFILE,
    "{knots: [[0, 10], [1, 2], [2.5, 5]]}",
    "{knots: [[0, 10], [1, 2], [10, 5]]}",
    "{knots: [[0.1, 10], [1, 2], [10, 5]]}",
    "{scale: log, knots: [[0.1, 10], [1, 2], [10, 5]]}",
]


def known(design, profile=profiles.PUBLISHED):
    """The adversaries of a study whose prior odds ratio is known."""
    rows = case_control.adversaries(design, profile)
    return [odds_plots.Adversary(row.name, row.prior_odds_ratio) for row in rows if row.name != "any"]


@pytest.mark.parametrize("reading", READINGS)
def test_figures_are_drawn_for_every_reading(reading):
    profile = read_profile(reading)
    design = case_control.Study(1095, 0.00125)
    for figure in (odds_plots.profile_figure(profile), odds_plots.epsilon_figure(profile, known(design, profile))):
        svg = style.rendered(figure, "svg").decode()
        assert "prior odds ratio" in svg
        assert f"({profile.knots[0][0]:g}, 10)" in svg


@pytest.mark.parametrize(
    "knots", [[[1, 1]], [[0, 1], [1e6, 50]], [[0, 10], [0.5, 1.5], [2.5, 5]], [[k, 2 + k] for k in range(9)]]
)
def test_unusual_profiles_are_drawn_as_well(knots):
    figure = odds_plots.epsilon_figure(profiles.RiskProfile(knots), known(case_control.Study(1095, 0.00125)))
    (axis,) = figure.axes
    marker = next(line for line in axis.lines if line.get_marker() == "s")
    low, high = axis.get_xlim()
    assert low <= marker.get_xdata()[0] <= high
    assert style.rendered(figure, "png")


def test_the_release_figure_names_the_study():
    svg = style.rendered(odds_plots.release_figure(case_control.Study(1095, 0.00125), 0.34), "svg").decode()
    for words in ("1,095 people", "547 cases among them", "knows the design only"):
        assert words in svg


def test_a_profile_is_drawn_on_its_own_scale():
    knots = [[1e-4, 10], [1, 2], [1e4, 5]]
    for scale, kind in (("log", "log"), ("linear", "linear")):
        (axis,) = odds_plots.profile_figure(profiles.RiskProfile(knots, scale)).axes
        assert axis.get_xscale() == kind
        places, bounds = axis.lines[0].get_data()
        inside = (places > 1e-4) & (places < 1) if scale == "log" else (places > 1) & (places < 1e4)
        along = np.log10(places[inside]) if scale == "log" else places[inside]
        slopes = np.diff(bounds[inside]) / np.diff(along)
        assert np.ptp(slopes) < 1e-6 * abs(slopes.mean())  # a straight line between two knots
