"""Figures of sweeps: what they draw, and text that is text."""

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
        "definition": np.full(points, "probabilistic"),
        "epsilon_prime": np.full(points, np.nan),
        "delta_prime": np.full(points, np.nan),
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
        **{name: upper for name in tables.SUMMARY if "prior_free" in name or name.startswith("ratio_")},
        "mechanism": np.full(points, "gaussian"),
    }
    assert list(table) == list(tables.SUMMARY)
    return table


def entries(figure):
    """What the legend says."""
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_text_stays_text_and_names_what_is_drawn():
    files = [style.rendered(sweep.sweep_figure(summary()), "svg") for _ in range(2)]
    assert files[0] == files[1]
    svg = files[0].decode()
    for words in (
        "probability",
        "theoretical upper limit",
        "share of releases that fail",
        "1,000 releases each",
        "50 datasets",
    ):
        assert words in svg, words


def test_a_sweep_of_approximate_privacy_says_so():
    table = summary()
    assert "approximate" not in sweep.sweep_figure(table).get_suptitle()
    table |= {"definition": np.full(5, "approximate"), "delta_prime": np.full(5, 0.2)}
    assert r"approximate privacy, $\delta' = 0.2$" in sweep.sweep_figure(table).get_suptitle()


def test_without_releases_no_failure_rate_is_drawn():
    words = " ".join(entries(sweep.sweep_figure(summary(releases=0))))
    assert "share of releases" not in words
    assert "exact failure probability" in words


def test_a_linear_panel_appears_where_the_upper_limit_comes_near_one():
    assert len(sweep.sweep_figure(summary()).axes) == 1
    axes = sweep.sweep_figure(summary(top=1.0)).axes
    assert [axis.get_yscale() for axis in axes] == ["log", "linear"]


def test_other_noise_is_named_and_probabilities_of_0_are_told_in_words():
    table = summary()
    probabilities = [name for name in table if name.startswith(("union_mass", "failure_share", "failure_probability"))]
    nothing = {name: np.full(5, np.nan if name.endswith("expected") else 0.0) for name in probabilities}
    drawn = sweep.sweep_figure({**table, **nothing, "mechanism": np.full(5, "laplace")})
    svg = style.rendered(drawn, "svg").decode()
    assert "Laplace noise" in svg
    assert "All probabilities are 0" in svg
    assert "noise" not in style.rendered(sweep.sweep_figure(table), "svg").decode()


def expected_values(points):
    """A summary without datasets, whose expected values have a ratio from 10 to 100."""
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


def test_expected_values_alone_are_drawn_with_their_ratio():
    table = expected_values(5)
    table |= {"population": 10 ** np.arange(2, 7), "sample": 9 * 10 ** np.arange(1, 6), "epsilon": np.ones(5)}
    figure = sweep.sweep_figure(table)
    assert [axis.get_xscale() for axis in figure.axes] == ["log", "log"]
    assert figure.axes[1].lines[0].get_ydata() == pytest.approx(np.linspace(10, 100, 5))
    words = " ".join(entries(figure))
    assert "subadditive limit" in words
    assert "expected failure probability" in words
    assert "datasets a point" not in figure.get_suptitle()


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


def test_a_single_point_makes_no_figure():
    with pytest.raises(ValueError, match="at least two points"):
        sweep.sweep_figure(summary(points=1))


@pytest.mark.parametrize("parameter", ["population", "sample", "epsilon"])
def test_an_infinite_population_is_drawn_or_named(parameter):
    table = summary(3, releases=0) | {"failure_probability_expected": np.array([1e-4, 2e-4, 3e-4])}
    table |= {name: np.full(3, np.nan) for name in ("union_mass_mean", "failure_probability_mean")}
    table["epsilon"] = np.ones(3)
    table |= {"population": np.full(3, np.inf)}
    table |= {
        parameter: {"population": [100, 10_000, np.inf], "sample": [1, 50, 90], "epsilon": [1.0, 2.0, 3.0]}[parameter]
    }
    table = {name: np.asarray(values) for name, values in table.items()}
    figure = sweep.sweep_figure(table)
    assert all(np.isfinite(line.get_xdata()).all() for axis in figure.axes for line in axis.lines)
    if parameter == "population":
        assert figure.axes[0].get_xticklabels()[-1].get_text() == r"$\infty$"
    else:
        assert r"$n = \infty$" in figure.get_suptitle()
    assert ("$m = 90$" in figure.get_suptitle()) == (parameter != "sample")
