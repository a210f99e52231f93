"""Figures: what they draw, the same bytes each time, and text that is text."""

import numpy as np
import pytest

from disclosure.plots import style, sweep
from disclosure.workflow import tables


def summary(points=5, releases=1_000, top=0.02):
    upper = np.linspace(0.01, top, points)
    table = {
        "sweep": np.full(points, "mine"),
        "point": np.arange(points),
        "population": np.full(points, 100),
        "sample": np.full(points, 90),
        "epsilon": np.linspace(0.2, 2.0, points),
        "delta": np.full(points, 0.1),
        "sigma": np.ones(points),
        "datasets": np.full(points, 50),
        "releases": np.full(points, releases),
        "union_mass_mean": upper,
        "union_mass_se": upper / 10,
        "failure_share_mean": upper / 100 if releases else np.full(points, np.nan),
        "failure_share_se": upper / 50 if releases else np.full(points, np.nan),
        "failure_share_sd_published": upper,
        "failure_probability_mean": upper / 100,
        "failure_probability_se": upper / 1000,
        "var_between": upper,
        "var_within": upper,
        "union_mass_expected": upper,
        "failure_probability_expected": np.full(points, np.nan),
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
    table |= {
        name: missing
        for name in ("union_mass_mean", "union_mass_se", "failure_probability_mean", "failure_probability_se")
    }
    table |= {"failure_probability_expected": table["union_mass_expected"] / 100, "datasets": np.zeros(5, dtype=int)}
    table |= {"population": 10 ** np.arange(2, 7), "sample": 9 * 10 ** np.arange(1, 6), "epsilon": np.ones(5)}
    figure = sweep.sweep_figure(table)
    assert [axis.get_xscale() for axis in figure.axes] == ["log", "log"]
    assert figure.axes[1].lines[0].get_ydata() == pytest.approx(np.full(5, 100.0))
    svg = style.rendered(figure, "svg").decode()
    for words in ("subadditive limit", "expected failure probability"):
        assert words in svg, words
    assert "datasets a point" not in svg


def expected_values(points):
    table = summary(points, releases=0)
    missing = np.full(points, np.nan)
    table |= {
        name: missing
        for name in ("union_mass_mean", "union_mass_se", "failure_probability_mean", "failure_probability_se")
    }
    ratio = np.linspace(10, 100, points)
    return table | {
        "failure_probability_expected": table["union_mass_expected"] / ratio,
        "datasets": np.zeros(points, dtype=int),
    }


@pytest.mark.parametrize(("points", "marked"), [(9, True), (25, True), (41, False)])
def test_each_point_is_marked_where_there_are_few(points, marked):
    lines = [line for axis in sweep.sweep_figure(expected_values(points)).axes for line in axis.lines]
    assert len(lines) == 3
    assert [line.get_marker() != "None" for line in lines] == [marked] * 3
    assert len({line.get_marker() for line in lines}) == (3 if marked else 1)


def test_lines_beside_estimates_have_no_marks_of_their_own():
    (axis,) = sweep.sweep_figure(summary(points=9)).axes
    exact, expected = (next(line for line in axis.lines if word in str(line.get_label())) for word in ("exact", "E[T]"))
    assert exact.get_marker() == expected.get_marker() == "None"


def test_points_are_drawn_in_order_and_zeros_left_out():
    table = summary()
    table["epsilon"] = table["epsilon"][::-1].copy()
    table["failure_probability_mean"][0] = 0.0
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


# What dichromats see of a colour in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
DICHROMATS = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
# From linear RGB to cone responses, and from their cube roots to OKLab, in which distances are those that are seen.
CONES = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566]]
CONES += [[0.0883024619, 0.2817188376, 0.6299787005]]
OKLAB = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099]]
OKLAB += [[0.0259040371, 0.7827717662, -0.8086757660]]


@pytest.mark.parametrize("kind", DICHROMATS)
def test_colours_differ_for_the_colour_blind(kind):
    def seen(colour):
        encoded = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
        return OKLAB @ np.cbrt(CONES @ np.clip(DICHROMATS[kind] @ linear, 0, 1))

    # 0.02 is about the least difference that is noticed between patches side by side.
    assert np.linalg.norm(seen(style.BLUE) - seen(style.RED)) > 0.2
    # Red and green of equal lightness, which deuteranopes confuse, come close: the measure can fail.
    if kind == "deuteranopia":
        assert np.linalg.norm(seen("#b35900") - seen("#778800")) < 0.1


def test_a_single_point_makes_no_figure():
    with pytest.raises(ValueError, match="at least two points"):
        sweep.sweep_figure(summary(points=1))
