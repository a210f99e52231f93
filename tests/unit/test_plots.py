"""Figures: what they draw, the same bytes each time, and text that is text."""

import numpy as np
import pytest

from disclosure.pipeline import tables
from disclosure.plots import style, sweep


def summary(points=5, releases=1_000, top=0.02):
    upper = np.linspace(0.01, top, points)
    table = {
        "point": np.arange(points),
        "population": np.full(points, 100),
        "sample": np.full(points, 90),
        "epsilon": np.linspace(0.2, 2.0, points),
        "delta": np.full(points, 0.1),
        "sigma": np.ones(points),
        "datasets": np.full(points, 50),
        "releases": np.full(points, releases),
        "T_mean": upper,
        "T_se": upper / 10,
        "F_mean": upper / 100 if releases else np.full(points, np.nan),
        "F_se": upper / 50 if releases else np.full(points, np.nan),
        "F_sd_published": upper,
        "rho_mean": upper / 100,
        "rho_se": upper / 1000,
        "var_between": upper,
        "var_within": upper,
        "T_expected": upper,
        "rho_expected": np.full(points, np.nan),
    }
    assert list(table) == list(tables.SUMMARY)
    return table


@pytest.mark.parametrize("kind", ["pdf", "svg", "png"])
def test_the_same_summary_makes_the_same_bytes(kind):
    files = [style.rendered(sweep.sweep_figure(summary()), kind) for _ in range(2)]
    assert files[0] == files[1]
    assert len(files[0]) > 5_000


def test_text_stays_text_and_names_what_is_drawn():
    svg = style.rendered(sweep.sweep_figure(summary()), "svg").decode()
    for words in (
        "probability",
        "theoretical upper limit",
        "share of releases that fail",
        "1,000 releases each",
        "50 datasets",
    ):
        assert words in svg, words


def test_without_releases_no_failure_rate_is_drawn():
    svg = style.rendered(sweep.sweep_figure(summary(releases=0)), "svg").decode()
    assert "share of releases" not in svg
    assert "exact failure probability" in svg


def test_a_linear_panel_appears_where_the_upper_limit_comes_near_one():
    assert len(sweep.sweep_figure(summary()).axes) == 1
    axes = sweep.sweep_figure(summary(top=1.0)).axes
    assert [axis.get_yscale() for axis in axes] == ["log", "linear"]


def test_expected_values_alone_are_drawn_with_their_ratio():
    table = summary(releases=0)
    missing = np.full(5, np.nan)
    table |= {name: missing for name in ("T_mean", "T_se", "rho_mean", "rho_se")}
    table |= {"rho_expected": table["T_expected"] / 100, "datasets": np.zeros(5, dtype=int)}
    table |= {"population": 10 ** np.arange(2, 7), "sample": 9 * 10 ** np.arange(1, 6), "epsilon": np.ones(5)}
    figure = sweep.sweep_figure(table)
    assert [axis.get_xscale() for axis in figure.axes] == ["log", "log"]
    assert figure.axes[1].lines[0].get_ydata() == pytest.approx(np.full(5, 100.0))
    svg = style.rendered(figure, "svg").decode()
    for words in ("subadditive limit", "expected failure probability"):
        assert words in svg, words
    assert "datasets a point" not in svg


def test_points_are_drawn_in_order_and_zeros_left_out():
    table = summary()
    table["epsilon"] = table["epsilon"][::-1].copy()
    table["rho_mean"][0] = 0.0
    (axis,) = sweep.sweep_figure(table).axes
    exact = next(line for line in axis.lines if "exact" in str(line.get_label()))
    assert np.all(np.diff(exact.get_xdata()) > 0)
    assert np.isnan(exact.get_ydata()[-1])


def test_a_sample_close_to_a_large_population_is_drawn_over_the_neighbours():
    table = summary(releases=0)
    table |= {"epsilon": np.ones(5), "population": np.full(5, 10**6), "sample": 10**6 - 10 ** np.arange(5)[::-1]}
    (axis,) = sweep.sweep_figure(table).axes
    assert axis.get_xlabel() == "number of neighbours $n - m$"
    assert sorted(axis.lines[0].get_xdata()) == [1, 10, 100, 1000, 10000]


def test_blue_and_red_differ_in_grey():
    def grey(colour):
        red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    assert abs(grey(style.BLUE) - grey(style.RED)) > 40


def test_a_single_point_makes_no_figure():
    with pytest.raises(ValueError, match="at least two points"):
        sweep.sweep_figure(summary(points=1))
